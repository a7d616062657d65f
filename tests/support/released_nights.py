"""Nights of earlier versions with everything they showed: made once by a release, compared by every later version.

`PYTHONPATH=.:tests python tests/support/released_nights.py` writes them anew with the code that is checked out:
what then differs in them is what the program does otherwise.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.paths import NIGHTS, ROOT
from support.random_nights import end_event, legal_event

from tracker import extras
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Name, Paid, SeatId, Sit, Undo
from tracker.core.game import game_of
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import event_from, event_to, preset_from, preset_to
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PostRateLimit

NIGHTS_EACH = {"michigan-rummy": 6, "michigan-kitty": 4, "michigan-rummy-snake": 3, "eight-round-rummy": 3}
"""How many nights of a preset there are; of every other one, `FEWEST`."""
FEWEST = 2
EVENTS, LOOKS = 36, 10
"""How many events of each night there are before its end, and at how many moments its pages are read."""
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


def random_events(store: Store, preset: dict[str, Any], seed: str) -> list[dict[str, Any]]:
    """Return the events of a random night with corrections, corrections of these, its end and some payments."""
    chance = Random(seed)
    player = Player(store, preset)
    for name in ("Ann", "Bob", "Cara", "Dan"):
        player.record(Sit(SeatId(name.lower()), Name(name)))
    while len(player.made.events) < EVENTS:
        _try(player, _correction(player, chance) if chance.random() < 0.2 else _next_event(player, chance))
    while not player.table.night.is_over:
        _try(player, end_event(player.table.night, chance) or _next_event(player, chance))
    for _ in range(3):
        _try(player, legal_event(player.table.night, chance))
    return player.made.events


def _next_event(player: Player, chance: Random) -> Event:
    return legal_event(player.table.night, chance, may_end=False)


def _correction(player: Player, chance: Random) -> Event:
    """Return an undo of any entry, a correction too, or an amend of one with a number in it."""
    entry = chance.choice(player.table.entries[-12:])
    numbers = [name for name, value in event_to(entry.event).items() if isinstance(value, int) and name != "event"]
    if numbers and not isinstance(entry.event, Undo | Paid) and chance.random() < 0.5:
        return Amend(entry.number, {chance.choice(numbers): chance.randint(1, 9)})
    return Undo(entry.number)


def _try(player: Player, event: Event) -> None:
    """Record an event, or nothing where it doesn't fit."""
    try:
        player.record(event)
    except TableError:
        return


@contextmanager
def data_file() -> Iterator[Store]:
    """Give an empty store in a file: a night that is in memory only has fewer pages."""
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "nights.db")) as store:
        yield store


def write_all() -> None:
    """Write the released nights with the code that is checked out."""
    extras.load()
    for name in built_in_ids():
        package = game_of(built_in(name)).package.rpartition(".")[2]
        folder = ROOT / "tests/extras" / package / "released" if package else NIGHTS / "released"
        folder.mkdir(exist_ok=True)
        for number in range(NIGHTS_EACH.get(name, FEWEST)):
            file, preset = folder / f"{name}-{number + 1}.json", preset_to(built_in(name))
            with data_file() as store:
                events = read(file).events if file.exists() else random_events(store, preset, file.stem)
            with data_file() as store:
                made = played_again(store, Recording(preset, events), look_numbers(len(events)))
            file.write_text(made.to_json(), "utf-8")
            print(f"{file.name}: {len(events)} events, {file.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    write_all()
