"""Events are values: the same facts make the same event, and nothing about one can be changed."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from tracker.core.events import KINDS, Amount, Buy, Collect, Event, NoSale


def test_an_event_says_what_it_holds() -> None:
    assert repr(Buy("ann", Amount(2))) == "Buy(seat='ann', chips=2)"
    assert repr(NoSale()) == "NoSale()"
    assert repr(Collect("ann", "ten-hearts")) == "Collect(seat='ann', pot='ten-hearts')"


def test_nothing_about_an_event_can_be_changed() -> None:
    bought = Buy("ann", Amount(2))
    with pytest.raises(FrozenInstanceError):
        bought.chips = Amount(3)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del bought.chips
    assert bought.chips == 2


def test_every_kind_holds_its_fields_and_two_events_are_equal_when_kind_and_fields_are() -> None:
    made = list[Event]()
    for kind in KINDS.values():
        facts = {one.name: f"a {one.name}" for one in fields(kind)}
        event = kind(**facts)
        assert vars(event) == facts
        assert (event, hash(event)) == (kind(**facts), hash(kind(**facts)))
        assert all(event != replace(event, **{name: "other"}) for name in facts), event
        made.append(event)
    assert len(set(made)) == len(KINDS)
    assert NoSale() != "no-sale"
