"""Where the checkout and the recorded nights are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = ROOT / "tests" / "nights"
SHARED_NIGHTS = ROOT.parent / "shared" / "nights"


def night_files(folder: str = "nights") -> list[Path]:
    """Return the recorded nights of the table and of the extras with a game, by name; `folder` is theirs there."""
    here = NIGHTS if folder == "nights" else NIGHTS / folder
    return sorted([*here.glob("*.json"), *ROOT.glob(f"tests/extras/*/{folder}/*.json")], key=lambda file: file.stem)


def night_file(name: str) -> Path:
    """Return the recorded night of that name."""
    return next(file for file in night_files() if file.stem == name)
