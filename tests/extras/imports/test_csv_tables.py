"""Tables of other programs: whatever stands between the cells and before decimals, they are read as they were meant."""

from fractions import Fraction
from importlib import import_module

import pytest
from support.of_extras import needs

from tracker.extras.imports.csv_tables import numbers_in, rows_of
from tracker.formats.text import UnreadableError


@pytest.mark.parametrize("delimiter", ",;\t")
def test_what_we_write_we_read(delimiter: str) -> None:
    needs("exports")
    csv_text = import_module("tracker.extras.exports.all_nights").csv_text
    texts = (
        "Ann",
        "Mar 3",
        "12e5",
        "1,5",
        "5 €",
        "+49",
        "true",
        "2026-01-05",
        "ok; fine",
        "\tx",
        "#N/A",
        "=1+1",
        "a\nb",
        'say "x"',
    )
    rows = [["name", "what"], *([one, "x"] for one in texts), ["-5", "2"]]
    assert rows_of(csv_text(rows, delimiter)) == [[cell.strip() for cell in row] for row in rows]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,200.00", "-3.5"], ["1200", "-3.5"]),
        (["1.200,00", "-3,5"], ["1200", "-3.5"]),
        (["1 200,00", "3,50"], ["1200", "3.5"]),
        (["1\u202f200,5"], ["1200.5"]),
        (["1'200.50", "(3.00)", "3-"], ["1200.5", "-3", "-3"]),
        (["30,000", "200"], ["30000", "200"]),
        (["30.000", "1.000.000"], ["30000", "1000000"]),
        (["0,837", "-1,200"], ["0.837", "-1.2"]),
        (["€ 12.00", "12 €", "US$ 4.50", "-€3"], ["12", "12", "4.5", "-3"]),
        (["\N{MINUS SIGN}3.50", "-0", ""], ["-3.5", "0", None]),
        (["1e9", "x", "1.2.3", "--3", "1,2,3.4.5"], [None] * 5),
    ],
)
def test_numbers_are_read_with_the_sign_before_decimals_that_the_table_has(
    cells: list[str], numbers: list[str | None]
) -> None:
    assert [*numbers_in(cells)] == [None if one is None else Fraction(one) for one in numbers]


def test_three_decimals_are_decimals_where_the_currency_has_them() -> None:
    assert [*numbers_in(["1.200", "3"], 3)] == [Fraction("1.2"), 3]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\r\n1;2\r\n", [["a", "b"], ["1", "2"]]),
        ("sep=;\r\na,x;b\r\n1;2\r\n", [["a,x", "b"], ["1", "2"]]),
        ('"a","b;c;d"\n"1","2\n3"\n', [["a", "b;c;d"], ["1", "2\n3"]]),
        ("\n\na\tb\n\n1\t2\t\n", [["a", "b"], ["1", "2"]]),
        ("hello\nworld\n", []),
        ("", []),
    ],
)
def test_what_stands_between_the_cells_is_seen_in_the_file(text: str, rows: list[list[str]]) -> None:
    assert rows_of(text) == rows


def test_a_table_whose_quotes_do_not_fit_is_refused() -> None:
    with pytest.raises(UnreadableError, match="quotation mark"):
        rows_of('a,b\n"' + "x" * 200_000)
