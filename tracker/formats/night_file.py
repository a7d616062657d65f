"""Nights as night files: the preset, the options, the name and the log; and how large a log may be."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from tracker.core import log
from tracker.core.errors import Unknown
from tracker.core.events import Amend, Sit, Undo
from tracker.core.log import Entry
from tracker.formats.codec import entry_to

FORMAT, VERSION = "board-tracker-night", 1
LARGEST_FILE = 4_000_000
"""In characters."""


class NightLimits(NamedTuple):
    """How large a night may be; asked when an event is recorded, and when a file is imported."""

    events: float
    """A long evening has a thousand."""
    work: float
    """What playing it again as it was recorded may take, in events applied times people: see `LogSize`."""
    bytes: float
    """Of the events in a night file, without its head."""


MOST = NightLimits(events=10_000, work=500_000, bytes=LARGEST_FILE - 100_000)
"""Of every night: 60 corrections of the first of a thousand events of eight people."""
MOST_OF_PLAYERS = NightLimits(*(most * 0.8 for most in MOST))
"""What is beyond this is left to the host, so that no player can fill a night."""
READ_PER_APPLIED = 30
"""How many entries are read in the time of one event that is applied; a correction is taken to read all before it."""
LINE_END = ",\n  "
BETWEEN_LINES = len(LINE_END)


class LogSize:
    """How large a log is, known without playing it; `add` is called for one entry after the other."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._size = NightLimits(0, 0, 0)
        self.seats: set[str] = set()
        self._applied = [0]
        """For each number of an entry: how many of the entries up to it are no corrections."""
        self.corrections = log.CorrectionIndex()
        with suppress(Unknown):  # who plays the log gets no further either
            for entry in entries:
                self.add(entry)

    def add(self, entry: Entry) -> None:
        """Count one more entry. Raises Unknown when it corrects none of those before it."""
        self._size = self.with_entry(entry)
        self.corrections.add(entry)
        if isinstance(entry.event, Sit):
            self.seats.add(entry.event.seat)
        self._applied.append(self._applied[-1] + (not isinstance(entry.event, Undo | Amend)))

    def with_entry(self, entry: Entry) -> NightLimits:
        """Return the size with one more entry; a correction counts as the later events again, and all entries read."""
        work = 1.0
        if isinstance(entry.event, Undo | Amend):
            after = self._applied[-1] - self._applied[self.corrections.root_of(entry.event.event) - 1]
            work += after + self._size.events / READ_PER_APPLIED
        line = json.dumps(entry_to(entry), ensure_ascii=False)
        return NightLimits(
            self._size.events + 1,
            self._size.work + work * max(1, len(self.seats)),
            self._size.bytes + len(line.encode()) + BETWEEN_LINES,
        )

    @property
    def size(self) -> NightLimits:
        return self._size


def night_to(
    preset: str | Mapping[str, Any],
    options: Mapping[str, Any],
    entries: Iterable[Entry],
    name: str = "",
    group: str = "",
) -> str:
    """Return the text of a night file."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "preset": preset}
    if name:
        head["name"] = name
    if group:
        head["group"] = group
    if options:
        head["options"] = dict(options)
    lines = LINE_END.join(json.dumps(entry_to(entry), ensure_ascii=False) for entry in entries)
    body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{body},\n "events": [\n  {lines}\n ]\n}}\n' if lines else f'{body},\n "events": []\n}}\n'
