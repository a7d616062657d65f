"""At the running command: forms sent twice, a PIN passed by, strangers who fill the join requests and the streams."""

import http.client
import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.html_page import HtmlPage
from support.remote_phone import RemoteNight, RemotePhone, open_night
from support.server_process import Command

from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to_toml
from tracker.server.server import Capacity
from tracker.streaming.hub import KEPT_SHARE
from tracker.web.access.devices import MOST_WAITING_PER_ADDRESS, MOST_WATCHERS, MOST_WATCHERS_PER_ADDRESS


@pytest.fixture(name="host", scope="module")
def _host(command: Command) -> RemotePhone:
    return open_night(command.port, command.host_link).host


@pytest.fixture(name="night")
def _night(host: RemotePhone) -> RemoteNight:
    return lobby(host)


def lobby(host: RemotePhone, preset: str = "michigan-rummy") -> RemoteNight:
    """Return a new lobby of Ruth, the host."""
    code = host.post("/new", {"preset": preset, "host": "Ruth"}).location.split("/")[2]
    return RemoteNight(code, host, way_in(host, code))


def way_in(host: RemotePhone, code: str) -> str:
    found = re.search(r"/j/(\w+)", host.get(f"/n/{code}/share").text)
    assert found
    return found[1]


def head(command: Command, night: RemoteNight) -> int:
    return int(command.ask(night.code, command.token())["head"])


def test_the_form_that_opens_a_night_opens_one_however_often_it_is_sent_at_once(host: RemotePhone) -> None:
    form = {"preset": "michigan-kitty", "host": "Ruth", "key": "a" * 32}
    with ThreadPoolExecutor() as pool:
        opened = {answer.location for answer in pool.map(lambda _: host.post("/new", form), range(8))}
    assert len(opened) == 1
    assert {host.post("/new", form).location} == opened
    assert host.post("/new", {**form, "key": "b" * 32}).location not in opened


def test_a_payment_that_is_ticked_twice_stays_ticked(command: Command, host: RemotePhone) -> None:
    with_money = replace(built_in("michigan-rummy").with_options({"money.chips": 1, "money.cents": 5}), id="money")
    preset = host.upload("/boards/import", "board", preset_to_toml(with_money)).location.split("/")[2]
    night, token = lobby(host, preset), command.token()
    for event in (
        {"kind": "sit", "seat": "ben", "name": "Ben"},
        {"kind": "move", "source": "ruth", "target": "ben", "chips": 5, "why": "a bet"},
        {"kind": "end"},
    ):
        command.ask(f"{night.code}/events", token, event)
    page = HtmlPage(host.get(f"{night.base}/settle").text)
    form = 'form[action$="/settle/paid"]'
    tick = {**page.hidden_fields(form), "wants": page.value(f"{form} [name=wants]")}
    before = head(command, night)
    with ThreadPoolExecutor() as pool:
        statuses = [answer.status for answer in pool.map(lambda _: host.post(f"{night.base}/settle/paid", tick), "12")]
    assert statuses == [303, 303]
    assert head(command, night) == before + 1
    assert len(HtmlPage(host.get(f"{night.base}/settle").text).select('[aria-pressed="true"]')) == 1


def test_the_pin_is_asked_by_what_is_recorded_and_not_by_its_address(command: Command, night: RemoteNight) -> None:
    """The token of the command may do all that the host may, and no script can type a PIN."""
    token = command.token()
    command.ask(f"{night.code}/events", token, {"kind": "sit", "seat": "ben", "name": "Ben"})
    assert night.host.post(f"{night.base}/pin", {"pin": "4711"}).status == 303
    before = head(command, night)
    for event in ({"kind": "end"}, {"kind": "leave", "seat": "ben"}):
        with closing(http.client.HTTPConnection("127.0.0.1", night.host.port, timeout=60)) as line:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            line.request("POST", f"/api/nights/{night.code}/events", json.dumps(event), headers)
            assert line.getresponse().status == 403
    from_the_sheet = {"do": "leave", "seat": "ben", "head": str(before), "key": "k"}
    assert night.host.post(f"{night.base}/record", from_the_sheet).location == f"{night.base}/pin"
    assert head(command, night) == before
    command.ask(f"{night.code}/events", token, {"kind": "buy", "seat": "ben", "chips": 1})


def test_one_holder_of_the_code_makes_a_few_join_requests(night: RemoteNight) -> None:
    night.host.post(f"{night.base}/seats", {"name": "Ben"})
    night.host.post(f"{night.base}/dealer", {"seat": "ruth"})
    night.token = way_in(night.host, night.code)
    strangers = [night.join("127.0.0.41", name=f"Eve {number}") for number in range(12)]
    waiting = Counter(phone.get(f"{night.base}/knock").status for phone in strangers)
    assert waiting == {200: MOST_WAITING_PER_ADDRESS, 403: 12 - MOST_WAITING_PER_ADDRESS}
    again = {"token": night.token, "name": "Eve 1"}
    refused = strangers[-1].post("/join", again)
    assert refused.status == 429
    assert "Ask somebody at the table" in refused.text
    assert "scan" not in HtmlPage(refused.text).text("main")
    assert strangers[0].post("/join", again).location == f"{night.base}/knock"
    assert night.join("127.0.0.42", name="Jo").get(f"{night.base}/knock").status == 200


def test_watchers_come_in_unasked_up_to_a_number_for_each_address_and_night(night: RemoteNight) -> None:
    crowd = [night.join("127.0.0.40", watch="1") for _ in range(MOST_WATCHERS_PER_ADDRESS + 2)]
    inside = Counter(phone.get(f"{night.base}/lobby").status for phone in crowd)
    assert inside == {200: MOST_WATCHERS_PER_ADDRESS, 403: 2}
    for number in range(MOST_WATCHERS - MOST_WATCHERS_PER_ADDRESS):
        assert night.join(f"127.0.3.{number + 1}", watch="1").get(f"{night.base}/lobby").status == 200
    assert night.join("127.0.4.1", watch="1").get(f"{night.base}/lobby").status == 403


def test_watchers_of_many_nights_share_the_streams_and_leave_them_to_seats_and_hosts(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """Everything that watchers are given is taken; every night still gets its share, and the host's page its stream."""
    files, nights = short_or_long(240, 440), short_or_long(2, 5)
    given = Capacity.for_files(files).streams
    command = Command(tmp_path, most_files=files)
    with ExitStack() as stack:
        stack.callback(command.kill)
        host, share = open_night(command.port, command.host_link).host, (given - given // KEPT_SHARE) // nights
        for group in range(nights):
            night, got = lobby(host), list[bool]()
            for number in range(MOST_WATCHERS):
                phone = night.join(f"127.1.{group}.{number + 1}", watch="1")
                got.append(has_stream(stack, phone, night.code))
            assert got == [True] * (share if group else MOST_WATCHERS) + [False] * (MOST_WATCHERS - share) * bool(group)
        assert all(has_stream(stack, host, night.code, tab) for tab in range(4))


def has_stream(stack: ExitStack, phone: RemotePhone, code: str, tab: int = 1) -> bool:
    """Return whether the lobby's page is given a stream, which stays open; else it is shown what it shows now."""
    source = (phone.address, 0)
    line = stack.enter_context(
        closing(http.client.HTTPConnection("127.0.0.1", phone.port, timeout=60, source_address=source))
    )
    line.request("GET", f"/n/{code}/lobby/stream?tab={tab}", headers=phone.headers)
    answer = stack.enter_context(line.getresponse())
    assert answer.status == 200
    if answer.readline().startswith(b"retry: "):
        return True
    text = answer.read().decode()
    assert "data: " in text
    assert text.endswith("event: closed\ndata: full\n\n")
    return False
