"""The generator of random nights really reaches every mechanism; `pytest -s` on this file shows how often."""

from __future__ import annotations

from collections import Counter
from random import Random

import click
from playing import random_night

from tracker.core.events import KINDS
from tracker.presets import all_built_in

CORRECTIONS = {"undo", "amend", "end"}  # the property tests make these themselves
SEEDS, LENGTH = 6, 160


def test_random_nights_over_all_boards_reach_every_kind_of_event() -> None:
    hit: Counter[str] = Counter()
    for preset in all_built_in():
        for seed in range(SEEDS):
            hit.update(event.kind for event in random_night(preset, Random(seed), LENGTH))
    for kind, times in hit.most_common():
        click.echo(f"{times:6} {kind}")
    assert set(KINDS) - CORRECTIONS - set(hit) == set()
