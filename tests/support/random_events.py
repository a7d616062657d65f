"""Random events of any kind, whose fields mostly look right and often are not."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

from support.random_nights import NAMES
from support.random_stages import random_options

from tracker.core.events import KINDS
from tracker.core.ledger import BANK
from tracker.core.night import Night


def random_event(night: Night, chance: Random) -> dict[str, Any]:
    """Return an event of any kind with fields that mostly look right and often are not."""
    kind = chance.choice(list(KINDS))
    return {"kind": kind, **{one.name: some_value(one.name, night, chance) for one in fields(KINDS[kind])}}


def some_value(name: str, night: Night, chance: Random) -> Any:
    people = [*NAMES, *night.all_seats, "nobody"]
    accounts = [*people, *night.preset.board, BANK]
    seats = chance.sample(people, chance.randint(0, 4))
    numbers = {seat: chance.choice((0, 1, 5, 80)) for seat in seats}
    pools: dict[str, list[Any]] = {
        **dict.fromkeys(("seat", "dealer", "buyer", "offender", "winner", "debtor"), people),
        **dict.fromkeys(("source", "target", "holder", "pot"), accounts),
        **{key: [0, 1, 2, 7, 100, 1_000_000] for key in ("chips", "price", "jokers", "cents")},
        **{key: [numbers, {}, None] for key in ("cards", "stacks")},
        **{key: [seats, list(night.seats), []] for key in ("seats", "winners", "sits_out", "excused")},
        "cover": [{}, {seat: chance.choice(accounts) for seat in seats}],
        "hands": [numbers, {seat: {"cards": ["KH", "AC"]} for seat in night.seats}, {"ann": {"cards": ["XX"]}}],
        "pots": [dict.fromkeys(chance.sample(list(night.preset.board), min(2, len(night.preset.board))), 2), {}],
        "points": [dict.fromkeys(night.seats, 7), numbers, dict.fromkeys(seats, -30), {}],
        "offence": ["wrong-lead", "withheld-card", "false-rummy", "unused-purchase", "other"],
        "suit": ["S", "H", None, "X"],
        "event": [1, 2, 5, 99, "nothing"],
        "change": [random_options(night.preset, chance), {"chips": 3}, {"seat": chance.choice(people)}, {}],
        "name": ["Ann", ""],
        "why": ["", "counted again"],
        "due": [one.id for one in night.preset.dues] or ["spin"],
        "one_turn": [False, True],
        "seven_alike": [False, True],
    }
    return chance.choice(pools[name])
