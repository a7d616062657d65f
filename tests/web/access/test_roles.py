"""Every route of the app against every role: what it does not give to a role is refused."""

import re
from pathlib import Path

import pytest
from support.client_phones import HOST, ClientPhone, Site
from support.of_extras import of_extras
from support.routes import ROLES, app_rules, asked, may_use, page_table, page_tables
from support.sample_nights import sample_night

from tracker.core import events
from tracker.web.access.devices import hash_token
from tracker.web.access.rate_limits import PostRateLimit

Phones = dict[str | None, ClientPhone]
ABSENT = tuple(of_extras("absent"))


@pytest.fixture(name="night")
def _night(site: Site) -> tuple[str, Phones]:
    """A night in its first hand, and a phone of every role in it."""
    night = sample_night(site).record(events.Hand(events.SeatId("ruth")))
    join_request = site.request_join(night.code, name="Jo")
    site.access.pace = PostRateLimit(burst=1_000_000)  # there are more addresses than a phone may post to in a second
    known: Phones = {"knock": join_request, "watcher": night.watcher, "seat": night.ben, "host": night.host}
    return night.code, {None: site.phone(), **known}


def test_who_may_use_each_page_is_what_was_reviewed(site: Site) -> None:
    """After a change: PYTHONPATH=tests .venv/bin/python tests/support/routes.py, and read the difference."""
    for package, file in page_tables().items():
        table = page_table(site.app, package)
        assert table == (file.read_text("utf-8") if file.exists() else ""), package
        assert " nobody" not in table


def test_a_page_that_does_not_say_who_may_use_it_is_open_to_nobody(
    site: Site, host: ClientPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.get("/new").status_code == 200
    monkeypatch.setitem(site.app.view_functions, "new_night.games", lambda: "")
    assert host.get("/new").status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_a_role_gets_into_no_route_that_is_not_its_own_and_breaks_no_other(
    site: Site, night: tuple[str, Phones], role: str | None
) -> None:
    """All forms are empty."""
    code, phones = night
    for rule in app_rules(site.app):
        refusals = (404,) if rule.endpoint.startswith(ABSENT) else (401, 403)
        is_host_anyway = role == "host" and "code" not in rule.arguments  # this phone is host outside the nights, too
        is_allowed = may_use(site.app, rule.endpoint, role) or is_host_anyway
        before = site.tables.get(code).head
        for what, answer in asked(phones[role], rule, code):
            assert answer.status_code < 500 if is_allowed else answer.status_code in refusals, (role, what)
        assert is_allowed or site.tables.get(code).head == before, (role, rule)
    assert site.role(phones[role].cookies, code) == role


def test_a_night_that_is_not_there_looks_like_one_that_is_not_yours(site: Site) -> None:
    stranger, code = site.phone(), site.open_night(site.host())
    assert stranger.get(f"/n/{code}").text == stranger.get("/n/zzzzzz").text


# Tokens


def test_the_cookie_is_for_the_server_alone_carries_the_name_of_this_file_and_is_no_planted_one(
    site: Site, code: str
) -> None:
    phone = site.phone()
    phone.client.set_cookie(f"{site.access.devices.cookie_name}_{code}", "planted" * 6, domain=HOST.split(":")[0])
    answer = phone.post("/join", {"token": site.join_link(code)[3:], "name": "Ben"})
    (cookie,) = answer.headers.getlist("Set-Cookie")
    name, token, facts = re.fullmatch(r"(\w+)=([\w-]+); (.*)", cookie).groups()  # type: ignore[union-attr]
    assert name == f"board_{site.tables.store.instance}_{code}"
    assert len(token) >= 43
    assert phone.cookies[name] == token
    assert site.tables.store.devices.by_token(hash_token("planted" * 6)) is None
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {*facts.split("; ")}
    assert not re.search("Domain|Secure", facts)


def test_no_token_stands_in_the_file(site: Site, host: ClientPhone, code: str, tmp_path: Path) -> None:
    ben = site.join(code, "Ben")
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert code.encode() in written
    for token in (*host.cookies.values(), *ben.cookies.values(), site.join_link(code)[3:]):
        assert token.encode() not in written


# The host link


def test_a_host_who_lost_the_cookie_carries_on_with_a_new_link(site: Site, code: str) -> None:
    fresh = site.phone()
    token = site.access.mint_host_link().rsplit("/", 1)[1]
    assert "Carry on" in fresh.get(f"/host/{token}").text
    assert not fresh.cookies
    assert fresh.post("/host", {"token": token, "night": code}).status_code == 303
    assert site.phone().get(f"/host/{token}").status_code == 410
    assert fresh.get(f"/n/{code}/settings").status_code == 200


# What a seat may record


def test_every_entry_says_which_seat_recorded_it(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    assert [entry.by for entry in site.tables.get(code).entries] == ["ruth", "ben", "ruth"]
