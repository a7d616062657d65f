"""Text for spreadsheets."""

from tracker.extras._spreadsheets import safe


def test_no_formula_begins_a_line_that_is_pasted_into_a_spreadsheet_and_numbers_are_no_text() -> None:
    assert [safe(cell) for cell in ("+1", "-1", "\tx", "x;=1", -1, 5)] == ["'+1", "'-1", "'\tx", "x;'=1", -1, 5]
