"""A night keeps its preset: a changed built-in board changes nothing that was played before."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files

import pytest
from support.sample_nights import play_hand, seat_everybody
from support.transcripts import played as replayed_states, recorded

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.preset import Preset
from tracker.core.queries.summary import summary
from tracker.formats import built_in as module
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from_toml


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
def test_a_stored_night_and_its_file_stay_as_they_were_when_a_built_in_board_is_changed(
    tables: Nights, change_built_in: Callable[[], Preset], options: dict[str, str]
) -> None:
    table = played(tables, options)
    before, file = summary(table.night), table.export()
    new = change_built_in()
    again = Nights(tables.store, tables.live).get(table.code)
    assert summary(again.night) == before
    assert again.preset.stack != new.stack
    assert again.export() == file
    *_, replayed = replayed_states(*recorded(file))
    assert summary(replayed)["stacks"] == before["stacks"]
    on_new = played(tables, options)
    assert summary(on_new.night)["stacks"] != before["stacks"], "a new night is played on the new board"
