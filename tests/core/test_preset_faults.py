"""What a preset that is made or brought now must not have."""

from dataclasses import replace
from typing import Any

import pytest
from support.random_nights import every_preset

from tracker.core.errors import PresetError
from tracker.core.preset import ChipColour, Pot, Preset
from tracker.core.preset_faults import faults, new_preset_faults
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from, preset_from_toml, preset_to, preset_to_toml

RUMMY = built_in("michigan-rummy")
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a card pot without cards": ({"pots": (Pot("empty", "Empty", "E"), *RUMMY.pots)}, "pot.0.cards"),
    "an ante of a side bet's own": (
        {"pots": (*RUMMY.pots, Pot("side", "Side", "A", "side", ("AS",), ante=3))},
        f"pot.{len(RUMMY.pots)}.ante",
    ),
    "a dealer's ante of a side bet's own": (
        {"pots": (*RUMMY.pots, Pot("side", "Side", "A", "side", ("AS",), dealer_ante=0))},
        f"pot.{len(RUMMY.pots)}.dealer_ante",
    ),
    "two poker pots": ({"pots": (*RUMMY.pots, Pot("second", "Second", "S", "poker"))}, "pots"),
    "two pots for fines": (
        {"pots": tuple(replace(pot, takes_fines=pot.won_by in ("out", "poker")) for pot in RUMMY.pots)},
        "stop.fine",
    ),
    "a budget too small to cover all": (
        {"rules": {"stakes.budget": 2, "stakes.cover_all": "on"}},
        "stakes.cover_all",
    ),
    "a chip that counts nothing": ({"chips": (ChipColour("red", "#C23B30", 0),)}, "chip.0.value"),
}


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_what_comes_with_the_tracker_is_fit(preset: Preset) -> None:
    assert new_preset_faults(preset) == []


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_names_its_field_and_a_file_is_refused_but_stored_nights_are_read(what: str) -> None:
    changes, field = WRONG[what]
    preset = replace(RUMMY, **changes)
    assert [fault.facts["field"] for fault in new_preset_faults(preset)] == [field]
    assert faults(preset) == []
    assert preset_from(preset_to(preset)) == preset
    with pytest.raises(PresetError):
        preset_from_toml(preset_to_toml(preset))


def test_all_faults_of_a_file_are_reported_together() -> None:
    broken = replace(
        RUMMY,
        name="",
        pots=(Pot("empty", "Empty", "E"), *RUMMY.pots),
        chips=WRONG["a chip that counts nothing"][0]["chips"],
    )
    with pytest.raises(PresetError) as caught:
        preset_from_toml(preset_to_toml(broken))
    assert len(caught.value.faults) == 3
