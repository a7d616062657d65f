"""Opening nights, tokens for seats and of the command, and whose event a token may record."""

import stat
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from extras._shared.api_scripts import Script, with_command_token
from support.at_once import SENDERS, at_once, sites_at
from support.client_phones import HOST, ClientPhone, Clock, Site
from support.routes import app_rules, page_rules, path_of
from support.server_process import run, serve_command

from tracker.app.event_rows import new_id
from tracker.extras.api.tokens import Tokens, register_own_token
from tracker.storage import DataPlace, DeviceRow, Store
from tracker.storage.store import DeviceTable
from tracker.web.access.devices import hash_token
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit
from tracker.web.access.roles import ANYONE

RUMMY = {"preset": "michigan-rummy"}

# Opening


def test_a_night_is_opened_with_the_token_of_the_server_and_says_how_people_join(site: Site) -> None:
    options = {"ante.each": 2, "ante.dealer": 2}
    body = {"preset": "michigan-kitty", "options": options, "name": "Friday"}
    made = with_command_token(site).post("/api/nights", body)
    assert made.status == 201
    code, join = made.json["code"], made.json["join"]
    assert made.headers["Location"] == f"/api/nights/{code}"
    table = site.tables.get(code)
    assert (table.name, table.options, table.preset["ante.each"]) == ("Friday", options, 2)
    assert Script(site.app, made.json["token"], code).look().json["phase"] == "lobby"
    assert join["url"] == f"http://{join['address']}{site.join_link(code)}"
    assert join["code"] == site.typed_code(code)
    site.join(code, "Dan")
    assert site.names(code) == ["Dan"]


UNFIT: list[tuple[Any, str, str | None]] = [
    ({"preset": "chess"}, "unknown", None),
    ({}, "bad-preset", None),
    ({**RUMMY, "options": {"ante": 1}}, "bad-preset", None),
    ({**RUMMY, "options": []}, "bad-event", "options"),
    ({**RUMMY, "name": "a\nb"}, "bad-event", "name"),
    ({**RUMMY, "id": "x" * 101}, "bad-event", "id"),
    ({**RUMMY, "stack": 5}, "bad-event", "stack"),
    ([], "bad-event", None),
]


def test_a_night_that_cannot_be_is_not_opened(site: Site) -> None:
    script = with_command_token(site)
    for body, reason, field in UNFIT:
        answer = script.post("/api/nights", body)
        assert (answer.status, answer.json["reason"], answer.json.get("field")) == (422, reason, field), body
    assert site.tables.nights() == []


@pytest.mark.every_place
def test_an_id_of_a_script_opens_one_night_and_only_that_answer_says_that_it_is_new(place: Path | DataPlace) -> None:
    with sites_at(place) as sites:
        scripts = [with_command_token(sites[number % len(sites)]) for number in range(SENDERS)]
        body = {**RUMMY, "id": "from-a-script"}
        answers = at_once([partial(script.post, "/api/nights", body) for script in scripts])
        assert Counter(answer.status for answer in answers) == {201: 1, 200: SENDERS - 1}
        assert len({answer.json["code"] for answer in answers}) == len(sites[0].tables.nights()) == 1


# Whose token it is


def test_a_seat_reads_everything_and_records_its_own_or_for_all_where_the_table_does(site: Site, host: Script) -> None:
    ann = host.seat("ann")
    assert ann.look().json == host.look().json
    assert host.record({"kind": "hand", "dealer": "cara"}).status == 201
    for event, status in (
        ({"kind": "bid", "seat": "ann", "chips": 2, "id": "a1"}, 201),
        ({"kind": "undo", "event": "a1"}, 201),
        ({"kind": "bid", "seat": "ann", "chips": 3}, 201),
        ({"kind": "pass", "seat": "bob"}, 403),
        ({"kind": "no-sale"}, 403),
        ({"kind": "move", "source": "bob", "target": "ann", "chips": 5}, 403),
        ({"kind": "end"}, 403),
        ({"kind": "amend", "event": 1, "change": {"chips": 500}}, 403),
        ({"kind": "count", "stacks": {"bob": 1}}, 403),
        ({"kind": "count", "stacks": {"ann": 88}}, 201),
        ({"kind": "undo", "event": 1}, 403),
    ):
        answer = ann.record(event)
        assert answer.status == status, event
        assert answer.json.get("reason") == ("not-yours" if status == 403 else None)
    site.tables.get(host.code).settings.is_open_to_all = True
    assert ann.record({"kind": "pass", "seat": "bob"}).status == 201
    assert ann.record({"kind": "end"}).status == 403


def test_only_the_host_makes_tokens_and_only_three_for_each_at_the_table(host: Script) -> None:
    path = f"/api/nights/{host.code}/seats"
    devices = [host.seat("ann") for _ in range(3)]
    assert {one.post(path, {"seat": "ann"}).status for one in devices} == {403}
    for body, reason in (
        ({"seat": "zoe"}, "unknown"),
        ({"seat": 5}, "bad-event"),
        ({"seat": "bob", "role": "host"}, "bad-event"),
        ("ann", "bad-event"),
        ({"seat": "ann"}, "not-allowed"),
    ):
        answer = host.post(path, body)
        assert (answer.status, answer.json["reason"]) == (422, reason)
    assert host.seat("bob").look().status == 200


# What a script may do by its token, and what a browser's token and made-up ones may not.


BUY = {"kind": "buy", "seat": "ruth", "chips": 1}


@pytest.fixture(name="code")
def _code(site: Site) -> str:
    return site.open_night(site.host())


@pytest.fixture(name="still")
def _still(site: Site) -> Site:
    """An app for which no second passes."""
    clock = Clock()
    site.access.pace, site.access.network_pace = PostRateLimit(clock=clock), PostRateLimit(240, 40, clock=clock)
    site.access.scripts.pace = PostRateLimit(3000, 500, clock=clock)
    assert isinstance(site.access.scripts, Tokens)
    site.access.scripts.unknown = GuessLimit(20, 300, clock=clock)
    return site


def test_a_browsers_token_is_no_bearer_token(site: Site, code: str) -> None:
    ben, house = site.join(code, "Ben"), site.host()
    for token in (*ben.cookies.values(), *house.cookies.values()):
        for path in (f"/api/nights/{code}", "/api/nights"):
            assert site.phone().get(path, Authorization=f"Bearer {token}").status_code == 401
        assert not site.access.scripts.is_house(f"Bearer {token}")


@pytest.mark.parametrize("role", ["host", "seat", "watcher", "knock"])
def test_the_token_of_one_night_opens_nothing_of_another_nor_what_is_of_all(site: Site, code: str, role: str) -> None:
    other = site.open_night(site.host(), "Zoe")
    head = site.tables.get(other).head
    for script in (Script(site.app, site.script_token(code, role), other), Script(site.app, None, other)):
        asked = 0
        for rule in app_rules(site.app):
            if rule.rule.startswith("/api/") and page_rules(site.app, rule.endpoint).roles != ANYONE:
                for method in {"GET", "POST"} & (rule.methods or set()):
                    assert script.send(method, path_of(rule, other), b"{}").status == 401, rule
                    asked += 1
        assert asked > 8
    assert site.tables.get(other).head == head
    assert len(site.tables.nights()) == 2


def test_a_script_sends_as_fast_as_a_phone_the_machines_own_faster_and_not_without_end(still: Site, code: str) -> None:
    script = Script(still.app, still.script_token(code, "host"), code)
    assert Counter(script.record(BUY).status for _ in range(100)) == {201: 60, 429: 40}
    own = Script(still.app, with_command_token(still).token, code)
    assert Counter(own.record(BUY).status for _ in range(100)) == {201: 100}
    still.access.scripts.pace = PostRateLimit(burst=5, clock=Clock())
    assert Counter(own.record(BUY).status for _ in range(10)) == {201: 5, 429: 5}


def test_made_up_tokens_are_not_looked_up_without_end(still: Site, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = still.script_token(code, "seat", seat="ruth")
    honest = ClientPhone(still.app, "2001:db8:1:1::7777")
    assert honest.get(f"/api/nights/{code}", Authorization=f"Bearer {script}").status_code == 200
    looked_up: set[bytes] = set()
    by_token = DeviceTable.by_token

    def noted(table: DeviceTable, token: bytes) -> DeviceRow | None:
        looked_up.add(token)
        return by_token(table, token)

    monkeypatch.setattr(DeviceTable, "by_token", noted)
    flood = [ClientPhone(still.app, f"2001:db8:1:1::{number + 1:x}") for number in range(299)]
    heard = Counter(
        phone.get(f"/api/nights/{code}", Authorization=f"Bearer {new_id()}").status_code for phone in (honest, *flood)
    )
    assert heard == {401: 20, 429: 280}
    assert len(looked_up) == 20
    answer = honest.get(f"/api/nights/{code}", Authorization=f"Bearer {script}")
    assert answer.status_code == 200, "a script that is known goes on, also at the same address"
    other = ClientPhone(still.app, "203.0.113.9")
    assert other.get(f"/api/nights/{code}", Authorization="Bearer nonsense").status_code == 401


def test_a_script_that_was_ended_is_told_so(still: Site, code: str) -> None:
    token, phone = still.script_token(code, "seat", seat="ruth"), still.phone()
    assert phone.get(f"/api/nights/{code}", Authorization=f"Bearer {token}").status_code == 200
    (row,) = [row for row in still.access.devices.devices_of(code) if row.label == "script"]
    still.access.devices.dismiss(row.id)
    heard = [phone.get(f"/api/nights/{code}", Authorization=f"Bearer {token}").status_code for _ in range(30)]
    assert heard == [401] * 21 + [429] * 9


# The token that the command prints for scripts, and what a script sends with it


def test_the_scripts_token_is_for_this_user_only_and_the_server_knows_it_and_forgets_the_one_before(
    tmp_path: Path,
) -> None:
    old = run("token", "--data", tmp_path).stdout.strip()
    assert len(old) >= 43
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with closing(Store(tmp_path / "nights.db")) as store:
        register_own_token(store, tmp_path)
        assert run("token", "--data", tmp_path).stdout.strip() == old
    (tmp_path / "api-token").unlink()
    new = run("token", "--data", tmp_path).stdout.strip()
    with serve_command(tmp_path) as served:
        assert served.stop() == 0
    with closing(Store(tmp_path / "nights.db")) as store:
        device = store.devices.by_token(hash_token(new))
        assert device is not None
        assert (device.role, device.code) == ("host", None)
        assert store.devices.by_token(hash_token(old)) is None


def test_a_script_needs_no_origin_only_with_its_own_token_and_no_cookie(site: Site) -> None:
    code = site.open_night(site.host())
    token, cookie = {"Authorization": f"Bearer {site.script_token(code, 'host')}"}, {"Cookie": "board_1=x"}
    client = site.app.test_client(use_cookies=False)
    for headers, status in (
        (token, 415),  # asked what it sends: it came in
        ({}, 401),
        ({"Authorization": "Basic secret"}, 401),
        (token | cookie, 401),
        (token | cookie | {"Origin": f"http://{HOST}"}, 401),
    ):
        answer = client.post(f"/api/nights/{code}/events", headers={"Host": HOST, **headers})
        assert answer.status_code == status, headers
