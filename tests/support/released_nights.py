"""Nights of earlier versions with everything they showed: made once by a release, compared by every later version.

`PYTHONPATH=.:tests python tests/support/released_nights.py` writes them anew with the code that is checked out:
what then differs in them is what the program does otherwise. A new night begins as a file with a preset and events.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.paths import night_files

from tracker import extras
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.events import Event
from tracker.core.queries.summary import summary
from tracker.formats.codec import event_from, event_to, preset_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PostRateLimit

LOOKS = 10
"""At how many moments the pages of a night are read."""
PAGES = {"host": ("", "/log", "/settle", "/lobby"), "bob": ("", "/log", "/settle"), "watcher": ("", "/settle")}
LAST_PAGES = {"host": ("/film", "/print", "/rules"), "bob": ("/files",), "watcher": ()}
"""By role: the pages that are read at each moment, and those that are read at the last one only."""
VARYING = (
    (re.compile(r"\b\d{1,2}:\d\d\b"), "00:00"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "2000-01-01"),
    (re.compile(r"\b[A-Z2-9]{3}-[A-Z2-9]{3}\b"), "ABC-DEF"),
    (re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"), "Monday"),
    (re.compile(r"\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*( \d{4})?\b"), "1 Jan 2000"),
)
"""What a page says of the clock and of the code to type, and what stands for it here."""


def compared_part(page: str) -> str:
    """Return a page without the code that holds the night, which has other letters with another zlib, and without the
    sentence that only old browsers show.
    """
    page = re.sub(r'<section class="[^"]*night-code">.*?</section>', "", page, flags=re.DOTALL)
    return re.sub(r'<p class="[^"]*too-old">.*?</p>', "", page)


@dataclass
class Recording:
    """A night as it was played: its preset, its events, the state after each, and what its pages said.

    A state holds the values that differ from the state before. A page is written as the runs of its lines in `lines`,
    such as "0-4 9".
    """

    preset: dict[str, Any]
    events: list[dict[str, Any]] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    pages: list[dict[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def page(self, runs: str) -> list[str]:
        """Return the lines of a page."""
        ends = [tuple(map(int, run.split("-"))) for run in runs.split()]
        return [self.lines[index] for run in ends for index in range(run[0], run[-1] + 1)]

    def to_json(self) -> str:
        """Return it as JSON with one line for each event, state, page and line of text."""
        parts = [
            f'"{name}": [\n' + ",\n".join(json.dumps(one, ensure_ascii=False) for one in getattr(self, name)) + "\n]"
            for name in ("events", "states", "pages", "lines")
        ]
        return "{\n" + ",\n".join([f'"preset": {json.dumps(self.preset, ensure_ascii=False)}', *parts]) + "\n}\n"


class Player:
    """A night on an app of its own, with the phones of its host, of Bob and of a watcher."""

    def __init__(self, store: Store, preset: dict[str, Any]) -> None:
        self.site = Site(Nights(store, StreamHub()))
        self.site.access.pace = PostRateLimit(burst=1_000_000)
        self.made = Recording(preset)
        self.table: OpenNight = self.site.tables.open(preset_from(preset))
        self.phones: dict[str, ClientPhone] = {}
        self._state: dict[str, Any] = {}
        self._index: dict[str, int] = {}

    def record(self, event: Event) -> None:
        """Record an event and note the state after it; TableError where it doesn't fit."""
        number = len(self.made.events) + 1
        self.table.record(event, id=f"event-{number}", by="host")
        state = dict(_flat(summary(self.table.night)))
        changed = {key: value for key, value in state.items() if self._state.get(key) != value}
        gone = {key: None for key in self._state if key not in state}
        self._state = state
        self.made.events.append(event_to(event))
        self.made.states.append(changed | gone)
        if number == 2:  # Bob sits
            phones = self.site.phones_of(self.table, "ann", "bob")
            self.phones = {"host": phones["ann"], "watcher": phones["watcher"], "bob": phones["bob"]}

    def look(self, *, is_last: bool) -> None:
        """Read the pages of all phones."""
        read = {}
        for role, phone in sorted(self.phones.items()):
            for path in (*PAGES[role], *(LAST_PAGES[role] if is_last else ())):
                answer = phone.get(f"/n/{self.table.code}{path}")
                text = HtmlPage(compared_part(answer.text)).text_lines() if answer.status_code == 200 else []
                lines = [f"status {answer.status_code}", *map(self._without_clock, text)]
                read[f"{role} {path}".strip()] = _runs(map(self._line, lines))
        self.made.pages.append(read)

    def _without_clock(self, text: str) -> str:
        text = text.replace(self.table.code, "CODE")
        for pattern, constant in VARYING:
            text = pattern.sub(constant, text)
        return text

    def _line(self, text: str) -> int:
        if text not in self._index:
            self._index[text] = len(self.made.lines)
            self.made.lines.append(text)
        return self._index[text]


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested objects, each with its path."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _runs(indices: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return " ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)


def read(file: Path) -> Recording:
    return Recording(**json.loads(file.read_text("utf-8")))


def look_numbers(events: int) -> list[int]:
    """Return after which events the pages are read: as many as `LOOKS`, the last one among them."""
    return sorted({max(2, events * (place + 1) // LOOKS) for place in range(LOOKS)})


def played_again(store: Store, released: Recording, looks: Collection[int]) -> Recording:
    """Play a night's events with the code of today and return what came out; TableError where one is refused.

    Its pages are read after the events with the numbers `looks`.
    """
    player = Player(store, released.preset)
    for number, event in enumerate(released.events, 1):
        player.record(event_from(event))
        if number in looks:
            player.look(is_last=number == len(released.events))
    return player.made


def write_all() -> None:
    """Write the pages and states of all released nights with the code that is checked out."""
    extras.load()
    for file in night_files("released"):
        released = read(file)
        # In a file, as a night that is in memory only has fewer pages.
        with TemporaryDirectory() as folder, closing(Store(Path(folder) / "nights.db")) as store:
            file.write_text(played_again(store, released, look_numbers(len(released.events))).to_json(), "utf-8")


if __name__ == "__main__":
    write_all()
