"""Limits and phones of two processes over one database: what one has given or counted holds at the other.

tests/web/test_limits_at_once.py sends to both at the same moment what is good once.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from flask import request
from support.client_phones import ClientPhone, Site
from support.of_extras import needs
from support.polling import wait_until

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.extras._phones import PhoneTransfer, TransferLinks
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.postgres import PostgresConnection
from tracker.storage import DeviceRow, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import MOST_WAITING_PER_SENDER, NOBODY, hash_token
from tracker.web.access.rate_limits import PostRateLimit

TOKEN = "a-token-of-ben"


@pytest.fixture(name="sites")
def _sites(database: str) -> Iterator[tuple[Site, Site]]:
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        yield Site(Nights(one, StreamHub())), Site(Nights(other, StreamHub()))


@pytest.fixture(name="ben")
def _ben(sites: tuple[Site, Site]) -> DeviceRow:
    """A phone that has just been given the seat of Ben at the first process, after both were started."""
    store = sites[0].tables.store
    store.create_night(code="k7q", name="", preset="{}", options="{}", created_at="2026")
    return store.devices.add(hash_token(TOKEN), code="k7q", role="seat", seat="ben", at="2999-01-01T20:00:00Z")


def role_at(site: Site, token: str) -> str | None:
    """Return the role that a browser with this token has there."""
    devices = site.access.devices
    with site.app.test_request_context(headers={"Cookie": f"{devices.cookie_name}_k7q={token}"}):
        return devices.identity_of(request, "k7q").role


def of_all_processes(sites: tuple[Site, ...]) -> list[PostRateLimit]:
    """Return the limits of processes, which refill so slowly that the time a test takes is nothing."""
    limits = [site.access.pace for site in sites]
    for limit in limits:
        limit.burst, limit.each_second = 60, 0.001
    return limits


def test_guesses_and_what_a_phone_sends_to_several_processes_are_counted_together_as_long_as_the_database_answers(
    sites: tuple[Site, Site], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = [site.access.tries for site in sites]
    assert [tries[number % 2].take("10.0.0.1") for number in range(17)] == [True] * 15 + [False] * 2
    limits = of_all_processes(sites)
    granted = sum(limits[number % 2].take("device 7") for number in range(400))
    assert 60 <= granted <= 70, "ten more at the second process"
    assert all(limit.take("device 8") for limit in limits)
    with closing(Store(Postgres(database))) as store:
        (started_again,) = of_all_processes((Site(Nights(store, StreamHub())),))
        assert sum(started_again.take("device 7") for _ in range(100)) == 10
        assert started_again.take("device 8")
    monkeypatch.setattr(PostgresConnection, "_link", without_server)
    assert sum(limits[0].take("device 9") for _ in range(100)) == 60, "each process has its own"


def without_server(*_: object) -> None:
    raise psycopg.OperationalError("connection refused")


def test_what_any_process_has_refused_is_counted_at_all_of_them_also_what_was_refused_without_the_database(
    sites: tuple[Site, Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (site.access for site in sites)
    for why in ("guess", "guess", "pace"):
        first.count_refusal(why)
    second.count_refusal("guess")
    wait_until(lambda: first.rows.sums("refused") == second.rows.sums("refused") == Counter(guess=3, pace=1))
    tried = threading.Event()

    def refused(*_: object) -> None:
        tried.set()
        without_server()

    with monkeypatch.context() as patch:
        patch.setattr(PostgresConnection, "_link", refused)
        second.count_refusal("not-saved")
        assert tried.wait(60)
    wait_until(lambda: first.rows.sums("refused")["not-saved"] == 1)
    assert first.rows.sums("refused") == second.rows.sums("refused") == Counter({"guess": 3, "pace": 1, "not-saved": 1})


def test_who_waits_is_counted_by_address_at_all_processes_together(sites: tuple[Site, Site], ben: DeviceRow) -> None:
    assert ben.code
    devices = [site.access.devices for site in sites]
    for number in range(MOST_WAITING_PER_SENDER):
        assert devices[0].make_room_to_wait(ben.code, NOBODY, "10.0.0.9")
        at = number % 2
        with sites[at].app.test_request_context(environ_base={"REMOTE_ADDR": "10.0.0.9"}):
            devices[at].register_device(ben.code, "knock", name=f"Eve {number}")
        devices[1 - at].store.devices.forget_cached()  # as the process does when it is told
    for site in devices:
        assert not site.make_room_to_wait(ben.code, NOBODY, "10.0.0.9")
        assert site.make_room_to_wait(ben.code, NOBODY, "10.0.0.8")


def test_a_link_or_an_open_pin_of_one_process_is_good_at_the_other_and_ends_an_older_link(
    sites: tuple[Site, Site],
) -> None:
    token = sites[0].access.host_links.mint()
    assert sites[1].access.host_links.is_good(token)
    first, second = (TransferLinks(rows=site.access.rows) for site in sites)
    moving = PhoneTransfer("k7q", 7, "seat")
    old, new = first.mint_for(moving), second.mint_for(moving)
    assert (first.moving(old), first.moving(new)) == (None, moving)
    needs("pin")
    limits = [site.access.lock.limits for site in sites]  # type: ignore[attr-defined]
    limits[0].open(7, "hash")
    assert limits[1].is_open(7, "hash")


def test_a_phone_that_came_back_at_one_process_has_its_seat_and_its_new_token_at_the_other(
    sites: tuple[Site, Site], ben: DeviceRow
) -> None:
    first, second = (site.access.devices for site in sites)
    assert first.seats_with_phone("k7q") == second.seats_with_phone("k7q") == set(), "the answer may have got lost"
    assert role_at(sites[0], TOKEN) == "seat"
    second.store.devices.forget_cached()  # as the process does when it is told
    assert first.seats_with_phone("k7q") == second.seats_with_phone("k7q") == {ben.seat}
    needs("hand_over")
    tokens = sites[0].app.extensions["new_tokens"]
    with sites[0].app.test_request_context():
        tokens.hand_over(ben, [])
    token = tokens.unused[ben.id]
    sites[1].tables.store._settings.forget()  # as the process does when it is told
    assert role_at(sites[0], TOKEN) == "seat", "the old one opens the seat until the new one has come back"
    assert (role_at(sites[1], token), role_at(sites[0], token)) == ("host", "host")
    assert (role_at(sites[0], TOKEN), role_at(sites[1], TOKEN)) == (None, None)


def test_an_answer_that_processes_share_gives_its_cookie_to_no_reader_of_the_database(
    sites: tuple[Site, Site], database: str
) -> None:
    first, second = sites
    code = first.open_night(first.host())
    phone = first.phone()
    form: dict[str, str | list[str]] = {"token": first.join_link(code)[3:], "name": "Mia", "key": new_id()}
    assert phone.post("/join", form).status_code == 303
    (token,) = phone.cookies.values()
    with closing(psycopg.connect(database)) as link:
        rows = link.execute("SELECT kind, key, value FROM temporary").fetchall()
    values = [value for kind, _, value in rows if kind == "answer"]
    assert values
    stored = "".join(text + bytes.fromhex(text).decode("latin-1") for text in values)
    assert token not in stored
    assert "Set-Cookie" not in stored
    again = ClientPhone(second.app, phone.address)
    assert again.post("/join", form).status_code == 303
    assert again.cookies == phone.cookies, "the lost answer itself brings it"
