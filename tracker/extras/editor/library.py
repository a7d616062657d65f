"""The library of boards, with what changes it."""

from collections.abc import Collection
from dataclasses import replace

from tracker.app.preset_library import PresetLibrary
from tracker.core.errors import NotAllowed, Unknown
from tracker.core.preset import LONGEST_NAME, Preset
from tracker.formats.built_in import built_in_ids
from tracker.formats.text import slug

MAX_OWN_PRESETS = 100
RESERVED = frozenset({"import", "blank", "as-last"})
"""Words that routes use where a preset's id could stand."""


class EditedLibrary(PresetLibrary):
    """Finds, saves and deletes presets. Those that come with the tracker can't be changed."""

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
        self.settings.deleted_presets.put(preset_id, preset)
        self._own.put(preset_id, None)
        return preset

    def restore(self, preset_id: str) -> Preset:
        """Restore a deleted preset and return it. Raises Unknown."""
        preset = self.settings.deleted_presets.get(preset_id)
        if preset is None:
            raise Unknown("there is no deleted board {preset!r}", preset=preset_id)
        self.save(preset)
        self.settings.deleted_presets.put(preset_id, None)
        return preset

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
