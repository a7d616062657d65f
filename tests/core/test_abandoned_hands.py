"""A hand that is given up: its bids, collected pots and payments go back to where they were, its antes stay."""

from random import Random

import pytest
from hypothesis import given, strategies as st
from support.core_nights import board, kitty, rummy
from support.random_nights import every_preset, legal_event, random_night, random_options

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import NotAllowed, TableError
from tracker.core.events import Event
from tracker.core.ledger import Ledger
from tracker.core.night import SHOWDOWN, Night
from tracker.core.preset import Preset
from tracker.core.queries.prompts import prompt_of

BESIDE_THE_HAND = (events.Buy, events.Borrow, events.Repay, events.Move, events.Sit, events.Leave)


def test_a_hand_that_is_given_up_leaves_its_antes_and_asks_who_deals() -> None:
    night = rummy().record("hand", dealer="a")
    stacks, pots = night.stacks, night.pots
    night.record("sale", buyer="c", price=7).collect("b", "king-clubs")
    night.leads_wrongly("d").record("abandon")
    assert (night.stacks, night.pots) == (stacks, pots)
    assert (night.night.phase, night.night.hand, night.night.dealer) == ("showdown", 1, "a")
    assert (prompt_of(night.night).name, prompt_of(night.night).dealer) == ("ante", None)
    night.record("hand", dealer="a")
    assert night.pots["king-clubs"] == 2 * pots["king-clubs"]


def test_nothing_more_happens_in_a_hand_that_was_given_up() -> None:
    night = rummy(left_in_hand="pay_base").hand().withholds("d", "S").record("abandon")
    for kind, fields in (
        ("collect", {"seat": "b", "pot": "king-clubs"}),
        ("share", {"seats": ["b", "c"], "pot": "seven-eight-nine"}),
        ("penalty", {"seat": "b", "offence": "wrong-lead"}),
        ("held", {"pot": "jack-spades", "seat": "b", "offender": "d"}),
        ("out", {"seat": "b", "cards": {"a": 1, "c": 1, "d": 1}}),
        ("left", {"seat": "b", "pot": "king-clubs"}),
        ("poker", {"winners": ["b"]}),
        ("abandon", {}),
    ):
        assert str(night.refusal(kind, **fields)) == "this hand was given up: put in the antes for the next one"
    assert str(rummy().refusal("abandon")) == "no hand has begun: put in the antes first"
    over = rummy().hand().out("a", b=1, c=1, d=1)
    assert over.refusal("abandon").code == "wrong-moment"


def test_the_last_hand_is_the_last_that_was_finished() -> None:
    night = kitty().hand("p").out("q", p=1, r=1, s=1).record("hand", dealer="q")
    night.record("no-sale").record("abandon").record("end")
    assert night.nets == {"p": -17, "q": 51, "r": -17, "s": -17}


@pytest.mark.parametrize("source", ["a", "bank", "king-clubs"])
def test_what_covered_a_payment_goes_back_too(source: str) -> None:
    night = rummy("abcd", 30).moves("d", b=21).hand()
    then = (night.stacks, night.pots, night.notes, dict(night.night.ledger.bought))
    night.record("penalty", seat="d", offence="wrong-lead", cover={"d": source}).record("abandon")
    assert (night.stacks, night.pots, night.notes, dict(night.night.ledger.bought)) == then


def test_an_iou_that_was_paid_back_is_chips_that_its_holder_returns() -> None:
    night = (
        rummy("abcd", 30).moves("d", b=21).hand().record("penalty", seat="d", offence="wrong-lead", cover={"d": "a"})
    )
    assert night.notes == {("d", "a"): 3}
    night.record("buy", seat="d", chips=5).record("repay", seat="d", holder="a", chips=2)
    night.record("abandon")
    assert (night.stacks, night.notes) == ({"a": 12, "b": 42, "c": 21, "d": 5}, {})


def test_it_is_refused_while_somebody_has_spent_what_has_to_go_back() -> None:
    night = rummy("abcd", 30).hand().collect("b", "king-clubs").moves("b", c=26)
    refused = night.refusal("abandon")
    assert str(refused) == "B is 5 short: buy, borrow or move chips first, then everything can go back"
    night.record("buy", seat="b", chips=5).record("abandon")
    assert (night.stacks["b"], night.pots["king-clubs"]) == (0, 5)


def test_stakes_and_bets_go_back_and_the_pool_of_the_night_can_still_be_won() -> None:
    night = board("newmarket", "abc", 20).record("hand", dealer="a")
    night.record("place", seat="b", pots={"king-clubs": 4}).record("abandon")
    assert (night.stacks, night.pots["kitty"]) == ({"a": 19, "b": 19, "c": 19}, 3)
    night = rummy(poker__when="session_end").hand().record("abandon")
    assert prompt_of(night.night, is_last=True).name == "poker"
    assert night.record("poker", winners=["b"]).last == [("poker", "b", 5)]


# Any night


def after_the_same(night: Night, happened: list[Event]) -> Ledger | None:
    """Return the ledger after those events of a hand that are no part of it; None where one needs the others."""
    for event in happened:
        if isinstance(event, BESIDE_THE_HAND):
            try:
                night = apply(night, event)
            except TableError:
                return None
    return night.ledger


@given(
    st.sampled_from([preset for preset in every_preset() if preset.is_pot_game]),
    st.randoms(use_true_random=False),
    st.integers(2, 5),
)
def test_only_what_is_no_part_of_the_hand_is_left_of_it(preset: Preset, chance: Random, people: int) -> None:
    night = Night(preset.with_options(random_options(preset, chance)))
    for event in random_night(night.preset, chance, people, people):
        night = apply(night, event)
    began, happened = night, list[Event]()
    for _ in range(40):
        event = legal_event(night, chance, may_end=False)
        night = apply(night, event)
        happened.append(event)
        if isinstance(event, events.Hand):
            began, happened = night, []
        if night.is_between_hands:
            continue
        try:
            after = apply(night, events.Abandon())
        except NotAllowed:  # somebody has too few chips left to give back
            continue
        assert (after.phase, after.hand, after.next_dealer()) == (SHOWDOWN, night.hand, None)
        expected = after_the_same(began, happened)
        if expected is not None:
            balances = {account: chips for account, chips in after.ledger.balances.items() if chips}
            assert balances == {account: chips for account, chips in expected.balances.items() if chips}
            assert after.ledger.iou == expected.iou
        assert sum(after.ledger.balances.values()) == 0
        for transfer in after.last_transfers:
            assert transfer.chips > 0
