"""Strangers, guessers and curious phones: what they try at every address, and that none of it gets them anywhere."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from evenings import Evening, played
from phones import HOST, Clock, House, Phone
from scripts import Script
from test_web_access_roles import ROLES, path_of, rules
from werkzeug.routing import Rule

from tracker.live import Live
from tracker.store import Store
from tracker.tables import Tables
from tracker.web.access import ANYONE, MAY, mint_host_link
from tracker.web.devices import CODE_SIGNS
from tracker.web.limits import Pace, Tries

METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "POST ", "X" * 50)
LEADS = r"""\b(?:href|src|action|hx-get|hx-post|hx-sse:connect)=["']"""
OUTSIDE = re.compile(LEADS + r"""(?!/(?!/)|#|data:image|sms:|mailto:|whatsapp:)([^"']*)""")


@pytest.fixture(name="here")
def _here(house: House) -> Evening:
    return played(house)


def everybody(here: Evening) -> dict[str | None, Phone]:
    """Return a phone of every role; the one that knocks has come last."""
    knock = here.house.ask(here.table.code, name="Jo")
    return {None: here.house.phone(), "knock": knock, "watcher": here.watcher, "seat": here.ben, "host": here.host}


def looks(here: Evening) -> Iterator[tuple[Rule, str]]:
    """Yield every address that can be looked at."""
    for rule in rules(here.house.app):
        if "GET" in (rule.methods or ()):
            yield rule, path_of(rule, here.table.code, here.house.link(here.table.code)[3:])


# Guessing


def test_guesses_from_fifty_addresses_get_twenty_tries_a_minute_and_hold_up_nobody(
    here: Evening, often: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    guesses, clock, house = often(600, 10_000), Clock(), here.house
    house.door.tries, house.door.pace = Tries(clock=clock), Pace(clock=clock)
    heard: Counter[int] = Counter()
    strangers = [house.phone() for _ in range(50)]
    for number in range(guesses):
        clock.seconds += 0.06
        signs = "".join(CODE_SIGNS[number // 30**place % 30] for place in range(6))
        heard[strangers[number % 50].post("/join", {"typed": signs, "name": "Eve"}).status_code] += 1
        if number % 100 == 50:
            assert here.ben.post(f"{here.base}/record", {"do": "say:3", "seat": "ben"}).status_code == 303
            assert house.phone().get(house.link(here.table.code)).status_code == 200
    minutes = guesses * 0.06 / 60
    compared = heard[422]
    assert set(heard) == {422, 429}
    assert compared <= 20 * (minutes + 1)
    assert not house.door.devices.knocks(here.table.code)
    six_hours = 20 * 60 * 6 / 30**6
    assert six_hours <= 1e-5
    figure(
        f"typed codes: {guesses} guesses from 50 addresses in {minutes:.1f} minutes, {compared} compared, {heard[429]} "
        f"refused unread, 0 right; a night of six hours is guessed with a chance of {six_hours:.0e}"
    )


# Every address


def test_every_address_answers_three_methods_and_no_other(here: Evening) -> None:
    found = 0
    for rule in here.house.app.url_map.iter_rules():
        for method in METHODS:
            answer = here.host._open(method, path_of(rule, here.table.code), {}, {})
            assert answer.status_code in (400, 405), (method, rule.rule, answer.status_code)
            found += 1
    assert found > 500


@dataclass(frozen=True)
class Seen:
    """One answer of a walk over every address as everybody."""

    role: str | None
    endpoint: str
    path: str
    headers: Mapping[str, str]
    text: str
    """Empty for a stream."""


@dataclass(frozen=True)
class Walk:
    seen: list[Seen]
    secrets: list[str]
    """What stands for a phone, a script, the host's link, or leads into another night."""
    ways_in: list[str]
    """What leads into this night."""


@pytest.fixture(name="walk", scope="module")
def _walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    store, live = Store(tmp_path_factory.mktemp("walk") / "nights.db"), Live()
    house = House(Tables(store, live))
    here = played(house)
    other = house.open_night(house.host(), "Zoe")
    phones = everybody(here)
    code = here.table.code
    secrets = [value for phone in phones.values() for value in phone.cookies.values()]
    secrets += [house.door.devices.issue(code, "host"), store.setting(None, "invite-secret")]
    secrets += [house.link(other)[3:], house.typed(other), mint_host_link(house.app).rsplit("/", 1)[1]]
    found = [look(rule, path, role, phone) for role, phone in phones.items() for rule, path in looks(here)]
    yield Walk(found, secrets, [house.typed(code), house.link(code)[3:]])
    live.stop()
    store.close()


def look(rule: Rule, path: str, role: str | None, phone: Phone) -> Seen:
    with phone.client.open(path, headers={"Host": HOST}) as answer:
        text = "" if answer.is_streamed and rule.endpoint.endswith("stream") else answer.get_data(as_text=True)
        return Seen(role, rule.endpoint, path, dict(answer.headers), text)


def test_every_answer_forbids_frames_scripts_of_others_and_keeping(walk: Walk) -> None:
    for one in walk.seen:
        policy = one.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, one
        assert "script-src 'self';" in policy, one
        assert one.headers["X-Frame-Options"] == "DENY", one
        assert one.headers["Referrer-Policy"] == "same-origin", one
        assert one.headers["X-Content-Type-Options"] == "nosniff", one
        assert one.headers["Cache-Control"] == "no-store", one
    assert len(walk.seen) > 150


def test_no_page_asks_for_or_leads_to_anything_outside(walk: Walk) -> None:
    for one in walk.seen:
        found = [way for way in OUTSIDE.findall(one.text) if way and not way.startswith("http://" + HOST)]
        assert not found, (one.role, one.path, found)


def test_no_page_shows_a_token_of_anybody(walk: Walk) -> None:
    """The join code is for all who are in; what stands for a phone, a script or another night is on no page at all."""
    for one in walk.seen:
        assert not [secret for secret in walk.secrets if secret in one.text], (one.role, one.path)
        if one.role in (None, "knock") and one.endpoint != "join.scan":
            assert not [way for way in walk.ways_in if way in one.text], (one.role, one.path)


def test_nothing_that_opens_a_door_is_ever_logged(here: Evening, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    house, code = here.house, here.table.code
    secrets = [house.link(code)[3:], house.typed(code)]
    for role, phone in everybody(here).items():
        secrets += phone.cookies.values()
        for rule, path in looks(here):
            if not rule.endpoint.endswith("stream"):
                phone.get(path)
        for rule in rules(house.app):
            if "POST" in (rule.methods or ()) and role != "host":
                phone.post(path_of(rule, code))
    said = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert not [secret for secret in secrets if secret in said]


# Two nights


def test_what_opens_one_night_opens_nothing_of_another(here: Evening) -> None:
    """Cookies under the other night's name, and tokens of scripts, at every address of the other night."""
    house, code = here.house, here.table.code
    other = house.open_night(house.host(), "Zoe")
    head, name = house.tables.get(other).head, house.door.devices.cookie_name
    for role, phone in everybody(here).items():
        thief = house.phone()
        for value in phone.cookies.values():
            thief.client.set_cookie(f"{name}_{other}", value, domain=HOST.split(":")[0])
        script = Script(house.app, house.door.devices.issue(code, role), other) if role else None
        for rule in rules(house.app):
            if "code" not in rule.arguments or None in MAY[rule.endpoint]:
                continue
            for method in {"GET", "POST"} & (rule.methods or set()):
                path = path_of(rule, other)
                assert thief._open(method, path, {}, {"Origin": f"http://{HOST}"}).status_code in (401, 403), path
                if script and path.startswith("/api/"):
                    assert script.send(method, path, b"{}").status == 401, path
    assert house.tables.get(other).head == head


# What breaks says nothing


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_page_that_breaks_says_a_sentence_and_no_more(
    house: House, caplog: pytest.LogCaptureFixture, headers: dict[str, str]
) -> None:
    def broken() -> str:
        raise RuntimeError("a secret of the inside")

    house.app.add_url_rule("/broken", "broken", broken)
    house.app.add_url_rule("/api/broken", "api.broken", broken)
    MAY.update({"broken": ANYONE, "api.broken": ANYONE})
    try:
        for path in ("/broken", "/api/broken"):
            answer = house.phone().get(path, **headers)
            assert answer.status_code == 500
            assert not re.search(r"secret|Traceback|RuntimeError|\.py", answer.text), answer.text
            assert len(answer.text) > 20
    finally:
        del MAY["broken"], MAY["api.broken"]
    assert "a secret of the inside" in caplog.text  # for whoever runs it


def test_roles_are_the_ones_that_were_tried() -> None:
    assert set(ROLES) == ANYONE
