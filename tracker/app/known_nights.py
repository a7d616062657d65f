"""What lists know of nights: here of the newest few, each read from its log."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import TableError
from tracker.core.night import ENDED
from tracker.core.queries.summary import leaders
from tracker.formats.evening import evening_of
from tracker.storage import NightRow

MOST_READ = 6
"""How many are read for a list. No more than stay in memory, or each page would read all of them again."""
FORGOTTEN = "…"
"""Stands for the name of somebody who was forgotten, in lists and figures over many nights."""


@dataclass(frozen=True)
class KnownSeat:
    """Somebody at a night."""

    seat: str
    name: str
    is_here: bool
    """False for somebody who left before the end."""


@dataclass(frozen=True, kw_only=True)
class KnownNight:
    """What a list says of a night."""

    code: str = ""
    name: str = ""
    created_at: str = ""
    put_away: str = ""
    """`archived`, `deleted`, or empty for a night that is listed."""
    preset: str
    """The id of the board or game that was played."""
    game_name: str
    phase: str
    hands: int
    """How many hands (rounds, deals) were played; 0 for none."""
    began_at: str
    """When the first event was recorded (ISO 8601); empty before it, or where the log does not say."""
    last_at: str
    """When the newest event was recorded."""
    winners: tuple[str, ...]
    """Who leads, or has won: seats; several when they are level, nobody before the first hand."""
    seats: Sequence[KnownSeat]
    """Everybody of the night, clockwise, also who left."""

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    @property
    def day(self) -> str:
        """When the night began, or was opened if nothing was recorded yet (ISO 8601)."""
        return self.began_at or self.created_at

    @cached_property
    def evening(self) -> date | None:
        """The day of play; None where nobody knows when it was."""
        return evening_of(self.day)

    @property
    def winner_names(self) -> list[str]:
        names = {one.seat: one.name for one in self.seats}
        return [names[seat] for seat in self.winners]

    @property
    def picture(self) -> str:
        """A small picture for lists, as HTML; empty for none."""
        return ""


class KnownNights:
    """What lists know of nights. An extra that keeps a summary of each puts its own in place. Thread-safe."""

    def __init__(self, nights: Nights) -> None:
        self._nights = nights

    def rows(self, is_shown: Callable[[str], bool]) -> list[NightRow]:
        """Return the rows of the nights that were not put away and whose code passes, as played last first."""
        put_away = self._nights.store.settings_of_nights(NightSettings.put_away.key)
        return [row for row in self._nights.nights() if is_shown(row.code) and not put_away.get(row.code)]

    def listed(self, is_shown: Callable[[str], bool]) -> Sequence[KnownNight]:
        """Return the nights whose code passes, as played last first; without deleted ones, and here the newest only."""
        found = []
        for row in self.rows(is_shown)[:MOST_READ]:
            try:
                found.append(self.of_open(self._nights.get(row.code)))
            except TableError:  # its log can't be read
                continue
        return found

    def newest_listed(self, is_shown: Callable[[str], bool], count: int) -> Sequence[KnownNight]:
        """Return of `listed` those among the so many that were played last, without looking at the others."""
        codes = {row.code for row in [row for row in self._nights.nights() if is_shown(row.code)][:count]}
        return self.listed(codes.__contains__)

    def of_open(self, table: OpenNight) -> KnownNight:
        """Return what a list says of a night that is open."""
        night, entries = table.night, table.entries
        gone = self._nights.people.forgotten(table.code, night.all_seats)
        return KnownNight(
            code=table.code,
            name=table.name,
            created_at=table.created_at,
            put_away=table.settings.put_away,
            preset=night.preset.id,
            game_name=night.preset.name,
            phase=night.phase,
            hands=night.hand if leaders(night) else 0,
            began_at=(entries[0].at or "") if entries else "",
            last_at=(entries[-1].at or "") if entries else "",
            winners=tuple(leaders(night)),
            seats=[
                KnownSeat(seat, FORGOTTEN if seat in gone else night.name(seat), night.people[seat].is_here)
                for seat in night.all_seats
            ],
        )

    def replay_faults(self, pause_seconds: float = 0.0) -> Iterable[str]:  # noqa: ARG002 - for whoever replays them
        """Return a sentence for every night that can't be replayed; here each is only when it is opened."""
        return ()
