"""Names in the order of an alphabet, and found by their bare letters; and text that no spreadsheet runs."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tracker.app.nights import Nights
from tracker.formats.built_in import built_in
from tracker.formats.text import file_name, name_order, safe, slug, without_marks
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SORTED = (
    *("adam", "Ægir", "Ägidius", "Anton", "Ärmel", "Émile", "Emma", "Łukasz", "Luzia", "Ñandú", "Oskar", "Øystein"),
    "Zoë",
)


def test_letters_with_marks_stand_beside_the_bare_ones() -> None:
    assert sorted(set(SORTED), key=name_order) == [*SORTED]


def test_every_list_of_names_follows_it(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "nights.db")) as store:
        nights = Nights(store, StreamHub())
        for name in set(SORTED):
            own = replace(built_in("newmarket"), id=slug(f"own-{name}", 40), name=name)
            nights.library.settings.own_presets.put(own.id, own)
        assert [one.name for one in nights.library.own()] == [*SORTED]


def test_names_without_marks_stay_what_they_are() -> None:
    assert without_marks("Ann 2") == "ann 2"
    assert without_marks("星期五") == "星期五"


def test_no_formula_begins_a_line_that_is_pasted_into_a_spreadsheet_and_numbers_are_no_text() -> None:
    assert [safe(cell) for cell in ("+1", "-1", "\tx", "x;=1", -1, 5)] == ["'+1", "'-1", "'\tx", "x;'=1", -1, 5]


def test_a_file_s_name_is_plain_whatever_the_night_is_called() -> None:
    assert file_name("Großmamas Abend / 20. Nov") == "grossmamas-abend-20-nov"
    assert file_name("\u661f\u671f\u4e94") == "night"
    assert file_name("x" * 300) == "x" * 80
