"""What a preset that is made or brought now must not have; presets of nights already played are still read with it."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.core.errors import Fault
from tracker.core.preset import Preset


def new_preset_faults(preset: Preset) -> list[Fault]:
    """Return what can't be played as it stands; the fact `field` is the name of the form's field to mend."""
    if preset.game != "pots":
        return []
    return [*_pot_faults(preset), *_stake_faults(preset), *_chip_faults(preset)]


def _pot_faults(preset: Preset) -> Iterator[Fault]:
    for index, pot in enumerate(preset.pots):
        if pot.won_by in ("card", "side") and not pot.cards:
            field = f"pot.{index}.cards"
            yield Fault("pot {pot!r} needs cards that win it, such as 10H, QS or A", pot=pot.id, field=field)
    pools = [pot.id for pot in preset.pots if pot.won_by == "poker"]
    if len(pools) > 1:
        yield Fault("only one pot can be won by poker, not {pots}", pots=", ".join(pools), field="pots")
    takers = [pot.id for pot in preset.pots if pot.takes_fines]
    if len(takers) > 1:
        names = ", ".join(takers)
        yield Fault("only one pot can have takes_fines, for stop.fine, not {pots}", pots=names, field="stop.fine")


def _stake_faults(preset: Preset) -> Iterator[Fault]:
    rules, places = preset.house_rules, len(preset.won_by("card"))
    if rules.stakes_cover_all == "on" and 0 < rules.stakes_budget < places:
        yield Fault(
            "with stakes.cover_all, stakes.budget must be {count} or more: a chip for each place",
            count=places,
            field="stakes.cover_all",
        )


def _chip_faults(preset: Preset) -> Iterator[Fault]:
    for index, chip in enumerate(preset.chips):
        if chip.value < 1:
            field = f"chip.{index}.value"
            yield Fault(
                "chip {chip!r} must count 1 or more, not {value}", chip=chip.name, value=chip.value, field=field
            )
