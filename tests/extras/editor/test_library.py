"""The library of boards: ids of their own, and nothing that came with the tracker is overwritten."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tracker.core.errors import NotAllowed, PresetError, Unknown
from tracker.core.preset_faults import faults
from tracker.extras.editor.library import EditedLibrary, free_id
from tracker.formats.built_in import all_built_in, built_in
from tracker.storage import Store

pytestmark = pytest.mark.every_place

RUMMY = built_in("michigan-rummy")


@pytest.fixture(name="library")
def _library(store: Store) -> EditedLibrary:
    return EditedLibrary(store)


def test_a_built_in_preset_stays_as_it_is(library: EditedLibrary) -> None:
    for preset in all_built_in():
        with pytest.raises(NotAllowed):
            library.save(replace(preset, stack=1))
        with pytest.raises(Unknown):
            library.delete(preset.id)
        assert library.find(preset.id) == preset
    assert library.own() == []


def test_a_new_preset_gets_an_id_of_its_own_and_the_same_preset_is_kept_once(library: EditedLibrary) -> None:
    first = library.add(replace(RUMMY, name="Michigan Rummy"))
    assert first.id == "michigan-rummy-2"
    assert library.add(replace(first, id="elsewhere")) == first
    second = library.add(replace(first, stack=50))
    assert (second.id, len(library.own())) == ("michigan-rummy-3", 2)


def test_a_copy_remembers_the_printed_game(library: EditedLibrary) -> None:
    copy = library.duplicate("michigan-kitty", "Ours")
    assert (copy.base, copy.name, copy.id) == ("michigan-kitty", "Ours", "ours")
    assert library.duplicate("ours", "Ours").base == "michigan-kitty"


def test_a_deleted_preset_can_be_restored(library: EditedLibrary) -> None:
    kept = library.add(replace(RUMMY, name="Ours"))
    library.delete(kept.id)
    assert library.own() == []
    with pytest.raises(Unknown):
        library.find(kept.id)
    assert library.restore(kept.id) == kept
    assert library.own() == [kept]
    with pytest.raises(Unknown):
        library.restore(kept.id)


def test_nothing_is_kept_that_can_not_be_played(library: EditedLibrary) -> None:
    with pytest.raises(PresetError):
        library.save(replace(RUMMY, id="ours", pots=()))
    assert library.own() == []


@given(st.text(max_size=60), st.sets(st.sampled_from(["board", "board-2", "a", "import"])))
def test_every_name_makes_a_good_id(name: str, taken: set[str]) -> None:
    made = free_id(name, taken)
    assert made not in taken
    assert made != "import"
    assert faults(replace(RUMMY, id=made)) == []
