"""The presets that a table chooses from: its own are found again over a restart, and a night keeps the one it has."""

import json
from dataclasses import replace

import pytest

from tracker.app.nights import Nights
from tracker.app.preset_library import PresetLibrary, PresetSettings
from tracker.formats.built_in import FEATURED, all_built_in, built_in, built_in_ids
from tracker.formats.codec import preset_to
from tracker.storage import Store

pytestmark = pytest.mark.every_place

RUMMY = built_in("michigan-rummy")


def test_an_own_preset_is_found_and_none_stands_in_the_place_of_a_built_in_one(store: Store) -> None:
    ours = replace(RUMMY, id="omas-brett", name="Omas Brett", stack=77)
    for preset in (ours, replace(RUMMY, stack=1)):
        PresetSettings(store).own_presets.put(preset.id, preset)
    assert PresetLibrary(store).find("omas-brett") == ours
    assert ours in PresetLibrary(store).own()
    assert [PresetLibrary(store).find(preset.id) for preset in all_built_in()] == [*all_built_in()]


def test_an_own_sheet_of_an_earlier_version_asks_for_no_sum_and_one_of_today_for_zero(store: Store) -> None:
    sheet = replace(built_in("score-sheet"), id="skat", name="Skat")
    settings = PresetSettings(store)
    stored = {**preset_to(sheet), "rules": {"points.sum": 0}}
    settings.write("board:skat", json.dumps(stored))
    assert PresetLibrary(store).find("skat")["points.sum"] == "any"
    settings.own_presets.put("skat", replace(sheet, rules={"points.sum": 0}))
    assert PresetLibrary(store).find("skat")["points.sum"] == 0


def test_a_night_keeps_the_preset_it_began_with(tables: Nights) -> None:
    own = tables.library.settings.own_presets
    ours = replace(RUMMY, id="ours", name="Ours")
    own.put("ours", ours)
    printed_then = replace(RUMMY, stack=RUMMY.stack * 3, rules={**RUMMY.rules, "out.per_card": 7})
    codes = [tables.open(preset, {"poker.when": "off"}).code for preset in ("ours", printed_then)]
    own.put("ours", None)
    again = Nights(tables.store, tables.live)
    wanted = [preset.with_options({"poker.when": "off"}) for preset in (ours, printed_then)]
    assert [again.get(code).preset for code in codes] == wanted


def test_a_built_in_preset_may_be_made_from_another() -> None:
    played = built_in("hearts-played")
    assert (played["claim"], played["stop.fine"], played.base) == ("played", 1, "hearts-three-stages")
    assert [pot.id for pot in played.pots if pot.takes_fines] == ["kitty"]
    assert {one.base for one in all_built_in() if one.base} <= set(built_in_ids())
    assert set(FEATURED) <= set(built_in_ids())
