"""The history of a night's log: the states of the one replay that the open night holds."""

import pytest
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.events import Amend, Amount, Buy, Hand, Undo


@pytest.fixture(name="table")
def _table(tables: Nights) -> OpenNight:
    table = tables.open("michigan-rummy")
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    record(table, Buy("ruth", Amount(5)))
    bought = table.head
    record(table, Undo(bought), Undo(bought + 1), Amend(bought, {"chips": 7}))
    return table


def test_the_history_of_an_open_night_applies_no_event_again(table: OpenNight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "apply", None)
    history = table.history()
    assert history.night is table.night
    assert history.night.stack("ruth") == history.before(history.newest or 0).stack("ruth") + 7


def test_a_history_is_of_the_moment_when_it_was_asked_for(table: OpenNight) -> None:
    before = table.history()
    assert table.history() is before
    record(table, Buy("ruth", Amount(1)))
    assert table.history().night is table.night
    assert before.night.stack("ruth") + 1 == table.night.stack("ruth")


def test_the_steps_of_the_last_hand_are_those_since_the_one_before_it_and_none_without_a_hand(tables: Nights) -> None:
    table = tables.open("michigan-rummy")
    seat_everybody(table)
    record(table, Buy("ruth", Amount(5)))
    assert table.snapshot()[2] == []
    play_hand(table, "ruth", "ben", "mia")
    hand = table.snapshot()[2]
    assert isinstance(hand[1][1], Hand)
    assert hand == list(table.history().steps)[-len(hand) :]
