"""Settling several nights together: one list, and at its last tick every night's own payments stand as paid."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from operator import methodcaller
from pathlib import Path
from urllib.parse import unquote

import pytest
from extras._shared.known_people import known_people
from hypothesis import given, strategies as st
from support.at_once import at_once, sites_at
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.of_extras import needs
from support.polling import wait_until
from support.sample_nights import Form, ended_night, visible_text

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.payment_list import payment_list
from tracker.core.settlement import Payment, equal_shares
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras._people import LinkedSeat, people_of
from tracker.extras._removal import remove_nights
from tracker.extras.settle_up.pages import ListSettings, SettleLists, cents_from
from tracker.extras.settle_up.settle_list import ListedSeat, NightCost, OpenPayment, SettleUp
from tracker.formats.codec import event_from
from tracker.storage import DataPlace, NotSaved
from tracker.web.wording.texts import amount

NIGHTS = ({"ann": 100, "ben": -60, "mia": -40}, {"ann": -30, "ben": -20, "mia": 50})
"""What each has won, in chips of 5 cents."""


def night_won(tables: Nights, wins: dict[str, int], name: str) -> OpenNight:
    """Play a night without a hand: chips go by hand from seat to seat."""
    table = tables.open("michigan-rummy", {"money.chips": 1, "money.cents": 5, "money.coin": 5}, name)
    seated = [{"kind": "sit", "seat": seat, "name": seat.title(), "chips": 200} for seat in wins]
    lost, won = ({seat: net for seat, net in wins.items() if (net > 0) == is_won} for is_won in (False, True))
    losers = [{"kind": "move", "source": seat, "target": "jackpot", "chips": -net} for seat, net in lost.items()]
    winners = [{"kind": "move", "source": "jackpot", "target": seat, "chips": net} for seat, net in won.items()]
    for raw in [*seated, *losers, *winners, {"kind": "end"}]:
        table.record(event_from(raw), id=new_id(), by="host")
    return table


@pytest.fixture(name="nights")
def _nights(site: Site) -> list[OpenNight]:
    """Two nights, with one person for each name of both."""
    people, tables = known_people(site.tables), site.tables
    nights = [night_won(tables, wins, f"Evening {at}") for at, wins in enumerate(NIGHTS)]
    for seat in ("ann", "ben", "mia"):
        people.add(seat.title(), [LinkedSeat(table.code, seat) for table in nights])
    return nights


def made_list(host: ClientPhone) -> str:
    """Make a list over all nights that are offered and return its address."""
    page = host.get("/settle-up").text
    codes = re.findall(r'name="night" value="(\w+)"', page)
    answer = host.post("/settle-up", {"night": codes, "key": re.findall(r'name="key" value="(\w+)"', page)[0]})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def pizza(host: ClientPhone, address: str, night: OpenNight, payer: str, **fields: str) -> Form:
    """Return what the form of a list sends for a pizza of 10.00, which somebody has paid at that evening."""
    payers = re.findall(rf'<option value="([^"]+)">{payer}', host.get(f"{address}?night={night.code}").text)
    [found] = [one for one in payers if one.startswith(night.code)]
    return {"payer": found, "what": "Pizza", "cost": "10,00", "key": new_id(), **fields}


def lines(host: ClientPhone, address: str) -> list[str]:
    """Return the payments that a list shows, as text."""
    part = host.get(address).text.partition('id="who"')[2].partition("</section>")[0]
    rows = re.findall(r"<li.*?</li>", part, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]


def is_paid(table: OpenNight) -> list[bool]:
    return [one.is_made for one in payment_list(table.night)]


def tick(host: ClientPhone, address: str, place: int, wants: str = "paid") -> int:
    return host.post(f"{address}/tick", {"place": str(place), "wants": wants}).status_code


def test_linked_people_settle_both_nights_by_the_fewest_payments_and_others_are_kept_apart_by_evening(
    site: Site, host: ClientPhone, nights: list[OpenNight]
) -> None:
    address = made_list(host)
    assert lines(host, address) == ["Ben pays Ann 3.50", "Ben pays Mia 0.50"]
    assert host.post(f"{address}/delete").status_code == 303
    for table in nights:
        for seat in table.night.seats:
            people_of(site.tables).unlink(table.code, seat)
    address = made_list(host)
    shown = lines(host, address)
    assert len(shown) == 4
    assert all(re.match(r"\w+ \(\d+ \w+\) pays \w+ \(\d+ \w+\) [\d.]+$", line) for line in shown)


def test_the_last_tick_records_all_payments_and_undo_takes_them_back(
    host: ClientPhone, nights: list[OpenNight]
) -> None:
    address = made_list(host)
    for _again in range(2):
        assert tick(host, address, 0) == 303
        assert not any(is_paid(nights[0]) + is_paid(nights[1])), "before the last tick nothing is recorded"
        assert tick(host, address, 1) == 303
        heads = [table.head for table in nights]
        assert all(is_paid(nights[0]) + is_paid(nights[1]))
        assert "Everything is paid" in host.get(f"/n/{nights[0].code}/settle").text
        assert tick(host, address, 1) == 303
        assert [table.head for table in nights] == heads, "sent twice it is recorded once"
        assert host.post(f"{address}/delete").status_code == 422, "it is recorded"
        assert host.post(f"{address}/undo").status_code == 303
        assert not any(is_paid(nights[0]) + is_paid(nights[1]))
        assert tick(host, address, 0, "open") == 303
    assert host.post(f"{address}/delete").status_code == 303
    assert len(re.findall('name="night"', host.get("/settle-up").text)) == 2


def test_a_shared_cost_joins_the_list_until_something_is_ticked(host: ClientPhone, nights: list[OpenNight]) -> None:
    address = made_list(host)
    first_tick = next(one for one in forms_at(host, address) if one.button == "wants=paid")
    page = host.get(f"{address}?night={nights[0].code}").text
    assert nights[1].code not in "".join(re.findall(r"<option [^>]+>", page)), "one evening is asked for at a time"
    form = pizza(host, address, nights[0], "Ben", what="=Pizza")
    for _twice in range(2):
        assert host.post(f"{address}/cost", form).status_code == 303
    assert lines(host, address) == ["Mia pays Ben 2.67", "Mia pays Ann 0.16"]
    assert host.post(f"{address}/cost", {**form, "cost": "ten", "key": new_id()}).status_code >= 400
    assert host.post(f"{address}/cost", {**form, "what": "a\x07b", "key": new_id()}).status_code == 422
    assert host.post(first_tick.action, first_tick.fields).status_code == 409, "the page did not show the new cost"
    assert tick(host, address, 1) == 303
    shown = HtmlPage(host.get(address).text)
    text = shown.text("#result")
    assert "Mia pays Ben 2.67 Mia pays Ann 0.16 (paid)" in " ".join(text.split())
    assert "'=Pizza 10.00: Ben paid for everybody" in text, "in a spreadsheet it would be a formula"
    (message, *_others) = shown.values(".share a", "href")
    assert unquote(message.partition("body=")[2]).split() == text.split()
    assert host.post(f"{address}/cost/remove", {"cost": form["key"]}).status_code >= 400
    assert tick(host, address, 1, "open") == 303
    assert host.post(f"{address}/cost/remove", {"cost": form["key"]}).status_code == 303
    assert lines(host, address) == ["Ben pays Ann 3.50", "Ben pays Mia 0.50"]
    new = next(one for one in forms_at(host, address) if one.button == "wants=paid")
    assert host.post(new.action, new.fields).status_code == 303


def test_a_night_that_is_paid_can_have_a_shared_cost_and_stays_paid(host: ClientPhone, nights: list[OpenNight]) -> None:
    for table in nights:
        for one in payment_list(table.night):
            table.record(one.event, id=new_id(), by="host")
    page = host.get("/settle-up").text
    assert "Nothing is open" in page
    assert page.count('name="night"') == 2
    answer = host.post("/settle-up", {"night": nights[0].code, "key": new_id()})
    address, heads = answer.headers["Location"], [table.head for table in nights]
    assert "Record it in the nights" not in host.get(address).text
    assert host.post(f"{address}/cost", pizza(host, address, nights[0], "Mia", cost="9")).location
    assert sorted(lines(host, address)) == ["Ann pays Mia 3.00", "Ben pays Mia 3.00"]
    assert (tick(host, address, 0), tick(host, address, 1)) == (303, 303)
    assert "Undo the last tick" in host.get(address).text
    assert [table.head for table in nights] == heads, "nothing was open in the nights"


def test_a_night_that_was_changed_since_refuses_ticks_and_is_named(host: ClientPhone, nights: list[OpenNight]) -> None:
    address = made_list(host)
    nights[0].record(payment_list(nights[0].night)[0].event, id=new_id(), by="host")
    assert "Evening 0" in host.get(address).text.partition("Changed since")[2][:200]
    assert tick(host, address, 0) >= 400
    assert host.post(f"{address}/delete").status_code == 303


def test_a_disk_that_fails_on_the_way_leaves_a_list_that_records_the_rest(
    host: ClientPhone, nights: list[OpenNight], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = made_list(host)
    assert tick(host, address, 0) == 303
    record, count = OpenNight.record, [0]

    def failing(self: OpenNight, *args: object, **kwargs: object) -> object:
        count[0] += 1
        if count[0] == 2:
            raise NotSaved("full", certain=True)
        return record(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(OpenNight, "record", failing)
    assert tick(host, address, 1) == 503
    monkeypatch.undo()
    assert host.post(f"{address}/close").status_code == 303
    assert all(is_paid(nights[0]) + is_paid(nights[1]))
    assert "Everything is paid" in host.get(address).text


@pytest.mark.parametrize(
    ("text", "cents"), [("10", 1000), ("10,5", 1050), ("0.07", 7), (" 3.20 ", 320), ("1.234", 0), ("-1", 0), ("", 0)]
)
def test_a_sum_is_read_as_people_type_it(text: str, cents: int) -> None:
    assert cents_from(text) == cents


# Several nights settled at once: whole cents, none lost, and as few payments as a settlement needs.


PARTIES = [*"abcdefgh", "bank"]
PARTY, CENTS = st.sampled_from(PARTIES), st.integers(1, 10_000)
OPEN = st.lists(st.builds(OpenPayment, st.just("night"), PARTY, PARTY, CENTS), max_size=30)
SHARERS = st.lists(PARTY, min_size=1, unique=True)
COSTS = st.lists(st.builds(NightCost, st.just("night"), st.just(""), PARTY, SHARERS.map(tuple), CENTS), max_size=6)


def payments(owed: Sequence[OpenPayment], costs: Sequence[NightCost]) -> list[Payment]:
    seats = tuple(ListedSeat("night", party, party, party) for party in PARTIES[:-1])
    return SettleUp("", seats, tuple(owed), tuple(costs)).payments


@given(CENTS, SHARERS)
def test_shares_of_a_cost_are_whole_cents_that_sum_to_it_and_differ_by_one(cents: int, sharers: list[str]) -> None:
    shares = equal_shares(cents, sharers)
    assert sum(shares.values()) == cents
    assert [*shares] == sharers
    assert max(shares.values()) - min(shares.values()) <= 1
    assert [*shares.values()] == sorted(shares.values(), reverse=True), "the first ones bear the odd cents"


@given(OPEN, COSTS)
def test_combined_payments_bring_everybody_to_their_net_by_fewer_payments_than_people(
    owed: list[OpenPayment], costs: list[NightCost]
) -> None:
    nets = Counter(dict.fromkeys(PARTIES, 0))
    for due in owed:
        nets.update({due.source: -due.cents})
        nets.update({due.target: due.cents})
    for cost in costs:
        nets.update({cost.payer: cost.cents})
        nets.subtract(equal_shares(cost.cents, cost.sharers))
    assert sum(nets.values()) == 0
    made, left = payments(owed, costs), dict(nets)
    for one in made:
        assert one.chips > 0
        assert nets[one.debtor] < 0 < nets[one.creditor], "who gets money pays none"
        left[one.debtor] += one.chips
        left[one.creditor] -= one.chips
    assert not any(left.values())
    assert len(made) <= max(0, sum(map(bool, nets.values())) - 1)
    assert made == payments(owed[::-1], costs), "the order of the nights changes nothing"


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


@pytest.mark.every_place
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


@pytest.fixture(name="lists")
def _lists(place: Path | DataPlace) -> Iterator[tuple[SettleLists, SettleLists]]:
    """The lists at two processes over a database, or in two requests of one over a file; one night is ended."""
    with sites_at(place) as sites:
        first, second = (SettleLists(one.tables, Summaries(one.tables)) for one in (sites[0], sites[-1]))
        night_won(sites[0].tables, dict.fromkeys(SEATS, -10) | {"ann": 10 * (len(SEATS) - 1)}, "Evening")
        yield first, second


def made(lists: tuple[SettleLists, SettleLists], name: str) -> str:
    lists[0].make([night.code for night in lists[0].free_nights()], name)
    wait_until(lambda: name in lists[1].all())  # the other process is told of it a moment later
    return name


@pytest.mark.every_place
def test_payments_ticked_at_once_are_all_ticked_and_then_recorded(lists: tuple[SettleLists, SettleLists]) -> None:
    name = made(lists, "list")
    places = range(len(lists[0].find(name).payments))
    assert len(places) == len(SEATS) - 1
    at_once([partial(lists[at % 2].tick, name, at, is_paid=True, by="host") for at in places])
    assert lists[0].find(name).is_recorded


@pytest.mark.every_place
def test_costs_added_and_removed_at_once_are_all_added_and_removed(lists: tuple[SettleLists, SettleLists]) -> None:
    name = made(lists, "list")
    code, *_ = lists[0].find(name).codes
    parties = tuple(seat.party for seat in lists[0].find(name).seats)
    costs = [NightCost(code, f"Pizza {at}", parties[0], parties, 100, f"key-{at}") for at in range(8)]
    at_once([partial(lists[at % 2].change, name, methodcaller("with_cost", cost)) for at, cost in enumerate(costs)])
    assert {cost.key for cost in lists[0].find(name).costs} == {cost.key for cost in costs}
    gone = [methodcaller("without_cost", cost.key) for cost in costs[:5]]
    at_once([partial(lists[at % 2].change, name, without) for at, without in enumerate(gone)])
    assert {cost.key for cost in lists[0].find(name).costs} == {"key-5", "key-6", "key-7"}


@pytest.mark.every_place
def test_one_night_is_in_one_list_however_many_are_made_at_once(lists: tuple[SettleLists, SettleLists]) -> None:
    codes = [night.code for night in lists[0].free_nights()]

    def make(at: int) -> None:
        with suppress(TableError):  # its night is in another list
            lists[at % 2].make(codes, f"list-{at}")

    at_once([partial(make, at) for at in range(8)])
    assert len(lists[0].all()) == 1
