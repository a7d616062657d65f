"""A board inside a code: it comes out as it went in, and whatever else is pasted is refused in words."""

import json
import zlib
from contextlib import suppress
from dataclasses import replace

import pytest
from extras.editor.preset_codes import preset_code_of
from hypothesis import given, strategies as st

from tracker.core.errors import PresetError
from tracker.core.preset import Pot
from tracker.extras.editor.codes import preset_from_code, preset_to_code, preset_words
from tracker.formats.built_in import all_built_in, built_in

RUMMY = built_in("michigan-rummy")
WORDS_OF_VERSION_1 = 2679546286
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_preset_comes_out_as_it_went_in_and_fits_a_code(preset: object) -> None:
    code = preset_to_code(preset)  # type: ignore[arg-type]
    assert preset_from_code(code) == preset
    assert preset_from_code(f" http://192.168.1.5:8000/b/{code.lower()}/\n") == preset
    assert code.isalnum()
    assert len(code) < 500


def test_the_code_of_version_1_never_changes() -> None:
    assert zlib.crc32(preset_words()) == WORDS_OF_VERSION_1


@given(st.text(min_size=1, max_size=60, alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_any_name_travels(name: str) -> None:
    board = replace(RUMMY, id="x", name=name)
    if name.strip():
        assert preset_from_code(preset_to_code(board)).name == name


def test_a_code_with_a_wrong_letter_never_gives_another_board_and_is_nearly_always_refused() -> None:
    """A letter may stand for bits behind the end, or for another way to say the same."""
    code, read = preset_to_code(RUMMY), []
    wrong = [code[:at] + letter + code[at + 1 :] for at in range(len(code)) for letter in LETTERS if letter != code[at]]
    for text in wrong:
        with suppress(PresetError):
            read.append(preset_from_code(text))
    assert set(map(preset_to_code, read)) <= {code}
    assert len(read) < len(wrong) / 200


def test_other_texts_are_refused() -> None:
    for text in ("", "hello", "1", "1AAAAAAAAA", "9" + "A" * 40, "1" + "A" * 9000, "http://x/", "٣" * 40):
        with pytest.raises(PresetError):
            preset_from_code(text)
    with pytest.raises(PresetError, match="too long for a board"):
        preset_from_code("1" + "A" * 9000)


def test_a_code_that_unpacks_without_end_is_refused() -> None:
    with pytest.raises(PresetError):
        preset_from_code(preset_code_of(b'{"name":"' + b"a" * 3_000_000 + b'"}'))
    with pytest.raises(PresetError):
        preset_from_code(preset_code_of(b"[" * 30_000))


def test_a_preset_code_that_can_not_be_played_is_refused_with_its_faults() -> None:
    raw = {"id": "x", "name": "x", "game": "pots", "seats": {"min": 9, "max": 1}, "pots": [{"id": "bank"}], "odd": 1}
    with pytest.raises(PresetError) as refused:
        preset_from_code(preset_code_of(json.dumps(raw).encode()))
    assert "odd" in str(refused.value)


def test_long_presets_make_long_codes_that_still_travel() -> None:
    pots = tuple(Pot(f"p{at}", f"{at} {'xyzäöü' * 8}"[:60], f"L{at}", cards=("10H",)) for at in range(16))
    board = replace(RUMMY, pots=pots)
    assert preset_from_code(preset_to_code(board)) == board
