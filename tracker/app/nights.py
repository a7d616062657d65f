"""All nights of a store: create and open. The only place where a night is loaded."""

import json
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any
from weakref import WeakValueDictionary

from tracker.app.event_rows import now, read_entries, refused_if_unreadable, replay_log, to_row
from tracker.app.known_people import KnownPeople
from tracker.app.open_night import OpenNight, Outcome, is_hand_over
from tracker.app.preset_library import PresetLibrary
from tracker.app.settings import FolderSettings, NightSettings
from tracker.app.steady_clock import SteadyClock
from tracker.core.errors import Unknown
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.core.preset_faults import with_new_options
from tracker.formats.codec import preset_from, preset_to
from tracker.formats.evening import order_of
from tracker.storage import NightRow, NumberTaken, Store
from tracker.storage.disk_health import DiskHealth
from tracker.streaming.hub import StreamHub

CODE_SYMBOLS = "23456789abcdefghjkmnpqrstvwxyz"

RELEASE_SECONDS = 5.0  # between two looks for nights that may leave memory

MOST_UNWATCHED = 8
UNUSED_SECONDS = 600.0
"""A night that nobody watches leaves memory when so many others were used since, or it was not used for so long. While
anything holds it, the same object is given out again: there is never a second one of a night."""


class Nights:
    """All nights of a store; each is loaded on first use."""

    def __init__(
        self,
        store: Store,
        live: StreamHub,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.live, self.library = store, live, PresetLibrary(store)
        self.settings = FolderSettings(store)
        self.people = KnownPeople()
        """Who people are over many nights."""
        self.disk = DiskHealth(store, self.publish_all)
        self.on_hand_over: list[Callable[[OpenNight], None]] = []
        """Called with the night after each hand and after its end, by the thread that recorded it."""
        self.on_recorded: list[Callable[[OpenNight, Outcome], None]] = []
        """Called after each entry, by the thread that recorded it."""
        self.settings_of_nights: list[Callable[[Collection[str]], Iterable[str]]] = []
        """Each returns the keys of the settings of the data folder that are removed with nights."""
        self.seconds = SteadyClock()
        """Returns the seconds since 1970, and never jumps."""
        self._recorded: dict[str, float] = {}
        """When this process opened each night or recorded in it last, by `clock`."""
        self._clock = clock
        self._lock = threading.Lock()
        self._loading = threading.Lock()  # held while a night is read, which delays no request for one that is open
        self.temporary: dict[str, OpenNight] = {}
        """Nights in memory only, by code: no list, copy or file has one."""
        self._open: WeakValueDictionary[str, OpenNight] = WeakValueDictionary()
        self._released_at = -inf
        self._used: dict[str, tuple[OpenNight, float]] = {}
        """What keeps nights in memory: each with the moment of its last use, the latest at the end."""
        self.night_class = OpenNight
        """Of which each night is that is opened from now on."""

    def in_memory(self) -> list[OpenNight]:
        # Of the dictionary itself no thread may walk the values while another one adds a night.
        return [table for reference in self._open.valuerefs() if (table := reference())]

    def publish_all(self) -> None:
        """Have every page of every open night made anew, after a change that is in no night."""
        for table in self.in_memory():
            table.show_again_later()

    def open(
        self,
        preset: str | Preset,
        options: Mapping[str, Any] | None = None,
        name: str = "",
        *,
        key: str = "",
        entries: Sequence[Entry] = (),
        on_new: Callable[[OpenNight], None] = lambda _: None,
    ) -> OpenNight:
        """Begin a night with these entries and return its table; the same `key` again returns the first one.

        `on_new` is called with a night that is made. Raises PresetError, Unknown or TableError: then there is no night.
        """
        base = self.library.find(preset) if isinstance(preset, str) else preset
        replay_log("", with_new_options(base, options or {}), entries)
        return self.create_once(key, base, options or {}, entries, name, on_new)

    def opened_with(self, key: str) -> OpenNight | None:
        keys = self.store.settings_of_nights(NightSettings.opening_key.key) if key else {}
        return next((self.get(code) for code, opened_with in keys.items() if opened_with == key), None)

    def create_once(
        self,
        key: str,
        base: Preset,
        options: Mapping[str, Any],
        entries: Sequence[Entry],
        name: str,
        on_new: Callable[[OpenNight], None],
    ) -> OpenNight:
        """Begin a night with entries that fit, as `open` does, which plays them before."""
        with self.store.one_at_a_time("open a night"):
            table = self.opened_with(key)
            if table is None:
                table = self._create(base, options, entries, name)
                table.settings.opening_key = key
                on_new(table)
        return table

    def _create(self, base: Preset, options: Mapping[str, Any], entries: Sequence[Entry], name: str) -> OpenNight:
        while True:
            code, (preset, written) = new_code(6), row_texts(base, options)
            with suppress(NumberTaken):  # another night has this code: take the next one
                self.store.create_night(
                    code=code,
                    name=name or base.name,
                    preset=preset,
                    options=written,
                    created_at=now(),
                    events=[to_row(entry) for entry in entries],
                )
                if not entries:  # an imported night may be of long ago
                    self._recorded[code] = self._clock()
                return self.get(code)

    def get(self, code: str) -> OpenNight:
        """Return the night of that code. Raises Unknown when there is none, TableError when its log is damaged."""
        if not (code.isascii() and code.isalnum()):  # a store may fail on some characters
            raise Unknown("there is no night {code!r} here", code=code)
        if temporary := self.temporary.get(code):
            return temporary
        table = self._open.get(code) or self._load_once(code)
        self._keep(table)
        return table

    def _load_once(self, code: str) -> OpenNight:
        with self._loading:
            table = self._open.get(code)
            if table is None:
                table = self._open[code] = self._loaded(code)
                self._released_at = -inf
            return table

    def _keep(self, table: OpenNight) -> None:
        """Keep a night that is used in memory, and now and then let go of others."""
        with self._lock:
            moment = self._clock()
            self._used.pop(table.code, None)
            self._used[table.code] = table, moment
            if moment - self._released_at > RELEASE_SECONDS:  # it looks at every open night: not at each request
                self._released_at = moment
                self._release_unused()

    def _loaded(self, code: str) -> OpenNight:
        row = self.store.night(code)
        if row is None:
            raise Unknown("there is no night {code!r} here", code=code)
        with refused_if_unreadable(code):
            entries = read_entries(self.store, code)
            return self.night_class(
                row, preset_of(row), entries, self.store, self.live, self._is_recorded, self.seconds
            )

    def _release_unused(self) -> None:
        """Let go of the nights that nobody watches and that were not used lately, the newest use excepted."""
        if len(self._used) == 1:
            return
        oldest_kept = self._clock() - UNUSED_SECONDS
        unwatched = [code for code in [*self._used][:-1] if not self.live.is_watched(code)]
        for place, code in enumerate(unwatched):
            if self._used[code][1] < oldest_kept or place < len(unwatched) - MOST_UNWATCHED:
                del self._used[code]

    def is_used(self, code: str, seconds: float) -> bool:
        """Return whether this process opened the night or recorded in it in so many seconds, by a clock never set."""
        return code in self._recorded and self._clock() - self._recorded[code] < seconds

    def if_open(self, code: str) -> OpenNight | None:
        return self._open.get(code)

    def forget(self, code: str) -> None:
        """Let go of a night that was removed from the store."""
        with self._lock:
            for known in (self._open, self._used, self._recorded):
                known.pop(code, None)
        for device in self.live.presence.devices(code):
            self.live.end_device(device)

    def reload(self, codes: Iterable[str]) -> None:
        """Read these nights from the disk again if they are open, after a write that went past them."""
        for code in codes:
            with self._loading:  # one that is being read may not have seen the write
                table = self._open.get(code)
            if table:
                table.reload()

    def _is_recorded(self, table: OpenNight, outcome: Outcome) -> None:
        self._recorded[table.code] = self._clock()
        for told in self.on_recorded:
            told(table, outcome)
        if is_hand_over(outcome.before, outcome.night):
            for callback in self.on_hand_over:
                callback(table)

    def nights(self) -> list[NightRow]:
        """Return a row for every night, the one that was played last first."""
        return newest_first(self.store.nights())


def new_code(length: int) -> str:
    """Return a code by chance, which a night may have already."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(length))


def row_texts(base: Preset, options: Mapping[str, Any]) -> tuple[str, str]:
    """Return the texts of a board and of the options chosen for it, as a night's row has them."""
    return json.dumps(preset_to(base), ensure_ascii=False), json.dumps(dict(options))


def newest_first(rows: Iterable[NightRow]) -> list[NightRow]:
    """Return the rows of nights, the one that was played last first."""
    return sorted(rows, key=lambda row: (order_of(row.began_at), row.code), reverse=True)


def preset_of(row: NightRow) -> Preset:
    """Return the board and house rules that a night began with. Raises TableError when they can't be read."""
    return preset_from(json.loads(row.preset)).with_options(json.loads(row.options))
