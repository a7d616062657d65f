"""Programs of the house are sent what is recorded: signed, tried again, in this network only, and no tap waits."""

import hashlib
import hmac
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle, product
from typing import Any

import pytest
from jinja2.nativetypes import NativeEnvironment
from support.client_phones import Site
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.sample_nights import SampleNight, play_hand, record, sample_night

from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.errors import NotAllowed
from tracker.core.events import Name, SeatId
from tracker.extras.webhooks.pages import settings_of
from tracker.extras.webhooks.sender import (
    REASONS,
    Pending,
    Webhook,
    WebhookSender,
    find_address,
    post,
)
from tracker.storage import Store

BLUEPRINT = ROOT / "docs/examples/home-assistant.yaml"


@dataclass
class Receiver:
    """A program that is sent requests."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    """What it answers, in this order; then 200."""
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    go_on: threading.Event = field(default_factory=threading.Event)
    """It answers once this is set."""

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]


@pytest.fixture(name="receiver")
def _receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    receiver.go_on.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((dict(self.headers), body))
            receiver.go_on.wait(60)
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
            self.send_header("Location", f"{receiver.url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}/hook?room=1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield receiver
        receiver.go_on.set()
        server.shutdown()
        thread.join()


def add_hook(here: SampleNight, url: str, *reasons: str) -> Webhook:
    """Enter an address on the page."""
    known = set(settings_of(here.site.app).webhooks.names())
    answer = here.host.post("/webhooks", {"url": url, "reason": list(reasons)})
    assert answer.status_code == 303, answer.text
    settings = settings_of(here.site.app).webhooks
    (name,) = set(settings.names()) - known
    found = settings.get(name)
    assert found
    return found


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    found = sample_night(site)
    sender = site.app.extensions["webhook_sender"]
    site.app.extensions["webhook_sender"] = WebhookSender(sender._look_up, pauses=(0, 0, 0), idle_seconds=0.2)
    return found


def test_every_entry_is_sent_once_with_its_sentence_and_the_state_and_no_tap_waits_for_it(
    here: SampleNight, receiver: Receiver
) -> None:
    receiver.go_on.clear()
    hook = add_hook(here, receiver.url, "all")
    rehearsal = Nights(Store(None), here.site.tables.live).open("michigan-rummy", name="Pretend")
    here.site.tables.temporary[rehearsal.code] = rehearsal
    record(rehearsal, events.Sit(SeatId("ann"), Name("Ann")))
    first = here.table.head
    play_hand(here.table, "ruth", "ben", "mia")
    wait_until(lambda: len(receiver.got) == 1)
    assert here.table.night.hand == 1
    receiver.go_on.set()
    wait_until(lambda: len(receiver.got) >= here.table.head - first)
    assert [one["event"]["kind"] for one in receiver.bodies] == ["hand", "no-sale", "collect", "out", "poker"]
    assert {one["night"] for one in receiver.bodies} == {here.table.code}
    taken = receiver.bodies[2]
    assert taken["sentence"].startswith("Ben ")
    assert taken["state"]["head"] >= first + 3
    for headers, body in receiver.got:
        signature = hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest()
        assert headers["X-Hub-Signature-256"] == f"sha256={signature}"
    wait_until(lambda: "Accepted at" in here.host.get("/webhooks").text)


def test_only_what_was_chosen_is_sent_and_the_blueprint_reads_it(here: SampleNight, receiver: Receiver) -> None:
    add_hook(here, receiver.url, "pot", "end")
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.End())
    wait_until(lambda: any("end" in one["reasons"] for one in receiver.bodies))
    told = {one["event"]["kind"]: one for one in receiver.bodies}
    assert list(told) == ["collect", "out", "poker", "end"]
    assert told["collect"]["chips_taken"] == 5
    assert told["out"]["reasons"] == ["all", "pot", "hand"]
    assert told["end"]["reasons"] == ["all", "end"]
    text = BLUEPRINT.read_text("utf-8")
    read = dict(re.findall(r'(reasons|chips_taken): "(.+)"', text))
    end, pot = re.findall(r'conditions: "(.+)"', text)
    chosen = []
    env = NativeEnvironment()
    for body in receiver.bodies:
        known = {name: env.from_string(said).render(trigger={"json": body}) for name, said in read.items()}
        chosen.append([bool(env.from_string(one).render(known, least_chips=5)) for one in (end, pot)])
    assert chosen[0] == [False, True]
    assert chosen[-1][0]


def test_an_error_is_tried_again_three_times_a_refusal_never_and_then_the_next_entry_is_sent(
    here: SampleNight, receiver: Receiver
) -> None:
    add_hook(here, receiver.url, "hand")
    receiver.statuses[:] = [500, 503, 500, 200, 404, *[500] * 4, 302]
    for dealer in ("ruth", "ben", "mia", "tom"):
        play_hand(here.table, dealer, "ben", "tom")
    wait_until(lambda: "It answered 302" in here.host.get("/webhooks").text)
    hands = [one["event"]["id"] for one in receiver.bodies]
    assert [hands.count(hand) for hand in dict.fromkeys(hands)] == [4, 1, 4, 1]


def test_after_a_body_that_could_not_be_made_the_next_one_is_sent(receiver: Receiver) -> None:
    hook = Webhook(receiver.url, "key")
    sender = WebhookSender(lambda _name, _code: hook, pauses=(), idle_seconds=0.2)
    bodies = iter([b"", b'{"night": "second"}'])

    def make(_hook: Webhook) -> bytes:
        body = next(bodies)
        if not body:
            raise OSError("the disk can't be read just now")
        return body

    sender.put(["a1"], Pending("k7q", make))
    sender.put(["a1"], Pending("k7q", make))
    wait_until(lambda: [one["night"] for one in receiver.bodies] == ["second"])


def remove_hook(here: SampleNight) -> None:
    (name,) = settings_of(here.site.app).webhooks.names()
    assert here.host.post(f"/webhooks/{name}/remove").status_code == 303


def erase_night(here: SampleNight) -> None:
    needs("erase")
    erased = here.host.post(f"/nights/{here.table.code}/erase", {"typed": here.table.name})
    assert erased.location.endswith("?erased=1")


@pytest.mark.parametrize("take_away", [remove_hook, erase_night])
def test_what_waits_for_a_receiver_that_was_removed_or_of_a_night_that_was_erased_is_dropped(
    here: SampleNight, receiver: Receiver, take_away: Callable[[SampleNight], None]
) -> None:
    add_hook(here, receiver.url, "all")
    receiver.go_on.clear()
    receiver.statuses[:] = [503]
    play_hand(here.table, "ruth", "ben", "mia")
    wait_until(lambda: len(receiver.got) == 1)
    take_away(here)
    receiver.go_on.set()
    if take_away is erase_night:
        remove_hook(here)
    other = sample_night(here.site)
    add_hook(other, receiver.url, "hand")
    play_hand(other.table, "ruth", "ben", "mia")
    sender = here.site.app.extensions["webhook_sender"]
    wait_until(lambda: not sender._waiting)
    assert [one["event"]["kind"] for one in receiver.bodies] == ["hand", "out"]


def test_a_receiver_that_was_given_another_secret_is_sent_the_next_attempt_with_that(receiver: Receiver) -> None:
    hooks = [Webhook(receiver.url, "old"), Webhook(receiver.url, "new")]
    sender = WebhookSender(lambda _name, _code: hooks.pop(0) if hooks else None, pauses=(0, 0), idle_seconds=0.2)
    receiver.statuses[:] = [500, 500]
    sender.put(["a1"], Pending("k7q", lambda _hook: b"{}"))
    wait_until(lambda: not sender._waiting)
    signed = [headers["X-Hub-Signature-256"] for headers, _ in receiver.got]
    assert signed == [f"sha256={hmac.new(key, b'{}', hashlib.sha256).hexdigest()}" for key in (b"old", b"new")]


@pytest.mark.parametrize(
    ("scheme", "answer"), [("http", b"H"), ("http", b"HTTP/1.1 200 OK"), ("https", b"\x16\x03\x01\x00\x7f")]
)
def test_an_attempt_ends_in_time_whatever_drips(scheme: str, answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracker.extras.webhooks.sender.SECONDS", 0.5)
    is_over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            conn, _ = listening.accept()
            with conn, suppress(OSError):
                for byte in cycle(answer):
                    conn.sendall(bytes([byte]))
                    if is_over.wait(0.05):
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(TimeoutError):
            post(Webhook(f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/", "key"), b"{}")
        is_over.set()
        thread.join()


def refusal(here: SampleNight, url: str, **more: str) -> str:
    """Return the page on which an address is refused, as it is once more when something is sent there."""
    answer = here.host.post("/webhooks", {"url": url, "reason": "all", **more})
    assert answer.status_code == 422, url
    with pytest.raises(NotAllowed):
        post(Webhook(url, "key", is_anywhere=bool(more)), b"{}", here.site.access.addresses.is_own)
    return answer.text


def test_an_address_outside_of_the_network_needs_a_yes_and_this_server_is_never_one(here: SampleNight) -> None:
    for host in ("8.8.8.8", "[2001:4860:4860::8888]", "[::ffff:8.8.8.8]", "100.100.1.1"):
        assert "is not in this network" in refusal(here, f"http://{host}/hook")
    for host in ("127.0.0.1", "10.1.2.3", "172.16.0.9", "192.168.1.20", "[::1]", "[fd00::5]"):
        assert find_address(f"http://{host}/hook", is_anywhere=False)[1] == 80
    allowed = {"url": "https://8.8.8.8/hook", "reason": "all", "anywhere": "on"}
    assert here.host.post("/webhooks", {**allowed}).status_code == 303
    addresses = here.site.access.addresses
    addresses.port = 8000
    for host in ("127.0.0.1", "localhost", *addresses.candidates()):
        assert "Nothing can be sent to" in refusal(here, f"http://{host}:8000/api/nights")
        assert find_address(f"http://{host}:9000/", is_anywhere=False, is_own=addresses.is_own)[1] == 9000


NEVER = (
    "169.254.169.254", "169.254.3.4", "[fe80::1]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]", "[fd00:ec2::254]", "100.100.100.200", "0.0.0.0", "[::]", "224.0.0.1", "2852039166",
    "0xa9fea9fe", "metadata.example",
)  # fmt: skip


def test_what_a_cloud_tells_its_machine_is_never_asked(here: SampleNight, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 80))]
    for host, anywhere in product(NEVER, ({}, {"anywhere": "on"})):
        if host == "metadata.example":  # a name that leads there
            monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: there)
        assert "Nothing can be sent to" in refusal(here, f"http://{host}/latest/meta-data/", **anywhere)


def test_what_is_no_address_is_not_kept_and_of_others_five_are_the_most(here: SampleNight) -> None:
    bad = ("", "hook", "ftp://127.0.0.1/", "http://", "http://a:b@127.0.0.1/", "http://127.0.0.1:99999/", "http://[::1")
    for url in bad:
        assert "begins with http:// or https://" in refusal(here, url)
    good = {"url": "http://127.0.0.1:9/"}
    assert "Choose what it is told." in here.host.post("/webhooks", {**good}).text
    assert here.host.post("/webhooks", {**good, "reason": "nothing"}).status_code == 422
    assert not settings_of(here.site.app).webhooks.names()
    for status in (*[303] * 5, 422):
        assert here.host.post("/webhooks", {**good, "reason": [*REASONS]}).status_code == status
    assert len(settings_of(here.site.app).webhooks.names()) == 5
