"""Plausible nights to fill a data folder with: one a week, by the same people, most of them finished."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from tracker.app.event_rows import to_row
from tracker.app.nights import CODE_SYMBOLS, Nights
from tracker.core import log
from tracker.core.events import Collect, Event, Hand, Leave, Name, SeatId, Sit, Undo
from tracker.core.game import game_of
from tracker.core.log import Entry
from tracker.core.night import PLAY, Night
from tracker.core.payment_list import payment_list
from tracker.core.preset import Preset
from tracker.extras._people import people_of
from tracker.extras.rehearsal.players import next_event
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended, preset_to

PEOPLE = ("Ruth", "Ben", "Mia", "Tom", "Ana", "Otto", "Lena", "Paul", "Nora", "Emil")
"""Who may come, the most regular first."""
_COMES = (1.0, 0.95, 0.9, 0.8, 0.65, 0.5, 0.4, 0.3, 0.25, 0.2)
FEWEST, MOST = 5, 8

GAMES: Mapping[str, float] = {
    "michigan-rummy": 20,
    "michigan-kitty": 8,
    "hearts-played": 5,
    "royal-rummy": 3,
    "pope-joan": 3,
    "spinado": 2,
    "newmarket": 2,
    "michigan-rummy-snake": 3,
    "eight-round-rummy": 2,
    "hearts": 2,
}
"""How often each game is played."""
LATE, EARLY, MISTAKE, UNPAID = 0.3, 0.25, 0.03, 0.2
"""How likely somebody comes late or leaves early, a collect is taken back, a payment of the settlement stays open."""


@dataclass
class DemoNight:
    """A night that has been played: what the storage keeps of it."""

    code: str
    name: str
    preset: Preset
    options: Mapping[str, int | str]
    begins_at: datetime
    entries: list[Entry] = field(default_factory=list)
    steps: log.Steps = field(init=False)

    def __post_init__(self) -> None:
        self.steps = log.Steps(self.preset.with_options(self.options))

    @property
    def night(self) -> Night:
        return self.steps.night


def demo_nights(count: int, seed: int, newest: date, events: int | None = None) -> Iterator[DemoNight]:
    """Yield that many nights, one a week up to the day `newest`, the oldest first; the last is still running.

    The same arguments make the same nights. With `events` each is a pot game of about so many events; otherwise the
    games vary and an evening has the hands that fit into it.
    """
    for index in range(count):
        day = newest - timedelta(weeks=count - 1 - index)
        yield _Evening(f"{seed}/{index}", day, events, is_running=index == count - 1).played()


def add_demo_nights(tables: Nights, nights: Iterator[DemoNight]) -> int:
    """Write nights and their people of PEOPLE to the storage, and return how many there were. Raises NotSaved."""
    written, seats = 0, {name: list[tuple[str, str]]() for name in PEOPLE}
    for demo in nights:
        tables.store.create_night(
            code=demo.code,
            name=demo.name,
            preset=json.dumps(preset_to(demo.preset), ensure_ascii=False),
            options=json.dumps(dict(demo.options)),
            created_at=_timestamp(demo.begins_at),
            events=[to_row(entry) for entry in demo.entries],
        )
        for seat, player in demo.night.people.items():
            seats[player.name].append((demo.code, seat))
        written += 1
    for name, their_seats in seats.items():
        if their_seats:
            people_of(tables).add(name, their_seats, person=name.lower())
    return written


def _timestamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


class _Evening:
    """One night while it is played."""

    def __init__(self, seed: str, day: date, events: int | None, *, is_running: bool) -> None:
        self._seed, self._chance, self._is_running = seed, Random(seed), is_running
        guests = [name for name, comes in zip(PEOPLE, _COMES, strict=True) if self._chance.random() < comes]
        preset = built_in(self._game(is_pot_game=events is not None or is_running))
        people = [*guests, *(name for name in PEOPLE if name not in guests)][: max(FEWEST, min(len(guests), MOST))]
        people = people[: preset.seats.max]
        self._chance.shuffle(people)
        self._late = people.pop() if len(people) > FEWEST and self._chance.random() < LATE else None
        usual = (70, 160) if preset.game == "pots" else (8, 20)
        self._length = events or self._chance.randint(*usual)
        self._now = datetime.combine(day, time(18, self._chance.randint(0, 59)), UTC)
        code = "".join(self._chance.choices(CODE_SYMBOLS, k=6))
        self.demo = DemoNight(code, self._name(preset, people), preset, self._options(preset), self._now)
        self._people: Sequence[str] = people

    def _game(self, *, is_pot_game: bool) -> str:
        likely = {key: often for key, often in GAMES.items() if not is_pot_game or built_in(key).game == "pots"}
        return self._chance.choices(list(likely), list(likely.values()))[0]

    def _name(self, preset: Preset, people: Sequence[str]) -> str:
        return f"Saturday at {people[0]}’s" if self._chance.random() < 0.5 else preset.name

    def _options(self, preset: Preset) -> Mapping[str, int | str]:
        if not game_of(preset).has_money or self._chance.random() < 0.4:
            return {}
        return {"money.cents": 5 if preset.game == "pots" else 1, "money.coin": 10 if preset.game == "pots" else 1}

    def played(self) -> DemoNight:
        """Return the night after it was played to its end, or to the middle of a hand."""
        for name in self._people:
            self._sit(name)
        while not self._is_finished():
            is_last = len(self.demo.entries) >= self._length and not self._is_running
            event = next_event(self.demo.night, self._seed, is_last=is_last)
            if event is None:
                break
            if isinstance(event, Hand) and self._come_and_go():
                continue
            self._record(event)
            if isinstance(event, Collect) and self._chance.random() < MISTAKE:
                self._record(Undo(len(self.demo.entries)))
        for payment in payment_list(self.demo.night) if self.demo.night.is_over else ():
            if self._chance.random() >= UNPAID:
                self._record(payment.event)
        return self.demo

    def _is_finished(self) -> bool:
        night = self.demo.night
        if self._is_running and len(self.demo.entries) >= self._length // 2:
            return night.phase == PLAY and night.deal is not None and bool(night.deal.taken)
        return night.is_over

    def _come_and_go(self) -> bool:
        """Have somebody come late, after the second hand, or leave early; return whether anybody did."""
        night = self.demo.night
        if self._late and night.hand >= 2:
            self._sit(self._late)
            self._late = None
            return True
        if len(night.seats) > FEWEST and night.hand >= 5 and self._chance.random() < EARLY / 5:
            self._record(Leave(self._chance.choice(night.seats)))
            return True
        return False

    def _sit(self, name: str) -> None:
        self._record(Sit(SeatId(name.lower()), Name(name)))

    def _record(self, event: Event) -> None:
        entries = self.demo.entries
        least, most = (90, 240) if isinstance(event, Hand) else (5, 60)
        self._now += timedelta(seconds=self._chance.randint(least, most))
        by = getattr(event, "seat", None) or self._people[0].lower()
        entry = Entry(len(entries) + 1, event, f"{self._chance.getrandbits(128):032x}", _timestamp(self._now), by)
        log.record(entries, entry, amended, self.demo.steps)
        entries.append(entry)
