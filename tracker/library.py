"""The library: the boards that come with the tracker, and those that a table has made."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace

from tracker.codec import preset_from, preset_to
from tracker.core.errors import NotAllowed, TableError, Unknown
from tracker.core.preset import LONGEST_NAME, Preset
from tracker.presets import BUILT_IN, all_built_in, built_in
from tracker.presets.bundles import all_bundled
from tracker.store import Store

MOST_OWN = 100
RESERVED = frozenset({"import", "blank", "as-last"})
"""Words that stand for something else where a board's id could stand."""
_OWN, _BIN = "board:", "bin:"
"""Each board of the table's own is a setting of the whole file under one of these; deleted ones wait in the bin."""


class Library:
    """Finds, keeps and deletes boards. What comes with the tracker stays as it is."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, preset_id: str) -> Preset:
        """Return a board by its id; Unknown when there is none."""
        for one in all_bundled():
            if one.id == preset_id:
                return one
        kept = self._kept(_OWN, preset_id)
        return kept or built_in(preset_id)

    def own(self) -> list[Preset]:
        """Return the table's own boards, by name; one that can't be read any more is left out."""
        found = (self._kept(_OWN, key.removeprefix(_OWN)) for key in self._store.settings(None) if key.startswith(_OWN))
        return sorted((preset for preset in found if preset), key=lambda preset: preset.name.casefold())

    def all(self) -> list[Preset]:
        """Return every board once: the table's own, then the bundles, then the others."""
        first = [*self.own(), *all_bundled()]
        ids = {preset.id for preset in first}
        return first + [preset for preset in all_built_in() if preset.id not in ids]

    def is_own(self, preset_id: str) -> bool:
        return self._kept(_OWN, preset_id) is not None

    def save(self, preset: Preset) -> Preset:
        """Keep a board under its own id, over what was there; PresetError, or NotAllowed for one that is not theirs."""
        if preset.id in self._given():
            raise NotAllowed("{name} comes with the tracker: save yours under another name", name=preset.name)
        if not self.is_own(preset.id) and len(self.own()) >= MOST_OWN:
            raise NotAllowed("there are {most} boards already: delete one first", most=MOST_OWN)
        for key, text in as_settings([preset]).items():
            self._store.set_setting(None, key, text)
        return preset

    def add(self, preset: Preset) -> Preset:
        """Keep a board as a new one and return it under a free id; the same board twice is kept once."""
        for own in self.own():
            if replace(own, id=preset.id) == preset:
                return own
        taken = self._given() | {one.id for one in self.own()}
        return self.save(replace(preset, id=free_id(preset.name, taken)))

    def duplicate(self, preset_id: str, name: str) -> Preset:
        """Keep a copy of a board under another name and return it."""
        board = self.find(preset_id)
        copy = replace(board, name=name[:LONGEST_NAME], base=self.base_of(board))
        return self.save(replace(copy, id=free_id(copy.name, self._given() | {one.id for one in self.own()})))

    def delete(self, preset_id: str) -> Preset:
        """Put a board of the table's own into the bin; Unknown when there is none. Nights keep theirs."""
        board = self._kept(_OWN, preset_id)
        if board is None:
            raise Unknown("there is no board {preset!r} of yours", preset=preset_id)
        self._store.set_setting(None, _BIN + preset_id, json.dumps(preset_to(board), ensure_ascii=False))
        self._store.set_setting(None, _OWN + preset_id, None)
        return board

    def bring_back(self, preset_id: str) -> Preset:
        """Take a deleted board out of the bin; Unknown when it is not there."""
        board = self._kept(_BIN, preset_id)
        if board is None:
            raise Unknown("there is no deleted board {preset!r}", preset=preset_id)
        self.save(board)
        self._store.set_setting(None, _BIN + preset_id, None)
        return board

    def lacks(self, other: Library) -> list[Preset]:
        """Return the boards of another library's own that this one has neither on its shelf nor in its bin."""
        return [one for one in other.own() if not any(self._kept(shelf, one.id) for shelf in (_OWN, _BIN))]

    def base_of(self, preset: Preset) -> str:
        """Return the id of the printed game that a board comes from; empty when it comes from none."""
        return preset.base or (preset.id if preset.id in BUILT_IN else "")

    def _kept(self, shelf: str, preset_id: str) -> Preset | None:
        text = self._store.setting(None, shelf + preset_id) if re.fullmatch(r"[a-z0-9-]{1,32}", preset_id) else ""
        try:
            return preset_from(json.loads(text)) if text else None
        except (ValueError, TableError):
            return None

    def _given(self) -> set[str]:
        return {*BUILT_IN, *(one.id for one in all_bundled())}


def as_settings(own: Iterable[Preset]) -> dict[str, str]:
    """Return boards of the table's own as they are kept: settings of the whole file."""
    plain = {one.id: preset_to(preset_from(preset_to(one))) for one in own}
    return {_OWN + id_: json.dumps(raw, ensure_ascii=False) for id_, raw in plain.items()}


def free_id(name: str, taken: Collection[str]) -> str:
    """Return an id made from a name that nobody has yet: small letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:26].strip("-") or "board"
    wanted, number = stem, 1
    while wanted in taken or wanted in RESERVED:
        number += 1
        wanted = f"{stem}-{number}"
    return wanted
