"""A night keeps its preset: a changed built-in board changes nothing that was played before."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from support.sample_nights import play_hand, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.preset import Preset
from tracker.core.queries.summary import summary
from tracker.formats import built_in as module
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from_toml
from tracker.formats.night_file import night_from, states
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


def played(tables: Nights, options: dict[str, str]) -> OpenNight:
    table = tables.open("michigan-rummy", options)
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    return table


@pytest.fixture(name="change_built_in")
def _change_built_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Preset]]:
    """Give a function that changes the board `michigan-rummy`, as an update of the program may."""

    def change() -> Preset:
        text = files("tracker.presets").joinpath("michigan-rummy.toml").read_text("utf-8")
        old = preset_from_toml(text)
        new = replace(old, stack=old.stack * 3, rules={**old.rules, "out.per_card": 7})
        monkeypatch.setattr(module, "preset_from_toml", lambda _text: new)
        module._read.cache_clear()
        assert built_in("michigan-rummy") == new != old
        return new

    yield change
    monkeypatch.undo()
    module._read.cache_clear()


@pytest.mark.parametrize("options", [{}, {"poker.when": "off"}])
def test_a_stored_night_and_its_file_come_out_as_before_when_a_built_in_board_is_changed(
    tmp_path: Path, change_built_in: Callable[[], Preset], options: dict[str, str]
) -> None:
    store = Store(tmp_path / "nights.db")
    table = played(Nights(store, StreamHub()), options)
    before, file = summary(table.night), tmp_path / "night.json"
    file.write_text(table.export(), encoding="utf-8")
    new = change_built_in()

    tables = Nights(store, StreamHub())
    assert summary(tables.get(table.code).night) == before
    assert summary(tables.import_night(file.read_text("utf-8")).night) == before
    *_, replayed = states(night_from(file.read_text("utf-8"), tables.library.find))
    assert summary(replayed)["stacks"] == before["stacks"]
    assert summary(played(tables, options).night)["stacks"] != before["stacks"], (
        "a new night is played on the new board"
    )
    assert tables.get(table.code).preset.stack != new.stack
    store.close()
