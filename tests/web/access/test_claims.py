"""Who may claim a place that somebody took: players for their own seat, with a yes of whoever has it or of the host."""

import json

import pytest
from support.admission_table import Table, new_table
from support.client_phones import ClientPhone, Site
from support.sample_nights import Form, record

from tracker.app.event_rows import new_id
from tracker.core.events import Collect, NoSale, Undo
from tracker.web.base.snapshot import snapshot_of

POT = "ten-hearts"


@pytest.fixture(name="table")
def _table(site: Site) -> Table:
    """A hand in which Mia has taken a place."""
    table = new_table(site)
    record(site.tables.get(table.code), NoSale(), Collect("mia", POT))
    return table


def taker(table: Table) -> str | None:
    deal = table.site.tables.get(table.code).night.deal
    assert deal
    return deal.taken[POT].seat


def claim(table: Table, phone: ClientPhone, seat: str, pot: str = POT) -> int:
    return phone.post(f"{table.base}/record", {"do": "whose", "seat": seat, "pot": pot, "key": new_id()}).status_code


def asked(table: Table) -> dict[str, str]:
    return dict(snapshot_of(table.site.tables.get(table.code)).requests)


def say_yes(table: Table, phone: ClientPhone) -> int:
    """Say yes to what Ben has claimed."""
    form: Form = {"do": "agree:yes/ben", "request": json.loads(asked(table)["ben"])["id"], "key": new_id()}
    return phone.post(f"{table.base}/record", form).status_code


def test_the_host_corrects_at_once_and_a_player_asks(table: Table) -> None:
    assert claim(table, table.ben, "ben") == 303
    assert (taker(table), [*asked(table)]) == ("mia", ["ben"])
    assert claim(table, table.host, "ruth") == 303
    assert taker(table) == "ruth"


@pytest.mark.parametrize("who", ["mia", "host"])
def test_whoever_has_it_or_the_host_says_yes(table: Table, who: str) -> None:
    claim(table, table.ben, "ben")
    assert say_yes(table, getattr(table, who)) == 303
    assert (taker(table), asked(table)) == ("ben", {})


def test_nobody_claims_for_another_seat_or_says_yes_to_the_own_claim(table: Table) -> None:
    assert claim(table, table.ben, "tom") == 403
    claim(table, table.ben, "ben")
    assert say_yes(table, table.ben) == 403
    assert taker(table) == "mia"


def test_what_nobody_took_is_refused_in_a_sentence(table: Table) -> None:
    assert claim(table, table.ben, "ben", "queen-hearts") == 409
    assert claim(table, table.host, "ben", "nonsense") == 409
    assert asked(table) == {}


def test_a_claim_is_forgotten_with_the_hand_that_it_is_about(table: Table) -> None:
    claim(table, table.ben, "ben")
    night = table.site.tables.get(table.code)
    entry = next(one for one in night.entries if isinstance(one.event, Collect))
    night.record(Undo(entry.number), id=new_id(), by="host")
    assert "not you?" not in table.mia.get(table.base).text
