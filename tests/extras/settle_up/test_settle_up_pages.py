"""Settling several nights together: one list, and at its last tick every night's own payments stand as paid."""

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote

import pytest
from extras._shared.known_people import known_people
from hypothesis import given, strategies as st
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.sample_nights import Form

from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.core.payment_list import payment_list
from tracker.core.settlement import Payment, equal_shares
from tracker.extras._people import LinkedSeat, people_of
from tracker.extras.settle_up.pages import cents_from
from tracker.extras.settle_up.settle_list import ListedSeat, NightCost, OpenPayment, SettleUp
from tracker.formats.codec import event_from
from tracker.storage import NotSaved

NIGHTS = ({"ann": 100, "ben": -60, "mia": -40}, {"ann": -30, "ben": -20, "mia": 50})
"""What each has won, in chips of 5 cents."""


def ended_night(site: Site, wins: dict[str, int], name: str) -> OpenNight:
    """Play a night without a hand: chips go by hand from seat to seat."""
    table = site.tables.open("michigan-rummy", {"money.chips": 1, "money.cents": 5, "money.coin": 5}, name)
    seated = [{"kind": "sit", "seat": seat, "name": seat.title(), "chips": 200} for seat in wins]
    lost, won = ({seat: net for seat, net in wins.items() if (net > 0) == is_won} for is_won in (False, True))
    losers = [{"kind": "move", "source": seat, "target": "jackpot", "chips": -net} for seat, net in lost.items()]
    winners = [{"kind": "move", "source": "jackpot", "target": seat, "chips": net} for seat, net in won.items()]
    for raw in [*seated, *losers, *winners, {"kind": "end"}]:
        table.record(event_from(raw), id=new_id(), by="host")
    return table


@pytest.fixture(name="nights")
def _nights(site: Site) -> list[OpenNight]:
    return [ended_night(site, wins, f"Evening {at}") for at, wins in enumerate(NIGHTS)]


@pytest.fixture(name="linked")
def _linked(site: Site, nights: list[OpenNight]) -> None:
    """Choose one person for each name of both nights."""
    people = known_people(site.tables)
    for seat in ("ann", "ben", "mia"):
        people.add(seat.title(), [LinkedSeat(table.code, seat) for table in nights])


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


@pytest.mark.usefixtures("linked")
def test_linked_people_settle_both_nights_by_the_fewest_payments(host: ClientPhone) -> None:
    assert lines(host, made_list(host)) == ["Ben pays Ann 3.50", "Ben pays Mia 0.50"]


def test_people_who_are_not_linked_are_kept_apart_by_evening(
    site: Site, host: ClientPhone, nights: list[OpenNight]
) -> None:
    for table in nights:
        for seat in table.night.seats:
            people_of(site.tables).unlink(table.code, seat)
    address = made_list(host)
    shown = lines(host, address)
    assert len(shown) == 4
    assert all(re.match(r"\w+ \(\d+ \w+\) pays \w+ \(\d+ \w+\) [\d.]+$", line) for line in shown)


@pytest.mark.usefixtures("linked")
def test_the_last_tick_records_every_open_payment_in_its_night_and_undo_takes_it_back(
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


@pytest.mark.usefixtures("linked")
def test_a_shared_cost_joins_the_list_until_something_is_ticked(host: ClientPhone, nights: list[OpenNight]) -> None:
    address = made_list(host)
    for table in nights:
        assert "settled together with those of other nights" in host.get(f"/n/{table.code}/settle").text
    page = host.get(f"{address}?night={nights[0].code}").text
    assert nights[1].code not in "".join(re.findall(r"<option [^>]+>", page)), "one evening is asked for at a time"
    form = pizza(host, address, nights[0], "Ben")
    for _twice in range(2):
        assert host.post(f"{address}/cost", form).status_code == 303
    assert lines(host, address) == ["Mia pays Ben 2.67", "Mia pays Ann 0.16"]
    assert host.post(f"{address}/cost", {**form, "cost": "ten", "key": new_id()}).status_code >= 400
    assert host.post(f"{address}/cost", {**form, "what": "a\x07b", "key": new_id()}).status_code == 422
    assert tick(host, address, 0) == 303
    assert host.post(f"{address}/cost/remove", {"cost": form["key"]}).status_code >= 400
    assert tick(host, address, 0, "open") == 303
    assert host.post(f"{address}/cost/remove", {"cost": form["key"]}).status_code == 303
    assert lines(host, address) == ["Ben pays Ann 3.50", "Ben pays Mia 0.50"]


@pytest.mark.usefixtures("linked")
def test_a_payment_that_a_new_cost_has_changed_is_not_ticked_from_an_older_page(
    host: ClientPhone, nights: list[OpenNight]
) -> None:
    address = made_list(host)
    old = next(one for one in forms_at(host, address) if one.button == "wants=paid")
    host.post(f"{address}/cost", pizza(host, address, nights[0], "Ben"))
    assert host.post(old.action, old.fields).status_code == 409
    new = next(one for one in forms_at(host, address) if one.button == "wants=paid")
    assert host.post(new.action, new.fields).status_code == 303


@pytest.mark.usefixtures("linked")
def test_a_night_that_is_wholly_paid_can_have_a_shared_cost_and_stays_paid(
    host: ClientPhone, nights: list[OpenNight]
) -> None:
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


@pytest.mark.usefixtures("linked")
def test_the_list_is_a_text_to_hand_round(host: ClientPhone, nights: list[OpenNight]) -> None:
    address = made_list(host)
    host.post(f"{address}/cost", pizza(host, address, nights[0], "Ben", what="=Pizza"))
    tick(host, address, 1)
    shown = HtmlPage(host.get(address).text)
    text = shown.text("#result")
    assert "Mia pays Ben 2.67 Mia pays Ann 0.16 (paid)" in " ".join(text.split())
    assert "'=Pizza 10.00: Ben paid for everybody" in text, "in a spreadsheet it would be a formula"
    (message, *_others) = shown.values(".share a", "href")
    assert unquote(message.partition("body=")[2]).split() == text.split()


@pytest.mark.usefixtures("linked")
def test_a_night_that_was_changed_since_refuses_ticks_and_is_named(host: ClientPhone, nights: list[OpenNight]) -> None:
    address = made_list(host)
    nights[0].record(payment_list(nights[0].night)[0].event, id=new_id(), by="host")
    assert "Evening 0" in host.get(address).text.partition("Changed since")[2][:200]
    assert tick(host, address, 0) >= 400
    assert host.post(f"{address}/delete").status_code == 303


@pytest.mark.usefixtures("linked")
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
def test_shares_of_a_cost_are_whole_cents_that_sum_to_it_and_differ_by_one_at_most(
    cents: int, sharers: list[str]
) -> None:
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


def test_ten_euros_for_three_cost_the_first_one_a_cent_more() -> None:
    assert equal_shares(1000, "abc") == {"a": 334, "b": 333, "c": 333}
    owed = [OpenPayment("night", "b", "a", 500)]
    cost = NightCost("night", "pizza", "a", ("a", "b", "c"), 1000)
    assert payments(owed, [cost]) == [("b", "a", 833), ("c", "a", 333)]
