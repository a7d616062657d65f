import unicodedata

import pytest
from hypothesis import given, strategies as st

from tracker.app.person_names import LONGEST, BadName, clean_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ruth", "Ruth"),
        ("  Ruth   Ann ", "Ruth Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Großmama", "Großmama"),
        ("מרים", "מרים"),
        ("お母さん", "お母さん"),
        ("O'Neil <b>", "O'Neil <b>"),
        ("👩\u200d🍳", "👩\u200d🍳"),
        ("Ann\u00a0B", "Ann B"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_name_people_use_is_kept(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\u0301", "empty"),
        ("x" * (LONGEST + 1), "long"),
        ("Ann\n\nevent: host\ndata: x", "unseen"),
        ("Ann\x00", "unseen"),
        ("Ann\u202egro", "unseen"),
        ("Ann\u200b", "unseen"),
        ("A\u200dnn", "unseen"),
        ("\u2066Ann\u2069", "unseen"),
        ("Ann\u2028Ben", "unseen"),
        ("\u3164", "unseen"),
        ("\u2800\u2800", "unseen"),
        ("Z" + "\u0300\u0323" * 8, "unseen"),
        ("\ud800", "unseen"),
    ],
)
def test_a_name_that_hides_or_reorders_text_is_refused(typed: str, reason: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(typed)
    assert refused.value.reason == reason


@pytest.mark.parametrize("typed", ["ruth", "RUTH", "\uff32\uff55\uff54\uff48", " Ruth ", "Ruth\ufe0f", "Ruт\u04bb"])
def test_a_name_that_reads_like_one_at_the_table_is_taken(typed: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(typed, taken=["Ben", "Ruth"])
    assert refused.value.reason == "taken"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mia", "\u041c\u0456\u0430"),
        ("Otto", "\u041e\u0442\u0442\u043e"),
        ("Eva", "\u0395va"),
        ("Peter", "\u0420et\u0435r"),
    ],
)
def test_letters_of_another_script_make_no_second_person_of_the_same_name(one: str, other: str) -> None:
    with pytest.raises(BadName):
        clean_name(other, taken=[one])


@pytest.mark.parametrize(("one", "other"), [("Анна", "Нина"), ("Uli", "Ull"), ("Νίκος", "Μάρκος"), ("Jo", "Joe")])
def test_people_with_other_names_sit_side_by_side(one: str, other: str) -> None:
    assert clean_name(other, taken=[one]) == other


@given(st.text(max_size=40))
def test_whatever_is_let_in_is_short_one_line_and_unchanged_by_cleaning_again(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadName:
        return
    assert 1 <= len(name) <= LONGEST
    assert clean_name(name) == name == unicodedata.normalize("NFC", name)
    assert len(name.splitlines()) == 1
