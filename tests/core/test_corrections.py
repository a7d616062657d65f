"""Undo and amend, also of an amend: nothing is deleted, the rest is replayed, and what no longer fits is named."""

from typing import Any

import pytest
from support.core_nights import first_refused, kitty, rummy

from tracker.core.errors import NoLongerFits


def test_an_undo_brings_back_the_state_before() -> None:
    night = rummy("abc")
    for kind, fields in PLAYED:
        before = night.night
        night.record(kind, **fields)
        after = night.night
        night.undo()
        assert night.night == before
        night.undo()
        assert night.night == after


PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("sit", {"seat": "d", "name": "D"}),
    ("order", {"seats": ["a", "d", "c", "b"]}),
    ("hand", {"dealer": "a"}),
    ("bid", {"seat": "d", "chips": 1}),
    ("pass", {"seat": "c"}),
    ("pass", {"seat": "b"}),
    ("collect", {"seat": "b", "pot": "jack-spades"}),
    ("rule", {"change": {"ante.dealer": 1}}),
    ("penalty", {"seat": "c", "offence": "withheld-card", "suit": "C"}),
    ("borrow", {"seat": "c", "source": "king-clubs", "chips": 2}),
    ("out", {"seat": "a", "cards": {"b": 1, "c": 2, "d": 3}}),
    ("held", {"pot": "king-clubs", "seat": "d", "offender": "c"}),
    ("poker", {"winners": ["b", "d"]}),
    ("repay", {"seat": "c", "holder": "king-clubs", "chips": 1}),
    ("move", {"source": "a", "target": "b", "chips": 1}),
    ("count", {"stacks": {"a": 1}}),
    ("hand", {"dealer": "b"}),
    ("abandon", {}),
    ("leave", {"seat": "d"}),
    ("end", {}),
]


@pytest.mark.parametrize("event", [0, 3, 4, 99, "nothing", "", "1"])
def test_only_an_earlier_event_can_be_taken_back(event: int | str) -> None:
    assert rummy("ab").refusal("undo", event=event).code == "unknown"
    assert rummy("ab").refusal("amend", event=event, change={"name": "X"}).code == "unknown"


@pytest.mark.parametrize("event", [-1, 1.5, None, True, [1], {"a": 1}])
def test_an_event_is_named_by_a_number_or_an_id_and_nothing_else(event: object) -> None:
    assert rummy("ab").refusal("undo", event=event).facts["field"] == "event"


def test_an_undone_event_is_not_undone_again() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).undo(3)
    assert night.refusal("undo", event=3).code == "already-done"
    assert night.refusal("amend", event=3, change={"chips": 6}).code == "already-done"


def test_an_event_in_the_middle_is_taken_back_and_the_rest_replayed() -> None:
    night = rummy("abc").record("buy", seat="a", chips=50).hand("a").collect("b", "jack-spades")
    night.undo(4)
    assert night.stacks == {"a": 82, "b": 95, "c": 91}


def test_an_undo_across_the_end_of_a_hand() -> None:
    night = rummy("abc").hand("a").out("b", a=2, c=3)
    out = night.number("out")
    night.collect("a", "king-clubs").record("hand", dealer="b")
    assert first_refused(night.refusal("undo", event=out)) == night.number("hand")
    night.undo(night.number("hand")).undo(out)
    assert (night.night.phase, night.night.hand, night.stacks["a"]) == ("play", 1, 86)
    night.out("c", a=2, b=1).record("hand", dealer="b")


def test_an_amend_across_the_end_of_a_hand_changes_later_events() -> None:
    night = rummy("abc").hand("a").out("b", a=2, c=3)
    out = night.number("out")
    night.hand("b").out("a", b=0, c=0)
    before = night.stacks
    night.amend(out, seat="c", cards={"a": 2, "b": 1})
    assert {seat: night.stacks[seat] - before[seat] for seat in "abc"} == {"a": 0, "b": -4 - 5 - 1, "c": 4 + 3 + 3}


def test_the_first_event_that_no_longer_fits_is_named() -> None:
    night = kitty("pqr", 20).record("buy", seat="q", chips=5).hand("p").record("move", source="q", target="p", chips=17)
    assert first_refused(night.refusal("undo", event=4)) == 7
    assert "5 short" in str(night.refusal("undo", event=4))


def test_a_sit_is_taken_back_only_while_nobody_depends_on_it() -> None:
    night = rummy("abc").undo(3)
    assert night.night.seats == ("a", "b")
    night = rummy("abc").hand("a").out("a", b=1, c=1)
    assert first_refused(night.refusal("undo", event=3)) == night.number("out")
    night = rummy("abc").hand("a").undo(3)
    assert night.night.current_deal().seats == ("b", "a")
    assert set(night.pots.values()) == {3}


def test_a_leave_is_taken_back_with_all_that_it_paid() -> None:
    night = rummy("abc").moves("a", c=10).record("leave", seat="c").undo(5)
    assert (night.night.seats, night.stacks["c"]) == (("a", "b", "c"), 110)
    night.record("leave", seat="c").record("sit", seat="c", name="C")
    assert first_refused(night.refusal("undo", event=7)) == 8


# Amending


def test_chips_are_amended_also_to_none_or_to_the_presets_stack() -> None:
    bought = rummy("ab").record("buy", seat="a", chips=5).amend(3, chips=50)
    assert (bought.stacks["a"], bought.night.ledger.bought["a"]) == (150, 150)
    night = rummy("ab", 60).amend(1, chips=0)
    assert night.stacks == {"a": 0, "b": 60}
    assert night.amend(1, chips=None).stacks == {"a": 100, "b": 60}
    night.hand("a")
    assert first_refused(night.refusal("amend", event=1, change={"chips": 17})) == night.number("hand")


def test_the_seat_and_the_pot_are_amended() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades")
    collect = night.number("collect")
    night.amend(collect, seat="c")
    assert night.stacks == {"a": 82, "b": 91, "c": 95}
    night.amend(collect, pot="king-clubs")
    assert (night.stacks["c"], night.pots["jack-spades"], night.pots["king-clubs"]) == (95, 4, 0)


def test_a_change_must_leave_a_well_formed_event() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5)
    wrong = [{}, {"kind": "leave"}, {"chips": -1}, {"chips": "many"}, {"chips": None}, {"price": 3}, {"seat": 5}]
    for change in (*wrong, {"id": "x"}):
        assert night.refusal("amend", event=3, change=change).code == "bad-event", change


def test_a_change_that_the_rules_refuse_names_the_corrected_event_and_the_rule() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades")
    collect = night.number("collect")
    for change, code in (({"pot": "jackpot"}, "not-allowed"), ({"seat": "nobody"}, "unknown")):
        refusal = night.refusal("amend", event=collect, change=change)
        assert first_refused(refusal) == collect
        assert isinstance(refusal, NoLongerFits)
        assert refusal.cause.code == code


def test_a_change_that_breaks_a_later_event_names_that() -> None:
    night = rummy("abc").hand("a").collect("b", "jack-spades").collect("b", "king-clubs")
    collect = night.number("collect") - 1
    assert first_refused(night.refusal("amend", event=collect, change={"pot": "king-clubs"})) == collect + 1
