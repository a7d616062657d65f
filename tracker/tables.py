"""All nights of a store: open one, find one, import one. Nothing else loads a night."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tracker.backups import Backups
from tracker.codec import night_from, preset_from, preset_to, states
from tracker.core.errors import TableError, Unknown
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.disk import Disk
from tracker.library import Library
from tracker.live import Live
from tracker.sealing import now, sealed, with_ids
from tracker.store import NightRow, Store
from tracker.table import Table, played, read_entries

CODE_SYMBOLS = "23456789abcdefghjkmnpqrstvwxyz"


class Tables:
    """All nights of this store; every night is loaded once and then kept in memory."""

    def __init__(self, store: Store, live: Live, backups: Backups | None = None, reserve: Path | None = None) -> None:
        self.store, self.live, self.library, self.backups = store, live, Library(store), backups
        self.disk = Disk(store, self.show_all, reserve=reserve)
        self._lock = threading.Lock()
        self._open: dict[str, Table] = {}

    def show_all(self) -> None:
        """Let every page of every open night be drawn anew: the disk fails, or works again."""
        for code in list(self._open):
            self.live.publish(code)

    def open(self, preset: str | Preset, options: Mapping[str, Any] | None = None, name: str = "") -> Table:
        """Begin a night and return its table. Raises PresetError or Unknown for options and presets that aren't."""
        base = self.library.find(preset) if isinstance(preset, str) else preset
        base.with_options(options or {})
        return self._create(base, options or {}, [], name)

    def _create(self, base: Preset, options: Mapping[str, Any], entries: list[Entry], name: str) -> Table:
        code = "".join(secrets.choice(CODE_SYMBOLS) for _ in range(6))
        self.store.create_night(
            code=code,
            name=name or base.name,
            preset=json.dumps(preset_to(base), ensure_ascii=False),
            options=json.dumps(dict(options)),
            created_at=now(),
            events=[sealed(entry) for entry in entries],
        )
        return self.get(code)

    def get(self, code: str) -> Table:
        """Return the table of a night; Unknown when there is none of that code, TableError when its log is damaged."""
        with self._lock:
            if code not in self._open:
                row = self.store.night(code)
                if row is None:
                    raise Unknown("there is no night {code!r} here", code=code)
                preset = preset_from(json.loads(row.preset)).with_options(json.loads(row.options))
                self._open[code] = Table(
                    row, preset, read_entries(self.store, code), self.store, self.live, self._hand_is_over
                )
            return self._open[code]

    def read_again(self, codes: Iterable[str]) -> None:
        """Let open nights show what is on the disk now: something was written past them."""
        for code in codes:
            with self._lock:
                table = self._open.get(code)
            if table:
                table.read_again()

    def _hand_is_over(self, table: Table) -> None:
        if self.backups:
            self.backups.wish(table.code, table.export)

    def nights(self) -> list[NightRow]:
        """Return a row for every night, the newest first."""
        return self.store.nights()

    def import_night(self, text: str, name: str = "") -> Table:
        """Add the night that a file's text holds and return its table; nothing is added when any event is refused."""
        read = night_from(text, self.library.find)
        for _ in states(read):
            pass
        written = read.preset_as_written
        base = self.library.find(written) if isinstance(written, str) else preset_from(written)
        return self._create(base, read.options, with_ids(read.entries), name)


def unsound(store: Store) -> Iterator[str]:
    """Yield a sentence for every night that can't be played to its end, or whose chips don't sum to zero; reads all."""
    for row in store.nights():
        try:
            preset = preset_from(json.loads(row.preset)).with_options(json.loads(row.options))
            trail = played(row.code, preset, read_entries(store, row.code))
        except TableError as error:
            yield str(error)
            continue
        if trail and sum(trail[-1][2].ledger.balances.values()):
            yield f"the chips of night {row.code} don't sum to zero"
