"""Nights that are kept for so many months: when each ends, and the notice before it is removed.

A night is kept from its last event, or from the day it came into this file if that is later: an imported night may be
older than the file. It is removed once the months are over by the machine's clock and it was announced on 30 days on
which the program ran (`ProgramDays`), and not while that clock has jumped. The copy made before stays as long.
"""

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, timedelta

from tracker.app.settings import FolderSettings, Setting, SettingGroup
from tracker.extras.retention.program_days import ClockJump, ProgramDays
from tracker.formats.evening import moment_of
from tracker.storage import Store

NOTICE_DAYS = 30
"""On so many days of the program each removal is announced before, and so long a copy stays that has the night."""
SOON = timedelta(days=NOTICE_DAYS)
DATED_AHEAD = timedelta(days=1)
"""An entry further ahead than this says that the clock is behind."""


EARLIEST, LATEST = datetime(2001, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)
"""A time before or after was written while the clock was not set: it says nothing."""


class RetentionSettings(FolderSettings):
    """The settings of the data folder, with what is known of removals."""

    announced = SettingGroup("announced.", int, str)
    """By the code of a night that is removed soon: the number of the day on which that was first announced."""
    last_removal: Setting[int] = Setting("last-removal", 0, int)
    """The number of the day on which nights were removed last."""
    removal_copies = SettingGroup("removal-copy.", int, str)
    """By the name of a copy made before a removal: the number of the day on which it was made."""


@dataclass(frozen=True)
class LastPlayed:
    """A night with the moment from which it is kept."""

    code: str
    name: str
    head: int
    """Number of its events."""
    since: datetime


class Retention:
    """Says which nights end, and when, where they are kept for so many months."""

    def __init__(self, store: Store, months: int, days: ProgramDays | None = None) -> None:
        self.months, self.days = months, days or ProgramDays(store)
        self._store, self._settings = store, RetentionSettings(store)

    @property
    def jump(self) -> ClockJump | None:
        """Why nothing is removed just now: how the clock has jumped; else None."""
        return self.days.jump

    def end_of(self, code: str, created_at: str, last_at: str) -> datetime | None:
        """Return when a night goes at the earliest (times in ISO 8601); None when neither can be read: it is kept."""
        since = latest(created_at, last_at)
        return self._end(code, since) if since else None

    def soon(self) -> list[datetime]:
        """Return when those nights go that are announced, the first one first. Raises NotRead."""
        return sorted(self._end(one.code, one.since) for one in self._listed() if self._is_soon(one))

    def look(self) -> None:
        """Count the day, and keep since which one each night is announced. Raises DiskTrouble."""
        self.days.look()
        listed, announced = self._listed(), self._settings.announced
        newest = max((one.since for one in listed), default=None)
        if newest and newest > self.days.clock() + DATED_AHEAD:
            self.days.note_jump(newest, self.days.clock())
        soon, before = {one.code for one in listed if self._is_soon(one)}, set(announced.names())
        for code in before - soon:
            announced.put(code, None)
        for code in soon - before:
            announced.put(code, self.days.number)

    def ended(self) -> dict[str, LastPlayed]:
        """Return the nights to be removed now, by code: at most once a day, and none after a jump. Raises NotRead."""
        if self.jump or self._settings.last_removal == self.days.number:
            return {}
        now, listed = self.days.clock(), self._listed()
        return {one.code: one for one in listed if self._is_soon(one) and self._end(one.code, one.since) <= now}

    def note_removal(self, codes: Iterable[str], copy: str) -> None:
        """Remember that nights were removed today, and the name of the copy that still has them. Raises NotSaved."""
        self._settings.last_removal = self.days.number
        if copy:
            self._settings.removal_copies.put(copy, self.days.number)
        for code in codes:
            self._settings.announced.put(code, None)

    def old_copies(self, names: list[str]) -> list[str]:
        """Return which of these copies, made before removals, are no longer kept. Raises NotSaved."""
        known, today = self._settings.removal_copies, self.days.number
        for name in known.names():
            if name not in names:
                known.put(name, None)
        for name in names:
            if known.get(name) is None:
                known.put(name, today)
        return [name for name in names if today - (known.get(name) or today) >= NOTICE_DAYS]

    def _listed(self) -> list[LastPlayed]:
        """Return every night; one without a time that can be read is left out, and so is kept. Raises NotRead."""
        found = ((one, latest(one.created_at, one.last_at)) for one in self._store.nights())
        return [LastPlayed(one.code, one.name, one.events, since) for one, since in found if since]

    def _is_soon(self, night: LastPlayed) -> bool:
        return months_later(night.since, self.months) <= self.days.clock() + SOON

    def _end(self, code: str, since: datetime) -> datetime:
        """Return when a night goes at the earliest: its months are over, and it was announced for long enough."""
        today = self.days.number
        left = NOTICE_DAYS - (today - (self._settings.announced.get(code) or today))
        return max(months_later(since, self.months), self.days.clock() + timedelta(days=max(0, left)))


def latest(*labels: str) -> datetime | None:
    """Return the latest of some moments (ISO 8601); None where none can be read, or none was written by a set clock."""
    known = filter(None, map(moment_of, labels))
    return max((moment for moment in known if EARLIEST <= moment < LATEST), default=None)


def months_later(moment: datetime, months: int) -> datetime:
    """Return the same day some months later, or the last one of that month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(year, MAXYEAR)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))
