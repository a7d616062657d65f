"""The preset library: the presets that come with the tracker, and those that a table has made."""

from __future__ import annotations

import json

from tracker.app.settings import FolderSettings, SettingGroup
from tracker.core.game import GAMES, game_of
from tracker.core.preset import Preset
from tracker.formats.built_in import FEATURED, all_built_in, built_in, built_in_ids
from tracker.formats.codec import preset_from, preset_to
from tracker.formats.text import name_order
from tracker.storage import Store


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
    """Finds presets: those that come with the tracker, and the table's own."""

    def __init__(self, store: Store) -> None:
        self.settings = PresetSettings(store)
        self._own = self.settings.own_presets

    def find(self, preset_id: str) -> Preset:
        """Return a board by its id; Unknown when there is none."""
        return (None if preset_id in built_in_ids() else self._own.get(preset_id)) or built_in(preset_id)

    def own(self) -> list[Preset]:
        """Return the table's own presets by name, without those that can't be read any more."""
        return sorted(self._own.all().values(), key=lambda preset: name_order(preset.name))

    def all(self) -> list[Preset]:
        """Return every board once: the table's own, then the featured ones, then the others."""
        first = [*self.own(), *map(built_in, FEATURED)]
        ids = {preset.id for preset in first}
        return first + [preset for preset in all_built_in() if preset.id not in ids]

    def is_own(self, preset_id: str) -> bool:
        return self._own.get(preset_id) is not None
