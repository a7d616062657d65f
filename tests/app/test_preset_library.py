"""The library of boards: kept over a restart, ids of their own, nothing that came with the tracker is overwritten."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tracker.app.nights import Nights
from tracker.app.preset_library import PresetLibrary, free_id
from tracker.app.settings import FolderSettings
from tracker.core.errors import NotAllowed, PresetError, Unknown
from tracker.core.preset_faults import faults
from tracker.formats.built_in import FEATURED, all_built_in, built_in, built_in_ids
from tracker.formats.codec import preset_to
from tracker.storage import Store

pytestmark = pytest.mark.every_place

RUMMY = built_in("michigan-rummy")


@pytest.fixture(name="library")
def _library(store: Store) -> PresetLibrary:
    return PresetLibrary(store)


def test_an_own_preset_is_found_again_after_a_restart(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "nights.db")) as store:
        kept = PresetLibrary(store).add(replace(RUMMY, name="Omas Brett", stack=77))
    with closing(Store(tmp_path / "nights.db")) as store:
        assert PresetLibrary(store).find("omas-brett") == kept
        assert PresetLibrary(store).own() == [kept]


def test_an_own_sheet_of_an_earlier_version_asks_for_no_sum_and_one_of_today_for_zero(store: Store) -> None:
    sheet = replace(built_in("score-sheet"), id="skat", name="Skat")
    settings = FolderSettings(store)
    stored = {**preset_to(sheet), "rules": {"points.sum": 0}}
    settings.write("board:skat", json.dumps(stored))
    assert PresetLibrary(store).find("skat")["points.sum"] == "any"
    PresetLibrary(store).save(replace(sheet, rules={"points.sum": 0}))
    assert PresetLibrary(store).find("skat")["points.sum"] == 0


def test_a_built_in_preset_stays_as_it_is(library: PresetLibrary) -> None:
    for preset in all_built_in():
        with pytest.raises(NotAllowed):
            library.save(replace(preset, stack=1))
        with pytest.raises(Unknown):
            library.delete(preset.id)
        assert library.find(preset.id) == preset
    assert library.own() == []


def test_a_new_preset_gets_an_id_of_its_own_and_the_same_preset_is_kept_once(library: PresetLibrary) -> None:
    first = library.add(replace(RUMMY, name="Michigan Rummy"))
    assert first.id == "michigan-rummy-2"
    assert library.add(replace(first, id="elsewhere")) == first
    second = library.add(replace(first, stack=50))
    assert (second.id, len(library.own())) == ("michigan-rummy-3", 2)


def test_a_copy_remembers_the_printed_game(library: PresetLibrary) -> None:
    copy = library.duplicate("michigan-kitty", "Ours")
    assert (copy.base, copy.name, copy.id) == ("michigan-kitty", "Ours", "ours")
    assert library.duplicate("ours", "Ours").base == "michigan-kitty"


def test_a_deleted_preset_can_be_restored(library: PresetLibrary) -> None:
    kept = library.add(replace(RUMMY, name="Ours"))
    library.delete(kept.id)
    assert library.own() == []
    with pytest.raises(Unknown):
        library.find(kept.id)
    assert library.restore(kept.id) == kept
    assert library.own() == [kept]
    with pytest.raises(Unknown):
        library.restore(kept.id)


def test_a_night_keeps_the_preset_it_began_with(tables: Nights) -> None:
    kept = tables.library.add(replace(RUMMY, name="Ours"))
    printed_then = replace(RUMMY, stack=RUMMY.stack * 3, rules={**RUMMY.rules, "out.per_card": 7})
    codes = [tables.open(preset, {"poker.when": "off"}).code for preset in ("ours", printed_then)]
    tables.library.save(replace(kept, stack=7))
    tables.library.delete("ours")
    again = Nights(tables.store, tables.live)
    wanted = [preset.with_options({"poker.when": "off"}) for preset in (kept, printed_then)]
    assert [again.get(code).preset for code in codes] == wanted


def test_nothing_is_kept_that_can_not_be_played(library: PresetLibrary) -> None:
    with pytest.raises(PresetError):
        library.save(replace(RUMMY, id="ours", pots=()))
    assert library.own() == []


@given(st.text(max_size=60), st.sets(st.sampled_from(["board", "board-2", "a", "import"])))
def test_every_name_makes_a_good_id(name: str, taken: set[str]) -> None:
    made = free_id(name, taken)
    assert made not in taken
    assert made != "import"
    assert faults(replace(RUMMY, id=made)) == []


def test_a_built_in_preset_may_be_made_from_another() -> None:
    played = built_in("hearts-played")
    assert (played["claim"], played["stop.fine"], played.base) == ("played", 1, "hearts-three-stages")
    assert [pot.id for pot in played.pots if pot.takes_fines] == ["kitty"]
    assert {one.base for one in all_built_in() if one.base} <= set(built_in_ids())
    assert set(FEATURED) <= set(built_in_ids())
