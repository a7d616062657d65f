"""Where the checkout and the recorded nights are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = ROOT / "tests" / "nights"
SHARED_NIGHTS = ROOT.parent / "shared" / "nights"
