"""Undo and amend: nothing is deleted, the rest is replayed, and what no longer fits is named."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, kitty, rounds, rummy, snake

from tracker.core.errors import NoLongerFits, TableError


def first_refused(refusal: TableError) -> int:
    assert isinstance(refusal, NoLongerFits)
    assert f"event {refusal.number} " in str(refusal)
    return refusal.number


def number(night: Played, kind: str) -> int:
    """Return the number of the last event of that kind."""
    return max(entry.number for entry in night.entries if entry.event.kind == kind)


def test_an_undo_brings_back_the_state_before() -> None:
    night = rummy("abc")
    for kind, fields in PLAYED:
        before = night.night
        night.does(kind, **fields)
        after = night.night
        night.does("undo", event=len(night.entries))
        assert night.night == before
        night.does("undo", event=len(night.entries))
        assert night.night == after


PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("sit", {"seat": "d", "name": "D"}),
    ("order", {"seats": ["a", "d", "c", "b"]}),
    ("hand", {"dealer": "a"}),
    ("bid", {"seat": "d", "chips": 1}),
    ("pass", {"seat": "c"}),
    ("pass", {"seat": "b"}),
    ("collect", {"seat": "b", "pot": "jack-spades"}),
    ("penalty", {"seat": "c", "offence": "withheld-card", "suit": "C"}),
    ("borrow", {"seat": "c", "source": "king-clubs", "chips": 2}),
    ("out", {"seat": "a", "cards": {"b": 1, "c": 2, "d": 3}}),
    ("held", {"pot": "king-clubs", "seat": "d", "offender": "c"}),
    ("poker", {"winners": ["b", "d"]}),
    ("repay", {"seat": "c", "holder": "king-clubs", "chips": 1}),
    ("move", {"source": "a", "target": "b", "chips": 1}),
    ("count", {"stacks": {"a": 1}}),
    ("leave", {"seat": "d"}),
    ("end", {}),
]


def test_an_undo_names_its_event_by_number_or_by_id() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5, id="first").does("buy", seat="a", chips=7, id="second")
    night.does("undo", event="first")
    assert night.stacks["a"] == 107
    night.does("undo", event=4)
    assert night.stacks["a"] == 100
    night.does("buy", seat="a", chips=9, id="third").does("undo", event="third")
    assert night.stacks["a"] == 100


@pytest.mark.parametrize("event", [0, 3, 4, 99, "nothing", "", "1"])
def test_only_an_earlier_event_can_be_taken_back(event: int | str) -> None:
    assert rummy("ab").refuses("undo", event=event).code == "unknown"
    assert rummy("ab").refuses("amend", event=event, change={"name": "X"}).code == "unknown"


@pytest.mark.parametrize("event", [-1, 1.5, None, True, [1], {"a": 1}])
def test_an_event_is_named_by_a_number_or_an_id_and_nothing_else(event: object) -> None:
    assert rummy("ab").refuses("undo", event=event).facts["field"] == "event"


def test_what_is_taken_back_is_not_taken_back_again() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5).does("undo", event=3)
    assert night.refuses("undo", event=3).code == "already-done"
    assert night.refuses("amend", event=3, change={"chips": 6}).code == "already-done"


def test_an_undo_of_an_undo_lets_the_event_hold_again() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5).does("undo", event=3).does("undo", event=4)
    assert night.stacks["a"] == 105
    night.does("undo", event=5)
    assert night.stacks["a"] == 100
    night.does("undo", event=6)
    assert night.stacks["a"] == 105
    night.does("undo", event=3)
    assert night.stacks["a"] == 100


def test_an_event_in_the_middle_is_taken_back_and_the_rest_replayed() -> None:
    night = rummy("abc").does("buy", seat="a", chips=50).hand("a").does("collect", seat="b", pot="jack-spades")
    night.does("undo", event=4)
    assert night.stacks == {"a": 82, "b": 95, "c": 91}


def test_an_undo_across_the_end_of_a_hand() -> None:
    night = rummy("abc").hand("a").does("out", seat="b", cards={"a": 2, "c": 3})
    out = number(night, "out")
    night.does("collect", seat="a", pot="king-clubs").does("hand", dealer="b")
    assert first_refused(night.refuses("undo", event=out)) == number(night, "hand")
    night.does("undo", event=number(night, "hand")).does("undo", event=out)
    assert (night.night.phase, night.night.hand, night.stacks["a"]) == ("play", 1, 86)
    night.does("out", seat="c", cards={"a": 2, "b": 1}).does("hand", dealer="b")


def test_an_amend_across_the_end_of_a_hand_changes_what_followed() -> None:
    night = rummy("abc").hand("a").does("out", seat="b", cards={"a": 2, "c": 3})
    out = number(night, "out")
    night.hand("b").does("out", seat="a", cards={"b": 0, "c": 0})
    before = night.stacks
    night.does("amend", event=out, change={"seat": "c", "cards": {"a": 2, "b": 1}})
    assert {seat: night.stacks[seat] - before[seat] for seat in "abc"} == {"a": 0, "b": -4 - 5 - 1, "c": 4 + 3 + 3}


def test_the_first_event_that_no_longer_fits_is_named() -> None:
    night = kitty("pqr", 20).does("buy", seat="q", chips=5).hand("p").does("move", source="q", target="p", chips=17)
    assert first_refused(night.refuses("undo", event=4)) == 7
    assert "5 short" in str(night.refuses("undo", event=4))


def test_a_sit_is_taken_back_only_while_nobody_depends_on_it() -> None:
    night = rummy("abc").does("undo", event=3)
    assert night.night.seats == ("a", "b")
    night = rummy("abc").hand("a").does("out", seat="a", cards={"b": 1, "c": 1})
    assert first_refused(night.refuses("undo", event=3)) == number(night, "out")
    night = rummy("abc").hand("a")
    night.does("undo", event=3)
    assert night.night.the_deal().seats == ("b", "a")
    assert set(night.pots.values()) == {3}


def test_a_leave_is_taken_back_with_all_that_it_paid() -> None:
    night = rummy("abc").moves("a", c=10).does("leave", seat="c").does("undo", event=5)
    assert (night.night.seats, night.stacks["c"]) == (("a", "b", "c"), 110)
    night.does("leave", seat="c").does("sit", seat="c", name="C")
    assert first_refused(night.refuses("undo", event=7)) == 8


# Amending


def test_chips_are_amended() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5).does("amend", event=3, change={"chips": 50})
    assert (night.stacks["a"], night.night.ledger.bought["a"]) == (150, 150)


def test_the_chips_of_a_sit_are_amended_also_to_none_or_to_the_presets_stack() -> None:
    night = rummy("ab", 60).does("amend", event=1, change={"chips": 0})
    assert night.stacks == {"a": 0, "b": 60}
    night.does("amend", event=1, change={"chips": None})
    assert night.stacks == {"a": 100, "b": 60}
    night.hand("a")
    assert first_refused(night.refuses("amend", event=1, change={"chips": 17})) == number(night, "hand")


def test_the_seat_and_the_pot_are_amended() -> None:
    night = rummy("abc").hand("a").does("collect", seat="b", pot="jack-spades")
    collect = number(night, "collect")
    night.does("amend", event=collect, change={"seat": "c"})
    assert night.stacks == {"a": 82, "b": 91, "c": 95}
    night.does("amend", event=collect, change={"pot": "king-clubs"})
    assert (night.stacks["c"], night.pots["jack-spades"], night.pots["king-clubs"]) == (95, 4, 0)


def test_several_amends_of_one_event_add_up_and_each_can_be_taken_back() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5)
    night.does("amend", event=3, change={"chips": 7}).does("amend", event=3, change={"seat": "b"})
    assert night.stacks == {"a": 100, "b": 107}
    night.does("undo", event=4)
    assert night.stacks == {"a": 100, "b": 105}
    night.does("undo", event=5)
    assert night.stacks == {"a": 105, "b": 100}


def test_an_amended_event_is_taken_back_and_comes_back_amended() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5).does("amend", event=3, change={"chips": 7}).does("undo", event=3)
    assert night.stacks["a"] == 100
    night.does("undo", event=5)
    assert night.stacks["a"] == 107


def test_a_correction_is_not_amended() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5).does("amend", event=3, change={"chips": 7})
    assert night.refuses("amend", event=4, change={"change": {"chips": 8}}).code == "not-allowed"
    night.does("undo", event=3)
    assert night.refuses("amend", event=5, change={"event": 1}).code == "not-allowed"


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"kind": "leave"},
        {"chips": -1},
        {"chips": "many"},
        {"chips": None},
        {"price": 3},
        {"seat": 5},
        {"id": "x"},
    ],
)
def test_a_change_must_leave_a_well_formed_event(change: dict[str, object]) -> None:
    night = rummy("ab").does("buy", seat="a", chips=5)
    assert night.refuses("amend", event=3, change=change).code == "bad-event"


def test_a_change_that_the_rules_refuse_is_refused_in_their_own_words() -> None:
    night = rummy("abc").hand("a").does("collect", seat="b", pot="jack-spades")
    collect = number(night, "collect")
    assert night.refuses("amend", event=collect, change={"pot": "jackpot"}).code == "not-allowed"
    assert night.refuses("amend", event=collect, change={"seat": "nobody"}).code == "unknown"


def test_a_change_that_breaks_a_later_event_names_that() -> None:
    night = rummy("abc").hand("a").does("collect", seat="b", pot="jack-spades")
    night.does("collect", seat="b", pot="king-clubs")
    collect = number(night, "collect") - 1
    assert first_refused(night.refuses("amend", event=collect, change={"pot": "king-clubs"})) == collect + 1


def test_an_amend_by_id_changes_that_event() -> None:
    night = rummy("ab").does("buy", seat="a", chips=5, id="x1").does("buy", seat="a", chips=5, id="x2")
    night.does("amend", event="x1", change={"chips": 1})
    assert night.stacks["a"] == 106


def test_score_games_are_corrected_alike() -> None:
    night = (
        rounds("ab").does("round", winner="a").does("round", winner="a").does("amend", event=3, change={"winner": "b"})
    )
    assert night.scores == {"a": 2, "b": 1}
    night.does("undo", event=3)
    assert night.scores == {"a": 1, "b": 0}
    rum = snake("wx").does("penalty", seat="x", offence="false-rummy").does("rummy", seat="w", hands={"x": 10})
    rum.does("amend", event=4, change={"hands": {"x": {"cards": ["KH", "AH"]}}})
    assert rum.scores == {"w": 45, "x": -45}
    assert rum.does("undo", event=3).scores == {"w": 25, "x": -25}
