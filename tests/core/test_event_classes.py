"""Events are values: the same facts make the same event, and nothing about one can be changed."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from tracker.core.events import KINDS, Amount, Bid, Borrow, Buy, Collect, Event, Pass, Reverse


def test_the_same_facts_make_the_same_event() -> None:
    assert Buy("ann", Amount(2)) == Buy("ann", Amount(2))
    assert len({Buy("ann", Amount(2)), Buy("ann", Amount(2)), Buy("ann", Amount(3)), Buy("ben", Amount(2))}) == 3
    assert replace(Buy("ann", Amount(2)), seat="ben") == Buy("ben", Amount(2))


def test_other_facts_or_another_kind_make_another_event() -> None:
    assert Buy("ann", Amount(2)) != Buy("ann", Amount(3))
    assert Borrow("ann", "ben", Amount(2)) != Borrow("ben", "ann", Amount(2))
    assert Pass("ann") != Bid("ann", Amount(1))
    assert Reverse() == Reverse()
    assert Reverse() != "reverse"


def test_an_event_says_what_it_holds() -> None:
    assert repr(Buy("ann", Amount(2))) == "Buy(seat='ann', chips=2)"
    assert repr(Reverse()) == "Reverse()"
    assert repr(Collect("ann", "ten-hearts")) == "Collect(seat='ann', pot='ten-hearts')"


def test_nothing_about_an_event_can_be_changed() -> None:
    bought = Buy("ann", Amount(2))
    with pytest.raises(FrozenInstanceError):
        bought.chips = Amount(3)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del bought.chips
    assert bought.chips == 2


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.kind)
def test_every_kind_holds_its_fields_and_nothing_else(kind: type[Event]) -> None:
    facts = {one.name: f"a {one.name}" for one in fields(kind)}
    made = kind(**facts)
    assert vars(made) == facts
    assert made == kind(**facts)
    assert hash(made) == hash(kind(**facts))
    assert all(made != replace(made, **{name: "other"}) for name in facts)
