"""Chips that are laid freely (Newmarket): on which places, and by who has too few."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.core_nights import CoreNight

from tracker.core import events
from tracker.core.log import Entry, replay_accepted
from tracker.core.queries.prompts import ante_prompt, planned_hand, prompt_of
from tracker.formats.codec import amended

FOUR = ("ace-hearts", "king-clubs", "queen-diamonds", "jack-spades")
PAIR = "king-queen-hearts"


def newmarket(shortage: str, poor: int = 3, rules: Mapping[str, Any] | None = None) -> CoreNight:
    """Return a table of Newmarket at which `c` has so many chips: the kitty costs 1, and 4 are laid freely."""
    night = CoreNight("newmarket", "abc", options={"shortage": shortage, **(rules or {})})
    return night.record("move", source="c", target="a", chips=40 - poor)


def place_all(night: CoreNight, *seats: str) -> CoreNight:
    for seat in seats:
        night.record("place", seat=seat, pots=dict.fromkeys(FOUR, 1))
    return night


@pytest.mark.parametrize("shortage", ["cap", "partial_ante", "end_session"])
def test_who_has_too_few_lays_what_there_is(shortage: str) -> None:
    night = place_all(newmarket(shortage).record("hand", dealer="a"), "a", "b")
    assert prompt_of(night.night).needs == {"c": 2}
    assert str(night.refusal("place", seat="c", pots={"king-clubs": 4})) == "C places 2 chips, not 4"
    night.record("place", seat="c", pots={"king-clubs": 2})
    assert (night.stacks["c"], night.pots["king-clubs"], night.notes) == (0, 4, {})
    assert night.night.phase != "stakes"


def test_who_has_nothing_left_is_not_asked_and_lays_nothing() -> None:
    night = place_all(newmarket("cap", 1).record("hand", dealer="a"), "a", "b")
    assert night.night.phase != "stakes"
    assert night.stacks["c"] == 0


def test_who_can_cover_fewer_places_than_there_are_covers_so_many() -> None:
    night = newmarket("cap", rules={"stakes.cover_all": "on"}).record("hand", dealer="a")
    assert night.refusal("place", seat="a", pots={"king-clubs": 4}).code == "bad-event"
    assert night.refusal("place", seat="c", pots={"king-clubs": 2}).code == "bad-event"
    night.record("place", seat="c", pots={"king-clubs": 1, "ace-hearts": 1})


def test_who_cant_pay_the_free_chips_sits_out_where_the_house_has_it_so() -> None:
    night = newmarket("sit_out")
    assert ante_prompt(night.night, {"dealer": "a"}).short == {"c": 2}
    assert planned_hand(night.night, {"dealer": "a"}).sits_out == ("c",)
    assert night.refusal("hand", dealer="a").facts["short"] == {"c": 2}
    assert night.record("hand", dealer="a", sits_out=["c"]).night.current_deal().seats == ("b", "a")


def test_who_cant_pay_the_free_chips_ends_the_night_where_the_house_has_it_so() -> None:
    assert ante_prompt(newmarket("end_session").night, {"dealer": "a"}).ends_night
    assert not ante_prompt(newmarket("end_session", 5).night, {"dealer": "a"}).ends_night


def test_who_buys_does_so_when_the_chips_are_laid() -> None:
    night = newmarket("buy_in").record("hand", dealer="a")
    assert night.refusal("place", seat="c", pots={"king-clubs": 4}).facts["short"] == {"c": 2}
    night.record("place", seat="c", pots={"king-clubs": 4}, cover={"c": "bank"})
    assert (night.stacks["c"], night.pots["king-clubs"]) == (0, 4)


def test_a_bet_of_somebody_with_too_few_is_what_there_is_where_the_house_has_it_so() -> None:
    night = CoreNight("hearts-three-stages", "abc", options={"shortage": "cap"})
    night.record("move", source="c", target="a", chips=night.stacks["c"] - 12).record("hand", dealer="a")
    night.record("go-on").record("bet", seat="a", chips=5)
    assert prompt_of(night.night).calls == {"b": 5, "c": 3}
    night.record("bet", seat="c", chips=5)
    assert (night.stacks["c"], night.night.current_deal().bets["c", "pot"]) == (0, 3)
    assert prompt_of(night.night).calls == {"b": 5}
    assert night.refusal("bet", seat="c", chips=1).code == "not-enough-chips"


def test_free_chips_lie_on_the_places_that_have_no_ante() -> None:
    night = CoreNight("newmarket-six-horses").record("hand", dealer="a")
    said = "King and queen of hearts takes no chips that are laid freely: it has its ante"
    assert str(night.refusal("place", seat="b", pots={PAIR: 4})) == said
    night.record("place", seat="b", pots={"king-spades": 4})
    all_covered = CoreNight("newmarket-six-horses", options={"stakes.cover_all": "on"}).record("hand", dealer="a")
    four = dict.fromkeys(("ace-spades", "king-spades", "queen-diamonds", "jack-clubs"), 1)
    assert all_covered.record("place", seat="b", pots=four).pots["jack-clubs"] == 1


def test_where_every_place_has_an_ante_free_chips_lie_on_any() -> None:
    night = CoreNight("michigan", options={"stakes.budget": 2}).record("hand", dealer="a")
    assert night.record("place", seat="b", pots={"king-clubs": 2}).pots["king-clubs"] == 7


def test_a_stored_night_with_free_chips_on_a_place_with_an_ante_opens() -> None:
    night = CoreNight("newmarket-six-horses").record("hand", dealer="a")
    place = events.Place("b", {PAIR: events.Amount(4)})
    steps, replayed = replay_accepted(night.preset, [*night.entries, Entry(len(night.entries) + 1, place)], amended)
    assert replayed.failure is None
    assert steps.night.pot(PAIR) == 8


def test_going_out_asks_for_no_cards_where_nothing_is_paid_for_them() -> None:
    night = place_all(CoreNight("newmarket", "abc").record("hand", dealer="a"), "a", "b", "c")
    night.record("no-sale").record("out", seat="b")
    assert (night.pots["kitty"], night.stacks["b"]) == (0, 40 - 5 + 3)
