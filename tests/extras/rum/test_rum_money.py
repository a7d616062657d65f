"""Points in money: the score page, the settlement, the print and the text file say the same sums, the core's."""

from random import Random

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import PEOPLE, SampleNight, record, sample_night
from support.score_events import rummy

from tracker.core import events
from tracker.core.events import Chips
from tracker.core.payment_list import nets_in_cents

FAULTS = ("false-rummy", "unused-purchase")


def settled_night(site: Site, chance: Random) -> SampleNight:
    """Return a night that is over: random deals, faults on the sheet or to the winner, a random rate and coin."""
    money = {
        "money.chips": chance.randint(1, 30),
        "money.cents": chance.randint(1, 100),
        "money.coin": chance.choice([1, 5, 10, 50]),
    }
    found = sample_night(
        site, "michigan-rummy-snake", {**money, "fault.to": chance.choice(["sheet", "sheet", "winner"])}
    )
    for _deal in range(chance.randint(1, 4)):
        for seat in chance.sample([*PEOPLE], chance.randint(0, 2)):
            record(found.table, events.Penalty(seat, chance.choice(FAULTS)))
        winner = chance.choice([*PEOPLE])
        hands = {seat: Chips(chance.randint(0, 90)) for seat in PEOPLE if seat != winner}
        record(found.table, rummy(winner, hands))
    record(found.table, events.End())
    return found


def cents(text: str) -> int:
    """Return the sum that a page says, such as `−3.05`, in cents."""
    return int("".join(sign for sign in text.replace("−", "-") if sign in "-0123456789"))


def by_name(page: HtmlPage, rows: str, name: str, money: str) -> dict[str, int]:
    """Return the sum beside each name of a table."""
    return {
        found.select_one(name).get_text(): cents(found.select_one(money).get_text())  # type: ignore[union-attr]
        for found in page.select(rows)
    }


@pytest.mark.parametrize("seed", range(12))
def test_every_page_says_the_same_sums_and_with_the_banks_share_they_are_zero(site: Site, seed: int) -> None:
    found = settled_night(site, Random(seed))
    night = found.table.night
    told = nets_in_cents(night)
    assert sum(told.values()) == 0
    people = {night.name(seat): told[seat] for seat in night.all_seats}
    sheet = HtmlPage(found.host.get(found.base).text)
    assert [cents(text) for text in sheet.texts(".padsheet .cash td")] == list(people.values())
    seats = dict(zip(sheet.texts("#shared .seat .nm"), sheet.texts("#shared .seat .sub"), strict=True))
    assert {name: cents(text) for name, text in seats.items()} == people
    ranking = HtmlPage(found.host.get(f"{found.base}/settle").text)
    assert by_name(ranking, ".ranking tbody tr", "th bdi", "td:last-child") == people
    lines = [line for line in found.host.get(f"{found.base}/result.txt").text.splitlines() if " = " in line]
    assert {line.split(". ")[1].split(":")[0]: cents(line.split(" = ")[1]) for line in lines} == people
