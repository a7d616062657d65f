"""The days on which the program has run, counted by itself: what can't be undone is never done by the clock alone.

The machine's clock may jump: a battery is empty, a network sets it, somebody mistypes the year. So a day counts
20 hours by that clock after the one before and, while the program runs, 24 by one that is never set; and a jump is
noticed.
"""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tracker.app.settings import FolderSettings, SettingGroup, record
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.formats.evening import moment_of
from tracker.storage import Store
from tracker.web.access.admission import send_away
from tracker.web.access.permissions import get_access

DAY, DAY_SECONDS = timedelta(hours=20), 24 * 3600.0
"""From one day that is counted to the next: by the machine's clock, where an evening may begin earlier than the one
before; and by a clock that is never set while the program runs."""
LONGEST_PAUSE, MOST_BACK = timedelta(days=2), timedelta(hours=1)
"""A clock further ahead than this, or back, since it was last looked at, may have jumped."""
HELD_SECONDS = 3600.0
"""For how long after a jump nothing is done that can't be undone."""
KEPT_DAYS = 2


class DaysRun(NamedTuple):
    """The days on which the program ran, and two moments by the machine's clock (ISO 8601)."""

    number: int = 0
    counted_at: str = ""
    """When a day was counted last."""
    seen_at: str = ""
    """When the clock was last looked at."""


class DaysSettings(FolderSettings):
    """The settings of the data folder, with the days on which the program ran."""

    days_run = record("days-run", DaysRun, DaysRun())
    over_since = SettingGroup("over-since.", int, str)
    """By the code of a night that is over: the number of the day on which that was first seen."""


class ClockJump(NamedTuple):
    """What the machine's clock said, and a moment before that it does not fit to."""

    before: datetime
    now: datetime


class ProgramDays:
    """Counts the days on which the program runs, and remembers that the clock has jumped. Any thread may use it."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` returns what the machine says the moment is, `monotonic` seconds that are never set."""
        self.clock, self._monotonic = clock, monotonic
        self._store, self._settings = store, DaysSettings(store)
        self._lock = threading.Lock()
        self._counted: float | None = None  # when this process counted a day last
        self._jump: tuple[ClockJump, float] | None = None

    @property
    def number(self) -> int:
        """How many days there were, today included; 0 before the first `look`."""
        return self._settings.days_run.number

    @property
    def jump(self) -> ClockJump | None:
        """The jump that was noticed within the last hour, or None."""
        return self._jump[0] if self._jump and self._monotonic() - self._jump[1] < HELD_SECONDS else None

    def note_jump(self, before: datetime, now: datetime) -> None:
        """Remember that the clock does not fit to an earlier moment."""
        self._jump = ClockJump(before, now), self._monotonic()

    def look(self) -> None:
        """Count this day unless it was counted, and notice whether the clock has jumped. Raises DiskTrouble."""
        with self._lock, self._store.one_at_a_time("count days"):
            known, now = self._settings.days_run, self.clock()
            counted, seen = moment_of(known.counted_at), moment_of(known.seen_at)
            if seen and not seen - MOST_BACK <= now <= seen + LONGEST_PAUSE:
                self.note_jump(seen, now)
            number = known.number
            if counted is None or self._is_other_day(now - counted):
                number, counted, self._counted = number + 1, now, self._monotonic()
            label = min(now, counted).isoformat(timespec="seconds")  # of a clock that was set back it counts anew
            self._settings.days_run = DaysRun(number, label, now.isoformat(timespec="seconds"))

    def _is_other_day(self, passed: timedelta) -> bool:
        here = None if self._counted is None else self._monotonic() - self._counted
        return passed >= DAY and (here is None or here >= DAY_SECONDS)


def revoke_old_devices(days: ProgramDays) -> None:
    """End the devices of nights that were over two days of the program ago, also of deleted ones, whose pages still
    open. None ends while the machine's clock has jumped. Needs a request.
    """
    access, summaries = get_access(), get_all_summaries()
    over_since = DaysSettings(access.devices.store).over_since
    days.look()
    codes = [one for one in access.devices.store.devices.codes() if (night := summaries.get(one)) and night.is_over]
    for code in {*over_since.names()}.difference(codes):
        over_since.put(code, None)
    for code in codes:
        first = over_since.get(code)
        if first is None:
            over_since.put(code, days.number)
        elif days.jump is None and days.number - first >= KEPT_DAYS:
            for row in access.devices.devices_of(code):
                send_away(row)
