"""Made-up nights, one a week. Who needs them is skipped where the extra that makes them was deleted."""

from importlib import import_module
from typing import Any

import pytest

demo: Any = pytest.importorskip("tracker.extras.rehearsal.demo")
DemoNight, add_demo_nights, demo_nights = demo.DemoNight, demo.add_demo_nights, demo.demo_nights
next_event: Any = import_module("tracker.extras.rehearsal.players").next_event
