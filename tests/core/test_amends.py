"""Amend: fields of an earlier event are corrected, also of an earlier amend, and the rest is replayed."""

import pytest
from support.core_nights import CoreNight, rummy

from tracker.core.errors import NoLongerFits, TableError


def first_refused(refusal: TableError) -> int:
    assert isinstance(refusal, NoLongerFits)
    assert f"event {refusal.number} " in str(refusal)
    return refusal.number


def number(night: CoreNight, kind: str) -> int:
    """Return the number of the last event of that kind."""
    return max(entry.number for entry in night.entries if entry.event.kind == kind)


# Amending


def test_chips_are_amended() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("amend", event=3, change={"chips": 50})
    assert (night.stacks["a"], night.night.ledger.bought["a"]) == (150, 150)


def test_the_chips_of_a_sit_are_amended_also_to_none_or_to_the_presets_stack() -> None:
    night = rummy("ab", 60).record("amend", event=1, change={"chips": 0})
    assert night.stacks == {"a": 0, "b": 60}
    night.record("amend", event=1, change={"chips": None})
    assert night.stacks == {"a": 100, "b": 60}
    night.hand("a")
    assert first_refused(night.refusal("amend", event=1, change={"chips": 17})) == number(night, "hand")


def test_the_seat_and_the_pot_are_amended() -> None:
    night = rummy("abc").hand("a").record("collect", seat="b", pot="jack-spades")
    collect = number(night, "collect")
    night.record("amend", event=collect, change={"seat": "c"})
    assert night.stacks == {"a": 82, "b": 91, "c": 95}
    night.record("amend", event=collect, change={"pot": "king-clubs"})
    assert (night.stacks["c"], night.pots["jack-spades"], night.pots["king-clubs"]) == (95, 4, 0)


def test_several_amends_of_one_event_add_up_and_each_can_be_taken_back() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5)
    night.record("amend", event=3, change={"chips": 7}).record("amend", event=3, change={"seat": "b"})
    assert night.stacks == {"a": 100, "b": 107}
    night.record("undo", event=4)
    assert night.stacks == {"a": 100, "b": 105}
    night.record("undo", event=5)
    assert night.stacks == {"a": 105, "b": 100}


def test_an_amended_event_is_taken_back_and_comes_back_amended() -> None:
    night = (
        rummy("ab")
        .record("buy", seat="a", chips=5)
        .record("amend", event=3, change={"chips": 7})
        .record("undo", event=3)
    )
    assert night.stacks["a"] == 100
    night.record("undo", event=5)
    assert night.stacks["a"] == 107


def test_amending_an_amend_corrects_the_same_event_and_the_newer_fields_win() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("amend", event=3, change={"chips": 7, "seat": "b"})
    night.record("amend", event=4, change={"chips": 8})
    assert night.stacks == {"a": 100, "b": 108}
    night.record("amend", event=5, change={"seat": "a"})
    assert night.stacks == {"a": 108, "b": 100}
    night.record("undo", event=5)
    assert night.stacks == {"a": 107, "b": 100}
    assert night.refusal("amend", event=4, change={"change": {"chips": 9}}).code == "bad-event"


def test_an_undo_is_taken_back_and_not_amended_and_nothing_that_was_taken_back_is() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5).record("amend", event=3, change={"chips": 7})
    night.record("undo", event=3)
    assert night.refusal("amend", event=5, change={"event": 1}).code == "not-allowed"
    assert night.refusal("amend", event=4, change={"chips": 8}).code == "already-done"


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
    night = rummy("ab").record("buy", seat="a", chips=5)
    assert night.refusal("amend", event=3, change=change).code == "bad-event"


def test_a_change_that_the_rules_refuse_names_the_corrected_event_and_the_rule() -> None:
    night = rummy("abc").hand("a").record("collect", seat="b", pot="jack-spades")
    collect = number(night, "collect")
    for change, code in (({"pot": "jackpot"}, "not-allowed"), ({"seat": "nobody"}, "unknown")):
        refusal = night.refusal("amend", event=collect, change=change)
        assert first_refused(refusal) == collect
        assert isinstance(refusal, NoLongerFits)
        assert refusal.cause.code == code


def test_a_change_that_breaks_a_later_event_names_that() -> None:
    night = rummy("abc").hand("a").record("collect", seat="b", pot="jack-spades")
    night.record("collect", seat="b", pot="king-clubs")
    collect = number(night, "collect") - 1
    assert first_refused(night.refusal("amend", event=collect, change={"pot": "king-clubs"})) == collect + 1


def test_an_amend_by_id_changes_that_event() -> None:
    night = rummy("ab").record("buy", seat="a", chips=5, id="x1").record("buy", seat="a", chips=5, id="x2")
    night.record("amend", event="x1", change={"chips": 1})
    assert night.stacks["a"] == 106
