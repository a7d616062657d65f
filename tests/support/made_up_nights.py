"""Made-up nights, one a week. Who needs them is skipped where the extra that makes them was deleted."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tracker import extras
from tracker.app.nights import Nights

demo: Any = pytest.importorskip("tracker.extras.rehearsal.demo")
DemoNight, demo_nights = demo.DemoNight, demo.demo_nights
next_event: Any = import_module("tracker.extras.rehearsal.players").next_event


def add_demo_nights(tables: Nights, nights: Iterator[Any]) -> int:
    """Add nights as `board-tracker demo` does, and return how many there were."""
    for one in extras.load():
        one.opened(tables)
    written: int = demo.add_demo_nights(tables, nights)
    return written
