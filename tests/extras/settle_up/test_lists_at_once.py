"""Lists that settle several nights, changed at the same moment by two threads or two processes: nothing is lost."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from operator import methodcaller
from pathlib import Path

import pytest
from support.at_once import at_once
from support.client_phones import Site
from support.polling import wait_until

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.core.errors import TableError
from tracker.extras.settle_up.pages import SettleLists
from tracker.extras.settle_up.settle_list import NightCost
from tracker.formats.codec import event_from
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub

SEATS = ("ann", "ben", "mia", "leo", "zoe", "tom", "eva", "max")
pytestmark = pytest.mark.every_place


def served(store: Store) -> Nights:
    """Return the nights of an app, which hears of what others write where that is possible."""
    return Site(Nights(store, StreamHub())).tables


@pytest.fixture(name="lists")
def _lists(place: Path | DataPlace) -> Iterator[tuple[SettleLists, SettleLists]]:
    """The lists at two processes over a database, or in two requests of one over a file; one night is ended."""
    with ExitStack() as opened:
        here = served(opened.enter_context(closing(Store(place))))
        is_database = not isinstance(place, Path)
        there = served(opened.enter_context(closing(Store(place)))) if is_database else here
        first, second = (SettleLists(one, Summaries(one)) for one in (here, there))
        table = here.open("michigan-rummy", {"money.chips": 1, "money.cents": 5, "money.coin": 5})
        seats = [{"kind": "sit", "seat": seat, "name": seat.title(), "chips": 200} for seat in SEATS]
        losses = [
            {"kind": "move", "source": seat, "target": "ann", "chips": 10 + at} for at, seat in enumerate(SEATS[1:])
        ]
        for raw in [*seats, *losses, {"kind": "end"}]:
            table.record(event_from(raw), id=new_id(), by="host")
        yield first, second


def made(lists: tuple[SettleLists, SettleLists], name: str) -> str:
    lists[0].make([night.code for night in lists[0].free_nights()], name)
    wait_until(lambda: name in lists[1].all())  # the other process is told of it a moment later
    return name


def test_payments_ticked_at_once_are_all_ticked_and_the_last_one_records_them(
    lists: tuple[SettleLists, SettleLists],
) -> None:
    name = made(lists, "list")
    places = range(len(lists[0].find(name).payments))
    assert len(places) == len(SEATS) - 1
    at_once([partial(lists[at % 2].tick, name, at, is_paid=True, by="host") for at in places])
    assert lists[0].find(name).is_recorded


def test_costs_added_and_removed_at_once_are_all_added_and_removed(lists: tuple[SettleLists, SettleLists]) -> None:
    name = made(lists, "list")
    code, *_ = lists[0].find(name).codes
    parties = tuple(seat.party for seat in lists[0].find(name).seats)
    costs = [NightCost(code, f"Pizza {at}", parties[0], parties, 100, f"key-{at}") for at in range(8)]
    at_once([partial(lists[at % 2].change, name, methodcaller("with_cost", cost)) for at, cost in enumerate(costs)])
    assert {cost.key for cost in lists[0].find(name).costs} == {cost.key for cost in costs}
    at_once(
        [
            partial(lists[at % 2].change, name, methodcaller("without_cost", cost.key))
            for at, cost in enumerate(costs[:5])
        ]
    )
    assert {cost.key for cost in lists[0].find(name).costs} == {"key-5", "key-6", "key-7"}


def test_one_night_is_in_one_list_however_many_are_made_at_once(lists: tuple[SettleLists, SettleLists]) -> None:
    codes = [night.code for night in lists[0].free_nights()]

    def make(at: int) -> None:
        with suppress(TableError):  # its night is in another list
            lists[at % 2].make(codes, f"list-{at}")

    at_once([partial(make, at) for at in range(8)])
    assert len(lists[0].all()) == 1
