"""A data folder with many nights."""

import json
from contextlib import closing
from pathlib import Path

from support.paths import NIGHTS
from support.transcripts import opened

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

PLAYABLE = [
    file
    for file in sorted(NIGHTS.glob("*.json"))
    if "refused" not in json.loads(file.read_text(encoding="utf-8"))["expect"]
]
"""The night files whose events are all recorded."""


def listed(folder: Path) -> list[str]:
    """Return the codes of the nights of a data folder, the newest first."""
    with closing(Store(folder / DATA_FILE)) as store:
        return [night.code for night in store.nights()]


def filled_folder(folder: Path) -> Path:
    """Bring every night file that can be played into a data folder, and return it."""
    with closing(Store(folder / DATA_FILE)) as store:
        nights = Nights(store, StreamHub())
        for file in PLAYABLE:
            opened(nights, file)
    return folder
