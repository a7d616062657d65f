"""All nights of a store: open one, find one, import one. Nothing else loads a night."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from typing import Any

from tracker.codec import night_from, preset_from, preset_to, states
from tracker.core.errors import TableError, Unknown
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.library import Library
from tracker.live import Live
from tracker.sealing import entry_of, now, sealed, with_ids
from tracker.store import Damaged, NightRow, Store
from tracker.table import Table

CODE_SYMBOLS = "23456789abcdefghjkmnpqrstvwxyz"


class Tables:
    """All nights of this store; every night is loaded once and then kept in memory."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store, self.live, self.library = store, live, Library(store)
        self._lock = threading.Lock()
        self._open: dict[str, Table] = {}

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
                self._open[code] = Table(row, preset, self._entries(code), self.store, self.live)
            return self._open[code]

    def _entries(self, code: str) -> list[Entry]:
        try:
            return [entry_of(event) for event in self.store.events(code)]
        except Damaged as damage:
            template = "night {code} is damaged at event {number}: it is not what was recorded"
            raise TableError(template, code=code, number=damage.number) from damage

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
