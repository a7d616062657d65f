"""A data folder with many nights, and a file of one."""

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


def night_file(name: str, begun: str) -> str:
    """Return the file of a night of three people and one hand, for money, which began at that moment."""
    sits = [{"kind": "sit", "seat": one, "name": one.title(), "at": begun} for one in ("ann", "bob", "cara")]
    hand = [{"kind": "hand", "dealer": "cara"}, {"kind": "out", "seat": "bob", "cards": {"ann": 1, "cara": 2}}]
    night = {"preset": "michigan-rummy", "options": {"money.cents": 5, "poker.when": "off", "dummy": "unused"}}
    frame = {"format": "board-tracker-night", "version": 1, "name": name, **night}
    return json.dumps({**frame, "events": [*sits, *hand, {"kind": "end"}]})
