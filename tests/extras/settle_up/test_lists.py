"""Lists that settle several nights: where else they stand, and that changes at the same moment lose nothing."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from operator import methodcaller
from pathlib import Path

import pytest
from extras._shared.known_people import known_people
from support.at_once import at_once
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.polling import wait_until
from support.sample_nights import ended_night, visible_text

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.core.errors import TableError
from tracker.core.payment_list import payment_list
from tracker.extras._people import LinkedSeat
from tracker.extras._removal import remove_nights
from tracker.extras.settle_up.pages import ListSettings, SettleLists
from tracker.extras.settle_up.settle_list import ListedSeat, NightCost, OpenPayment, SettleUp
from tracker.formats.codec import event_from
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.wording.texts import amount

# In the data file, the result, a group, what is kept of a person or erased


LIST = SettleUp(
    "2026-11-22T20:00:00Z",
    (ListedSeat("k7q", "ben", "person:b1", "Ben"), ListedSeat("k7q", "mia", "k7q/mia", "Mia")),
    (OpenPayment("k7q", "ben", "mia", 350),),
    (NightCost("k7q", "Pizza", "k7q/mia", ("person:b1", "k7q/mia"), 2001, "c1"),),
    frozenset({0}),
    0,
    2,
)


@pytest.mark.every_place
def test_a_list_is_read_as_it_was_stored_under_the_key_of_older_data_files(tables: Nights) -> None:
    settings = ListSettings(tables.store)
    settings.settle_ups.put("a1", LIST)
    assert ListSettings(tables.store).settle_ups.all() == {"a1": LIST}
    stored = json.loads(tables.store.settings("")["settle-up:a1"])
    assert stored["seats"][0] == ["k7q", "ben", "person:b1", "Ben"]


def make(site: Site, name: str, *codes: str) -> None:
    SettleLists(site.tables, Summaries(site.tables)).make(codes, name)


def test_a_night_that_is_erased_takes_its_lists_along_and_leaves_the_others(site: Site) -> None:
    needs("erase")
    gone, stays, other = (ended_night(site, {"money.cents": 5}) for _ in range(3))
    make(site, "together", gone.table.code, stays.table.code)
    make(site, "alone", other.table.code)
    said = "The list that settles it with other nights. What is open in those stays open."
    assert said in visible_text(gone.host.get(f"/nights/{gone.table.code}/erase"))
    heads = {gone.table.code: gone.table.head}
    assert remove_nights(site.tables, {gone.table.code: gone.table.head - 1}) == []
    assert {*ListSettings(site.tables.store).settle_ups.names()} == {"together", "alone"}
    assert remove_nights(site.tables, heads) == [gone.table.code]
    assert ListSettings(site.tables.store).settle_ups.names() == ["alone"]
    assert said not in visible_text(stays.host.get(f"/nights/{stays.table.code}/erase"))
    free = HtmlPage(site.host().get("/settle-up").text).values("input[name=night]", "value")
    assert free == [stays.table.code]
    assert payment_list(stays.table.night)


@pytest.mark.parametrize("decimals", [0, 2, 3])
def test_what_is_open_is_said_in_the_money_of_its_night(site: Site, decimals: int) -> None:
    night = ended_night(site, {"money.cents": 125, "money.decimals": decimals})
    owed = sum(one.event.cents for one in payment_list(night.table.night))
    assert amount(owed, decimals) in visible_text(site.host().get("/settle-up"))


def test_the_payments_of_a_group_are_those_of_its_nights(site: Site, host: ClientPhone) -> None:
    nights = [ended_night(site, {"money.cents": 5}).table for _ in range(2)]
    nights[0].settings.group = "Saturday"
    for address, wanted in (("/settle-up?group=Saturday", nights[:1]), ("/settle-up", nights)):
        found = HtmlPage(host.get(address).text).values("input[name=night]", "value")
        assert sorted(found) == sorted(table.code for table in wanted)
    if "groups.page" in site.app.view_functions:  # where an extra has a page of a group
        assert "/settle-up?group=Saturday" in HtmlPage(host.get("/group?name=Saturday").text).values("main a", "href")


def test_the_result_leads_its_host_to_the_list_with_other_nights(site: Site) -> None:
    one, other = (ended_night(site, {"money.cents": 5}) for _ in range(2))
    said = "These are settled together with those of other nights"
    assert said not in visible_text(one.host.get(f"{one.base}/settle"))
    make(site, "together", one.table.code, other.table.code)
    page = HtmlPage(one.host.get(f"{one.base}/settle").text)
    assert said in page.text("main")
    assert page.has('a[href="/settle-up/together"]')
    guests = HtmlPage(one.ben.get(f"{one.base}/settle").text)
    assert said in guests.text("main")
    assert not guests.has('a[href="/settle-up/together"]')


def test_what_is_kept_of_a_person_has_their_payments_and_somebody_forgotten_is_in_no_list(site: Site) -> None:
    night, host = ended_night(site, {"money.cents": 5}), site.host()
    people = known_people(site.tables)
    mia = people.add("Mia", [LinkedSeat(night.table.code, "mia")])
    make(site, "list", night.table.code)
    kept = json.loads(host.get(f"/people/{mia.id}/kept.json").text)["settled together"]
    assert [one["made at"][:2] for one in kept] == ["20"]
    assert all("Mia" in (pay["from"], pay["to"]) for pay in kept[0]["payments"])
    people.rename(mia.id, "Wilma")
    assert "Wilma" in visible_text(host.get("/settle-up/list"))
    assert host.post(f"/people/{mia.id}/forget").status_code == 303
    assert "Wilma" not in host.get("/settle-up/list").text


# Changed at the same moment by two threads or two processes


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
