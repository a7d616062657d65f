"""The library of boards: kept over a restart, ids of their own, nothing that came with the tracker is overwritten."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.core.errors import NotAllowed, PresetError, Unknown
from tracker.core.preset import faults
from tracker.library import Library, free_id
from tracker.presets import BUILT_IN, all_built_in, built_in
from tracker.presets.bundles import BUNDLES, all_bundled
from tracker.store import Store
from tracker.tables import Tables

RUMMY = built_in("michigan-rummy")


@pytest.fixture(name="library")
def _library(store: Store) -> Library:
    return Library(store)


def test_a_board_is_found_again_after_a_restart(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "nights.db")) as store:
        kept = Library(store).add(replace(RUMMY, name="Omas Brett", stack=77))
    with closing(Store(tmp_path / "nights.db")) as store:
        assert Library(store).find("omas-brett") == kept
        assert Library(store).own() == [kept]


def test_what_came_with_the_tracker_stays_as_it_is(library: Library) -> None:
    for preset in (*all_built_in(), *all_bundled()):
        with pytest.raises(NotAllowed):
            library.save(replace(preset, stack=1))
        with pytest.raises(Unknown):
            library.delete(preset.id)
        assert library.find(preset.id) == preset
    assert library.own() == []


def test_a_new_board_gets_an_id_of_its_own_and_the_same_board_is_kept_once(library: Library) -> None:
    first = library.add(replace(RUMMY, name="Michigan Rummy"))
    assert first.id == "michigan-rummy-2"
    assert library.add(replace(first, id="elsewhere")) == first
    second = library.add(replace(first, stack=50))
    assert (second.id, len(library.own())) == ("michigan-rummy-3", 2)


def test_a_copy_remembers_the_printed_game(library: Library) -> None:
    copy = library.duplicate("michigan-kitty", "Ours")
    assert (copy.base, copy.name, copy.id) == ("michigan-kitty", "Ours", "ours")
    assert library.duplicate("ours", "Ours").base == "michigan-kitty"


def test_a_deleted_board_can_be_brought_back(library: Library) -> None:
    kept = library.add(replace(RUMMY, name="Ours"))
    library.delete(kept.id)
    assert library.own() == []
    with pytest.raises(Unknown):
        library.find(kept.id)
    assert library.bring_back(kept.id) == kept
    assert library.own() == [kept]
    with pytest.raises(Unknown):
        library.bring_back(kept.id)


def test_a_night_keeps_the_board_it_began_with(tables: Tables) -> None:
    kept = tables.library.add(replace(RUMMY, name="Ours"))
    code = tables.open("ours").code
    tables.library.save(replace(kept, stack=7))
    again = Tables(tables.store, tables.live)
    assert again.get(code).preset.stack == RUMMY.stack
    tables.library.delete("ours")
    assert Tables(tables.store, tables.live).get(code).preset == kept


def test_nothing_is_kept_that_can_not_be_played(library: Library) -> None:
    with pytest.raises(PresetError):
        library.save(replace(RUMMY, id="ours", pots=()))
    assert library.own() == []


@given(st.text(max_size=60), st.sets(st.sampled_from(["board", "board-2", "a", "import"])))
def test_every_name_makes_a_good_id(name: str, taken: set[str]) -> None:
    made = free_id(name, taken)
    assert made not in taken
    assert made != "import"
    assert faults(replace(RUMMY, id=made)) == []


def test_bundles_are_boards_with_rules_changed() -> None:
    assert [one.id for one in BUNDLES] == ["michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages"]
    played = all_bundled()[2]
    assert faults(played) == []
    assert (played["claim"], played["stop.fine"], played.base) == ("played", 1, "hearts-three-stages")
    assert [pot.id for pot in played.pots if pot.takes_fines] == ["kitty"]
    assert {one.board for one in BUNDLES} <= set(BUILT_IN)
