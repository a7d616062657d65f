import unicodedata

import pytest
from hypothesis import given, strategies as st

from tracker.app.person_names import LONGEST, BadName, clean_name


def test_a_name_people_use_is_kept() -> None:
    changed = {"  Ruth   Ann ": "Ruth Ann", "Zoe\u0308": "Zo\u00eb", "Ann\u00a0B": "Ann B"}
    unchanged = ("Ruth", "Großmama", "מרים", "お母さん", "O'Neil <b>", "👩\u200d🍳", "x" * LONGEST)
    for typed, kept in (changed | dict(zip(unchanged, unchanged, strict=True))).items():
        assert clean_name(typed) == kept


UNSEEN = ["Ann\n\nevent: host\ndata: x", "Ann\x00", "Ann\u202egro", "Ann\u200b", "A\u200dnn", "\u2066Ann\u2069"]
UNSEEN += ["Ann\u2028Ben", "\u3164", "\u2800\u2800", "Z" + "\u0300\u0323" * 8, "\ud800"]
OTHER_SCRIPTS = ("Ruт\u04bb", "\u041c\u0456\u0430", "\u041e\u0442\u0442\u043e", "\u0395va", "\u0420et\u0435r")
TAKEN = ("ruth", "RUTH", "\uff32\uff55\uff54\uff48", " Ruth ", "Ruth\ufe0f", *OTHER_SCRIPTS)


def test_a_name_that_is_none_hides_text_or_reads_like_one_at_the_table_is_refused() -> None:
    refused = {"empty": ("", "   ", "\u0301"), "long": ("x" * (LONGEST + 1),), "unseen": UNSEEN, "taken": TAKEN}
    for reason, names in refused.items():
        for typed in names:
            with pytest.raises(BadName) as found:
                clean_name(typed, taken=["Ben", "Ruth", "Mia", "Otto", "Eva", "Peter"])
            assert found.value.reason == reason, ascii(typed)


def test_people_with_other_names_sit_side_by_side() -> None:
    for one, other in (("Анна", "Нина"), ("Uli", "Ull"), ("Νίκος", "Μάρκος"), ("Jo", "Joe")):
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
