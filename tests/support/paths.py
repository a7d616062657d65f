"""Where the checkout and the recorded nights are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = ROOT / "tests" / "nights"
SHARED_NIGHTS = ROOT.parent / "shared" / "nights"
