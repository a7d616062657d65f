"""Payments of the settlement: in money, rounded to a coin, ticked off on every phone."""

import re
from collections.abc import Mapping

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, ended_night, record, visible_text

from tracker.core import events
from tracker.core.payment_list import nets, payment_list
from tracker.web.settlement.pages import payment_of

MONEY: Mapping[str, int | str] = {"money.chips": 1, "money.cents": 5, "money.coin": 10}


def test_payments_are_in_money(site: Site) -> None:
    here = ended_night(site, {"money.chips": 20, "money.cents": 100, "money.coin": 5})
    said = visible_text(here.ben.get(f"{here.base}/settle"))
    assert "20 chips = 1.00" in said
    assert "pays Mia" in said


def tick_forms(here: SampleNight) -> list[dict[str, str | list[str]]]:
    """Return what each tick on the host's settlement page sends."""
    page = HtmlPage(here.host.get(f"{here.base}/settle").text)
    forms = page.select('form[action$="/settle/paid"]')
    return [{tag.get("name"): tag.get("value") for tag in form.select("[name][value]")} for form in forms]


def test_a_payment_is_ticked_off_on_every_phone(site: Site) -> None:
    here = ended_night(site, MONEY)
    tick = tick_forms(here)[0]
    mark = here.ben.get(f"{here.base}/settle/dues?seen=").headers["X-Mark"]
    assert here.ben.get(f"{here.base}/settle/dues?seen={mark}").status_code == 204
    for phone in (here.host, here.host, here.ben):  # tapped twice, it stays
        part = phone.post(f"{here.base}/settle/paid", tick, HX_Request="true")
        assert part.text.count('aria-pressed="true"') == 1
    assert 'aria-pressed="true"' in here.ben.get(f"{here.base}/settle/dues?seen={mark}").text
    assert here.table.entries[-1].event == payment_of({name: str(value) for name, value in tick.items()})
    head, untick = here.table.head, tick_forms(here)[0]
    for phone in (here.host, here.ben):
        part = phone.post(f"{here.base}/settle/paid", untick, HX_Request="true")
        assert 'aria-pressed="true"' not in part.text
    assert [entry.event for entry in here.table.entries[head:]] == [events.Undo(head)]


def test_only_payments_of_the_settlement_are_ticked_by_people_at_the_table(site: Site) -> None:
    here = ended_night(site, MONEY)
    tick = tick_forms(here)[0]
    assert here.watcher.post(f"{here.base}/settle/paid", tick).status_code == 403
    assert here.host.post(f"{here.base}/settle/paid", {**tick, "cents": "1"}).status_code == 404
    assert here.host.post(f"{here.base}/settle/paid", {"wants": "paid"}).status_code == 404
    assert not here.table.night.payments_made


def test_a_payment_that_was_ticked_changes_nothing_below_the_payments_and_stands_in_the_log(site: Site) -> None:
    here, below = ended_night(site, MONEY), set()
    for _tick in range(2):
        said = visible_text(here.host.get(f"{here.base}/settle")).partition("The last board")[2]
        below.add(said.partition("The night in one code")[0])  # which has the payments, too
        here.host.post(f"{here.base}/settle/paid", tick_forms(here)[0])
    assert [len(one) > 9 for one in below] == [True]
    here.host.post(f"{here.base}/settle/paid", tick_forms(here)[0])
    assert re.search(r"\w+ has paid \w+ \d+\.\d\d", visible_text(here.ben.get(f"{here.base}/log")))


def test_sums_that_are_rounded_to_a_coin_say_so_also_on_the_phone_that_pays(site: Site) -> None:
    sentence = "Every sum is rounded to the smallest coin, 0.10."
    here = ended_night(site, MONEY)
    assert any(net % 2 for net in nets(here.table.night).values())
    assert sentence in visible_text(here.host.get(f"{here.base}/settle"))
    assert HtmlPage(here.ben.get(here.base).text).text("#own-result").endswith(sentence)
    exact = ended_night(site, {**MONEY, "money.coin": 5})
    assert "rounded" not in visible_text(exact.host.get(f"{exact.base}/settle"))


def test_a_night_without_money_says_so_when_it_begins_and_ends(site: Site, host: ClientPhone, code: str) -> None:
    lobby = host.get(f"/n/{code}/lobby").text
    assert "You play without money." in lobby
    assert "without money" not in site.join(code, "Ben").get(f"/n/{code}/lobby").text
    record(site.tables.get(code), events.Rule({"money.cents": 5}))
    lobby = host.get(f"/n/{code}/lobby").text
    assert "without money" not in lobby
    assert "5 cents" in HtmlPage(lobby).text("#money summary")
    here = ended_night(site)
    assert "You played without money." in visible_text(here.host.get(f"{here.base}/settle"))


def test_the_host_says_at_the_settlement_what_a_chip_is_worth(ended: SampleNight) -> None:
    address = f"{ended.base}/settle"
    form = {"key": "a" * 32, "head": str(ended.table.head)}
    before = ended.host.get(address)
    assert "/settle/worth" in before.text
    assert "Settle up" not in visible_text(before)
    assert "/settle/worth" not in ended.ben.get(address).text
    assert ended.ben.post(f"{address}/worth", {**form, "cents": "5"}).status_code == 403
    refused = ended.host.post(f"{address}/worth", {**form, "cents": "five"})
    assert refused.status_code == 422
    assert "whole number" in visible_text(refused)
    ended.host.post(f"{address}/worth", {**form, "cents": "5"})
    said = visible_text(ended.host.get(address))
    assert "Settle up" in said
    assert "/settle/worth" not in ended.host.get(address).text
    assert "From now on: 1 chip is worth 5 cents" in visible_text(ended.host.get(f"{ended.base}/log"))


def test_halves_of_a_debt_are_ticked_off_one_by_one_and_a_double_tap_is_one(site: Site) -> None:
    here = ended_night(site, MONEY)
    due = next(one.event for one in payment_list(here.table.night) if one.event.cents % 2 == 0)
    half = events.Paid(due.source, due.target, events.Cents(due.cents // 2))
    record(here.table, half)
    form = next(one for one in tick_forms(here) if one["nth"] == "2")
    assert form["cents"] == str(half.cents)
    for _ in range(2):
        here.host.post(f"{here.base}/settle/paid", {**form, "wants": "paid"})
    assert [*here.table.night.payments_made] == [half, half]
    here.host.post(f"{here.base}/settle/paid", {**form, "key": "b" * 32, "wants": "open"})
    assert [*here.table.night.payments_made] == [half]
