"""Who sits down while a night is played deals after the others, and takes nobody's turn away."""

import pytest
from support.client_phones import ClientPhone, add_people
from support.sample_nights import record

from tracker.app.open_night import OpenNight
from tracker.core.events import Chips, Hand, NoSale, Out
from tracker.web.base.snapshot import snapshot_of


@pytest.fixture(name="table")
def _table(host: ClientPhone, code: str, table: OpenNight) -> OpenNight:
    """A night in its first hand, which the last one clockwise deals."""
    add_people(host, code, "Ben", "Mia")
    record(table, Hand("mia"))
    return table


def finish_hand(table: OpenNight) -> None:
    dealer, deal = str(table.night.dealer), table.night.current_deal()
    record(table, NoSale(), Out(dealer, {seat: Chips(0) for seat in deal.seats if seat != dealer}))


def dealers(table: OpenNight, hands: int) -> list[str]:
    """Play so many hands, each dealt by whom the table proposes; return who dealt."""
    found = []
    for _ in range(hands):
        if snapshot_of(table).moment.name != "ante":
            table.choose(type(table.settings).waived, {"poker": "on"})
        found.append(str(snapshot_of(table).moment.dealer))
        record(table, Hand(found[-1]))
        finish_hand(table)
    return found


def test_who_comes_during_a_hand_deals_last_and_not_next(host: ClientPhone, table: OpenNight) -> None:
    add_people(host, table.code, "Lena")
    finish_hand(table)
    assert dealers(table, 5) == ["ruth", "ben", "mia", "lena", "ruth"]


def test_who_comes_between_hands_deals_last_also_of_several(host: ClientPhone, table: OpenNight) -> None:
    finish_hand(table)
    add_people(host, table.code, "Lena", "Tom")
    assert dealers(table, 6) == ["ruth", "ben", "mia", "lena", "tom", "ruth"]


def test_whom_the_table_has_chosen_to_deal_stays_chosen(host: ClientPhone, table: OpenNight) -> None:
    finish_hand(table)
    table.choose(type(table.settings).plan, {"dealer": "ben"})
    add_people(host, table.code, "Lena")
    assert dealers(table, 1) == ["ben"]
