"""What a script may do by its token, and what a browser's token and made-up ones may not."""

from collections import Counter

import pytest
from support.api_scripts import Script, with_command_token
from support.client_phones import ClientPhone, Clock, Site
from support.routes import app_rules, path_of

from tracker.app.event_rows import new_id
from tracker.storage import DeviceRow
from tracker.storage.store import DeviceTable
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

BUY = {"kind": "buy", "seat": "ruth", "chips": 1}


@pytest.fixture(name="code")
def _code(site: Site) -> str:
    return site.open_night(site.host())


@pytest.fixture(name="still")
def _still(site: Site) -> Site:
    """An app for which no second passes."""
    clock = Clock()
    site.access.pace, site.access.network_pace = PostRateLimit(clock=clock), PostRateLimit(240, 40, clock=clock)
    site.access.own_script_pace = PostRateLimit(3000, 500, clock=clock)
    site.access.unknown_scripts = GuessLimit(20, 300, clock=clock)
    return site


def test_a_browsers_token_is_no_bearer_token(site: Site, code: str) -> None:
    ben, house = site.join(code, "Ben"), site.host()
    for token in (*ben.cookies.values(), *house.cookies.values()):
        for path in (f"/api/nights/{code}", "/api/nights"):
            assert site.phone().get(path, Authorization=f"Bearer {token}").status_code == 401
        assert not site.access.devices.is_site_host("", f"Bearer {token}")


@pytest.mark.parametrize("role", ["host", "seat", "watcher", "knock"])
def test_the_token_of_one_night_opens_nothing_of_another(site: Site, code: str, role: str) -> None:
    other = site.open_night(site.host(), "Zoe")
    head = site.tables.get(other).head
    script = Script(site.app, site.access.devices.issue(code, role), other)
    asked = 0
    for rule in app_rules(site.app):
        if rule.rule.startswith("/api/") and "code" in rule.arguments:
            for method in {"GET", "POST"} & (rule.methods or set()):
                assert script.send(method, path_of(rule, other), b"{}").status == 401, rule
                asked += 1
    assert asked > 4
    assert site.tables.get(other).head == head


def test_a_script_sends_as_fast_as_a_phone(still: Site, code: str) -> None:
    script = Script(still.app, still.access.devices.issue(code, "host"), code)
    assert Counter(script.record(BUY).status for _ in range(100)) == {201: 60, 429: 40}


def test_the_machines_own_token_sends_faster_and_not_without_an_end(still: Site, code: str) -> None:
    own = Script(still.app, with_command_token(still).token, code)
    assert Counter(own.record(BUY).status for _ in range(100)) == {201: 100}
    still.access.own_script_pace = PostRateLimit(burst=5, clock=Clock())
    assert Counter(own.record(BUY).status for _ in range(10)) == {201: 5, 429: 5}


def test_made_up_tokens_are_not_looked_up_without_an_end(
    still: Site, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = still.access.devices.issue(code, "seat", seat="ruth")
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
    token, phone = still.access.devices.issue(code, "seat", seat="ruth"), still.phone()
    assert phone.get(f"/api/nights/{code}", Authorization=f"Bearer {token}").status_code == 200
    (row,) = [row for row in still.access.devices.devices_of(code) if row.label == "script"]
    still.access.devices.dismiss(row.id)
    heard = [phone.get(f"/api/nights/{code}", Authorization=f"Bearer {token}").status_code for _ in range(30)]
    assert heard == [401] * 21 + [429] * 9
