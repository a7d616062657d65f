"""The preset library: the presets that come with the tracker, and those that a table has made."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

from tracker.app.settings import FolderSettings, SettingGroup
from tracker.core.errors import NotAllowed, Unknown
from tracker.core.game import GAMES, game_of
from tracker.core.preset import LONGEST_NAME, Preset
from tracker.formats.built_in import all_built_in, all_featured, built_in, built_in_ids
from tracker.formats.codec import preset_from, preset_to
from tracker.formats.text import name_order, slug
from tracker.storage import Store

MAX_OWN_PRESETS = 100
RESERVED = frozenset({"import", "blank", "as-last"})
"""Words that routes use where a preset's id could stand."""


def _read_preset(text: str) -> Preset:
    raw = json.loads(text)
    game = GAMES.get(raw.get("game"))
    return preset_from(game.from_stored(raw) if game else raw)


def preset_text(preset: Preset) -> str:
    """Return the text that stores a preset. Raises PresetError for one that could not be read back."""
    raw = preset_to(preset_from(preset_to(preset)))
    return json.dumps(game_of(preset).to_stored(raw), ensure_ascii=False)


class PresetSettings(FolderSettings):
    """The settings of the data folder, with the presets that the table has made."""

    own_presets = SettingGroup("board:", _read_preset, preset_text)
    """By id: the presets that the table has made."""
    deleted_presets = SettingGroup("bin:", _read_preset, preset_text)
    """By id: own presets that were deleted and can be restored."""


class PresetLibrary:
    """Finds, saves and deletes presets. Those that come with the tracker can't be changed."""

    def __init__(self, store: Store) -> None:
        settings = PresetSettings(store)
        self._own, self._deleted = settings.own_presets, settings.deleted_presets

    def find(self, preset_id: str) -> Preset:
        """Return a board by its id; Unknown when there is none."""
        return (None if preset_id in built_in_ids() else self._own.get(preset_id)) or built_in(preset_id)

    def own(self) -> list[Preset]:
        """Return the table's own presets by name, without those that can't be read any more."""
        return sorted(self._own.all().values(), key=lambda preset: name_order(preset.name))

    def all(self) -> list[Preset]:
        """Return every board once: the table's own, then the featured ones, then the others."""
        first = [*self.own(), *all_featured()]
        ids = {preset.id for preset in first}
        return first + [preset for preset in all_built_in() if preset.id not in ids]

    def is_own(self, preset_id: str) -> bool:
        return self._own.get(preset_id) is not None

    def save(self, preset: Preset) -> Preset:
        """Keep a board under its own id, over what was there; PresetError, or NotAllowed for one that is not theirs."""
        if preset.id in built_in_ids():
            raise NotAllowed("{name} comes with the tracker: save yours under another name", name=preset.name)
        if not self.is_own(preset.id) and len(self.own()) >= MAX_OWN_PRESETS:
            raise NotAllowed("there are {most} boards already: delete one first", most=MAX_OWN_PRESETS)
        self._own.put(preset.id, preset)
        return preset

    def add(self, preset: Preset) -> Preset:
        """Save a new preset and return it, under its own id where that is free; an equal one is not saved twice."""
        for own in self.own():
            if replace(own, id=preset.id) == preset:
                return own
        taken = {*built_in_ids(), *(one.id for one in self.own())}
        is_free = preset.id not in taken and preset.id not in RESERVED
        return self.save(preset if is_free else replace(preset, id=free_id(preset.name, taken)))

    def duplicate(self, preset_id: str, name: str) -> Preset:
        preset = self.find(preset_id)
        copy = replace(preset, name=name[:LONGEST_NAME], base=self.base_of(preset))
        return self.save(replace(copy, id=free_id(copy.name, {*built_in_ids(), *(one.id for one in self.own())})))

    def delete(self, preset_id: str) -> Preset:
        """Mark one of the table's own presets as deleted and return it. Raises Unknown. Nights keep copies."""
        preset = self._own.get(preset_id)
        if preset is None:
            raise Unknown("there is no board {preset!r} of yours", preset=preset_id)
        self._deleted.put(preset_id, preset)
        self._own.put(preset_id, None)
        return preset

    def restore(self, preset_id: str) -> Preset:
        """Restore a deleted preset and return it. Raises Unknown."""
        preset = self._deleted.get(preset_id)
        if preset is None:
            raise Unknown("there is no deleted board {preset!r}", preset=preset_id)
        self.save(preset)
        self._deleted.put(preset_id, None)
        return preset

    def missing_from(self, other: PresetLibrary) -> list[Preset]:
        """Return the own presets of another library that this one has neither saved nor deleted."""
        return [one for one in other.own() if not (self._own.get(one.id) or self._deleted.get(one.id))]

    def base_of(self, preset: Preset) -> str:
        """Return the id of the built-in preset that this one was made from; empty when there is none."""
        return preset.base or (preset.id if preset.id in built_in_ids() else "")


def free_id(name: str, taken: Collection[str]) -> str:
    """Return an id made from a name that nobody has yet: small letters, digits and dashes."""
    stem = slug(name, 26) or "board"
    wanted, number = stem, 1
    while wanted in taken or wanted in RESERVED:
        number += 1
        wanted = f"{stem}-{number}"
    return wanted
