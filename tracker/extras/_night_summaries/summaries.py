"""The summaries of all nights: kept in memory and beside the logs, and computed again wherever they are not right."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Any

from tracker import __version__
from tracker.app.event_rows import read_entries, refused_if_unreadable, replay_log
from tracker.app.known_nights import FORGOTTEN, KnownNights
from tracker.app.nights import Nights, preset_of
from tracker.app.open_night import OpenNight
from tracker.app.settings import DELETED, FolderSettings, NightSettings, Setting
from tracker.core.errors import TableError, Unknown
from tracker.extras._night_summaries.night_summary import NightSummary, from_text, newest_first, to_text
from tracker.extras._night_summaries.stored import ListedNight, SummaryTable
from tracker.extras._night_summaries.summarize import MORE, VERSION, summarize
from tracker.formats.text import UNREADABLE
from tracker.storage import NotSaved

MOST_SECONDS = 2.0
"""How long a page waits for summaries that have to be computed again, as all have after some updates."""
STORED_AT_ONCE = 50
"""Summaries that are written in one transaction: each waits for the disk."""
PAUSE_SECONDS = 3.0
"""From the end of a hand to its summary: in between its last payments are recorded, at whose taps it would be felt."""


class StillComputing(Exception):
    """More summaries have to be computed than there was time for; `found` are those known, of `total` nights."""

    def __init__(self, found: list[NightSummary], total: int) -> None:
        super().__init__(f"{len(found)} of {total} summaries are computed")
        self.found, self.total = found, total


class ReplaySettings(FolderSettings):
    replayed_by = Setting("replayed-by", "", str)
    """The version of the program that has replayed all nights: another one may apply rules otherwise."""


class Summaries(KnownNights):
    """The summaries of all nights; one whose log can't be read has none. Thread-safe; every method raises NotRead."""

    def __init__(self, nights: Nights) -> None:
        super().__init__(nights)
        self._table = SummaryTable(nights.store.connection)
        self._lock = threading.Lock()  # guards the two below while they are brought up to date
        self._cache: dict[str, NightSummary] = {}
        self._unreadable: dict[str, int] = {}
        """By night: the number of events of a log that can't be read, so that not every page tries it again."""
        self._is_shown: Callable[[str], bool] | None = None
        self._most_seconds = math.inf

    def only(self, is_shown: Callable[[str], bool]) -> Summaries:
        """Return the summaries of those nights whose code passes; both objects share what they have computed."""
        some = copy(self)
        some._is_shown = is_shown  # noqa: SLF001 - its own class
        return some

    def within(self, seconds: float) -> Summaries:
        """Return the same summaries, but every method raises StillComputing when it would compute for longer."""
        some = copy(self)
        some._most_seconds = seconds  # noqa: SLF001 - its own class
        return some

    def all(self) -> list[NightSummary]:
        """Return the summary of every night that was not deleted; as everywhere, the one that was played last first.

        Those that are missing, damaged, of an older version or of a log that has gone on are computed again.
        """
        return self._of([row for row in self._listed() if row.setting != DELETED])

    def listed(self, is_shown: Callable[[str], bool]) -> list[NightSummary]:
        """Return those of `all` whose code passes, as far as they are known in MOST_SECONDS."""
        try:
            return self.only(is_shown).within(MOST_SECONDS).all()
        except StillComputing as some:
            return some.found

    def left_out(self) -> int:
        """Return how many of `all` are still to be computed."""
        return sum(row.setting != DELETED and not self._is_known(row) for row in self._listed())

    def newest(self, count: int) -> list[NightSummary]:
        """Return the summaries of the nights that were opened or imported last, without deleted ones."""
        return self._of([row for row in self._listed() if row.setting != DELETED][:count])

    def of(self, codes: Collection[str]) -> list[NightSummary]:
        """Return the summaries of some nights, without deleted ones."""
        return self._of([row for row in self._listed() if row.code in codes and row.setting != DELETED])

    def deleted(self) -> list[NightSummary]:
        return self._of([row for row in self._listed() if row.setting == DELETED])

    def get(self, code: str) -> NightSummary | None:
        """Return the summary of one night, also of a deleted one; None when there is none, or it can't be read."""
        return next(iter(self._of([row for row in self._listed() if row.code == code])), None)

    def unreadable(self) -> list[ListedNight]:
        """Return the nights whose log can't be read, also those put away, so that lists can show them."""
        rows = self._listed()
        known = {one.code for one in self._of(rows)}
        return [row for row in rows if row.code not in known]

    def row(self, code: str) -> ListedNight | None:
        """Return what is stored of a night, also of one that can't be read; None when there is none."""
        return next((row for row in self._listed() if row.code == code), None)

    def _listed(self) -> Sequence[ListedNight]:
        listed = self._table.listed_nights(NightSettings.put_away.key)
        return [row for row in listed if self._is_shown(row.code)] if self._is_shown else listed

    def _of(self, rows: Sequence[ListedNight]) -> list[NightSummary]:
        """Return the summaries of these nights, each as its row says that the log is now."""
        with self._lock:
            stale = {row.code: row for row in rows if not self._is_known(row)}
            for code, body in self._table.read(stale, VERSION) if stale else ():
                with suppress(*UNREADABLE):
                    stored = from_text(body, _labels(stale[code]))
                    if stored.more.keys() >= MORE.keys():  # else it was computed without an extra
                        self._cache[code] = stored
            left = self._compute([row for row in stale.values() if not self._is_known(row)])
            known = [self._labelled(row) for row in rows if row.code in self._cache]
        found = newest_first(self._without_forgotten(one) for one in known)
        if left:
            raise StillComputing(found, len(rows))
        return found

    def _without_forgotten(self, night: NightSummary) -> NightSummary:
        """Return a night with FORGOTTEN for the names of people who were forgotten."""
        gone = self._nights.people.forgotten(night.code, [one.seat for one in night.seats])
        seats = tuple(replace(one, name=FORGOTTEN) if one.seat in gone else one for one in night.seats)
        return replace(night, seats=seats) if gone else night

    def _is_known(self, row: ListedNight) -> bool:
        known = self._cache.get(row.code)
        return (known is not None and known.head == row.head) or self._unreadable.get(row.code) == row.head

    def _labelled(self, row: ListedNight) -> NightSummary:
        """Return a cached summary with what is not in the log as it is now."""
        known, labels = self._cache[row.code], _labels(row)
        if any(getattr(known, key) != text for key, text in labels.items()):
            self._cache[row.code] = replace(known, **labels)
        return self._cache[row.code]

    def replay_faults(self, pause_seconds: float = 0.0) -> Iterator[str]:
        """Yield a sentence for every night that can't be replayed, or whose chips don't sum to zero.

        A night is not replayed again while its stored summary is undamaged and of the log as it is now, unless another
        version of the program made it. A pause after each night that is leaves the processor to others.
        """
        rows, settings = self._listed(), ReplaySettings(self._nights.store)
        is_known_version = settings.replayed_by == __version__
        proved = {code for code, _ in self._table.read([row.code for row in rows], VERSION)} if is_known_version else ()
        for row in rows:
            if row.code not in proved:
                try:
                    made = self._replayed(row.code)
                except TableError as error:
                    yield str(error)
                    continue
                if self._nights.if_open(row.code) is None:
                    self._store({row.code: made})
                time.sleep(pause_seconds)
        with suppress(NotSaved):
            if not is_known_version:
                settings.replayed_by = __version__

    def refresh(self, table: OpenNight) -> None:
        """Compute the summary of a night in memory, and store it."""
        summary = _of_open(table)
        with self._lock:
            self._cache[table.code] = summary
        self._store({table.code: summary})

    def _compute(self, rows: Sequence[ListedNight]) -> int:
        """Compute and store summaries until the time is over, at least one; return how many are left."""
        made: dict[str, NightSummary] = {}
        ends_at, left = time.monotonic() + self._most_seconds, len(rows)
        for row in rows:
            if left < len(rows) and time.monotonic() > ends_at:
                break
            left -= 1
            self._cache.pop(row.code, None)
            try:
                if table := self._nights.if_open(row.code):
                    self._cache[row.code] = _of_open(table)
                else:
                    made[row.code] = self._cache[row.code] = self._replayed(row.code)
            except TableError:
                self._unreadable[row.code] = row.head
            if len(made) == STORED_AT_ONCE:
                self._store(made)
                made = {}
        self._store(made)
        return left

    def _replayed(self, code: str) -> NightSummary:
        """Return a summary from the log on the disk. Raises TableError when it can't be read."""
        night = self._nights.store.night(code)
        if night is None:  # it was removed for good meanwhile
            raise Unknown("there is no night {code!r} here", code=code)
        with refused_if_unreadable(code):
            preset, entries = preset_of(night), read_entries(self._nights.store, code)
            steps = replay_log(code, preset, entries)
            if steps and sum(steps[-1][2].ledger.balances.values()):
                raise TableError("the chips of night {code} don’t sum to zero", code=code)
            return summarize(preset, entries, steps)

    def _store(self, made: Mapping[str, NightSummary]) -> None:
        rows = [(code, one.head, to_text(one)) for code, one in made.items()]
        with suppress(NotSaved):  # then they are computed again
            if rows:
                self._table.write(VERSION, rows)


def _of_open(table: OpenNight) -> NightSummary:
    with refused_if_unreadable(table.code):
        history = table.history()
        return summarize(history.preset, history.entries, history.steps)


def _labels(row: ListedNight) -> dict[str, Any]:
    """Return what a summary says that is not in the log."""
    return {"code": row.code, "name": row.name, "created_at": row.created_at, "put_away": row.setting}


class SummaryWriter:
    """Stores a night's summary after each of its hands, in a background thread; closed before the store."""

    def __init__(self, nights: Nights, summaries: Summaries, *, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._summaries, self._pause_seconds = summaries, pause_seconds
        self._writing = threading.Lock()  # close() returns when nothing is written any more
        self._lock = threading.Lock()  # guards the two below
        self._pending: dict[str, OpenNight] = {}
        self._timer: threading.Timer | None = None
        nights.on_hand_over.append(self._request)

    def _request(self, table: OpenNight) -> None:
        with self._lock:
            self._pending[table.code] = table
            if self._timer is None:
                timer = threading.Timer(self._pause_seconds, self.write)
                timer.daemon = True
                with suppress(RuntimeError):  # the system gives no more threads: the next hand tries again
                    timer.start()
                    self._timer = timer

    def write(self) -> None:
        """Store the summaries of the hands that have ended, now: a process without threads calls it itself."""
        with self._writing:
            with self._lock:
                pending, self._pending, self._timer = self._pending, {}, None
            for table in pending.values():
                with suppress(TableError):  # one that can't be read has none
                    self._summaries.refresh(table)

    def close(self) -> None:
        """Write the pending summaries; those of hands that end later are computed when they are read."""
        with self._lock:
            timer = self._timer
        if timer:
            timer.cancel()
        self.write()
