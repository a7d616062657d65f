"""Who sits down while a night is played deals after the others, and takes nobody's turn away."""

import pytest
from support.client_phones import ClientPhone, Site, add_people

from tracker.app.event_rows import new_id
from tracker.core.events import Chips, Hand, Name, NoSale, Out, SeatId, Sit
from tracker.web.base.snapshot import snapshot_of


@pytest.fixture(name="running")
def _running(site: Site, host: ClientPhone, code: str) -> str:
    """The code of a night in its first hand, which the last one clockwise deals."""
    add_people(host, code, "Ben", "Mia")
    site.start_first_hand(host, code, "mia")
    return code


def finish_hand(site: Site, code: str) -> None:
    table = site.tables.get(code)
    dealer, seats = table.night.dealer, table.night.deal.seats if table.night.deal else ()
    assert dealer
    table.record(NoSale(), id=new_id(), by="host")
    table.record(Out(dealer, {seat: Chips(0) for seat in seats if seat != dealer}), id=new_id(), by="host")


def dealers(site: Site, code: str, hands: int) -> list[str]:
    """Play so many hands, each dealt by whom the table proposes; return who dealt."""
    table, found = site.tables.get(code), []
    for _ in range(hands):
        proposed = snapshot_of(table).moment
        if proposed.name != "ante":
            table.choose(type(table.settings).waived, {"poker": "on"})
            proposed = snapshot_of(table).moment
        assert proposed.dealer
        found.append(proposed.dealer)
        table.record(Hand(proposed.dealer), id=new_id(), by="host")
        finish_hand(site, code)
    return found


def test_who_comes_during_a_hand_deals_last_and_not_next(site: Site, host: ClientPhone, running: str) -> None:
    add_people(host, running, "Lena")
    finish_hand(site, running)
    assert dealers(site, running, 5) == ["ruth", "ben", "mia", "lena", "ruth"]


def test_who_comes_between_hands_deals_last_also_of_several(site: Site, host: ClientPhone, running: str) -> None:
    finish_hand(site, running)
    add_people(host, running, "Lena", "Tom")
    assert dealers(site, running, 6) == ["ruth", "ben", "mia", "lena", "tom", "ruth"]


def test_whom_the_table_has_chosen_to_deal_stays_chosen(site: Site, running: str) -> None:
    table = site.tables.get(running)
    finish_hand(site, running)
    table.choose(type(table.settings).plan, {"dealer": "ben"})
    table.record(Sit(SeatId("lena"), Name("Lena"), Chips(100)), id=new_id(), by="host")
    assert dealers(site, running, 1) == ["ben"]
