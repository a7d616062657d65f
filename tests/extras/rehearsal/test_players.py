"""Simulated players play every game to its end, always the same by the same seed."""

from collections.abc import Iterator

import pytest

from tracker.core.apply import apply_new
from tracker.core.events import Collect, Event, Name, SeatId, Sit
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras.rehearsal.players import next_event, play_cards, winning_cards
from tracker.formats.built_in import all_built_in, built_in

LENGTH, MOST = 60, 150
SEATS = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal", "ida", "jo", "kim", "lou")


def played(preset: Preset, seed: str, people: int, length: int = LENGTH) -> Iterator[tuple[Event, Night]]:
    """Yield each event of a simulated night with the state after it."""
    night = Night(preset)
    for seat in SEATS[:people]:
        night = apply_new(night, Sit(SeatId(seat), Name(seat.capitalize())))
    for number in range(MOST):
        event = next_event(night, seed, is_last=number >= length)
        if event is None:
            return
        night = apply_new(night, event)
        yield event, night


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_every_game_is_played_to_its_end_and_no_chip_is_lost(preset: Preset) -> None:
    for seed in ("1", "2"):
        for people in (preset.seats.min, preset.seats.max):
            states = [night for _, night in played(preset, seed, people)]
            assert states[-1].is_over
            assert states[-1].hand >= 3
            assert all(sum(night.ledger.balances.values()) == 0 for night in states)


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_the_same_seed_plays_the_same_night_and_another_seed_another_one(preset: Preset) -> None:
    first, again, other = ([event for event, _ in played(preset, seed, 4)] for seed in ("7", "7", "8"))
    assert first == again
    assert first != other


@pytest.mark.parametrize("how", ["iou", "buy_in", "partial_ante", "sit_out", "cap", "end_session"])
def test_people_who_run_short_go_on_as_the_house_rule_says(how: str) -> None:
    preset = built_in("michigan-rummy").with_options({"shortage": how, "ante.times": 6})
    events, states = zip(*played(preset, "3", 4), strict=True)
    assert states[-1].is_over
    assert any(event.kind == "buy" for event in events) == (how == "buy_in")
    assert any(night.ledger.iou for night in states) == (how == "iou")


def test_pots_are_taken_about_as_often_as_real_cards_fall() -> None:
    """A single card lies in the dummy hand once in six deals to five, and some are left when somebody is out."""
    hands, taken = 0, 0
    for seed in map(str, range(6)):
        for event, _ in played(built_in("michigan-rummy"), seed, 5, MOST - 20):
            hands += event.kind == "hand"
            taken += isinstance(event, Collect) and event.pot in ("ten-hearts", "king-clubs", "jack-spades")
    assert hands > 50
    assert 0.3 < taken / 3 / hands < 5 / 6


def test_all_cards_of_a_pack_are_dealt_and_whoever_is_out_first_has_played_them_all() -> None:
    for seed in map(str, range(30)):
        seats = SEATS[: 3 + int(seed) % 5]
        cards = play_cards(seed, seats, seats[0], None)
        held = [card for hand in cards.hands.values() for card in hand]
        assert len(set(held)) == len(held) == 52 - 52 // (len(seats) + 1)
        first, at = next(iter(cards.finishes.items()))
        assert cards.left(first, at) == ()
        assert all(cards.left(seat, at) for seat in seats if seat != first)


def test_ranks_alone_are_trumps_and_three_of_them_a_run_of_any_suit() -> None:
    assert winning_cards(("KH", "QH"), "S") == [("KH", "QH")]
    assert winning_cards(("K", "Q"), "S") == [("KS", "QS")]
    assert ("7D", "8D", "9D") in winning_cards(("7", "8", "9"), "S")
