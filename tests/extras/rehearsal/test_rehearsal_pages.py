"""A rehearsal is played with the ordinary pages, and nothing of it is in the data folder, in a list or in a copy."""

import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.polling import wait_until

from tracker import extras
from tracker.app.nights import Nights
from tracker.core.night import LOBBY
from tracker.extras.rehearsal import guests
from tracker.extras.rehearsal.guests import Rehearsal, Rehearsals
from tracker.storage import Store
from tracker.storage.backups import Backups
from tracker.streaming.hub import Frame, StreamHub


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[Site]:
    store = Store(tmp_path / "nights.db")
    hub = StreamHub()
    backups = Backups(store, tmp_path / "backups")
    site = Site(Nights(store, hub, backups))
    rehearsals(site).pace_seconds = 0.0
    yield site
    rehearsals(site).end()
    hub.stop()
    backups.close()
    store.close()


def rehearsals(site: Site) -> Rehearsals:
    found = site.app.extensions["rehearsals"]
    assert isinstance(found, Rehearsals)
    return found


def begin(site: Site, host: ClientPhone) -> tuple[str, Rehearsal]:
    """Begin a rehearsal from the first page and return the address of its table."""
    answer = host.post("/rehearsal")
    assert answer.status_code == 303
    current = rehearsals(site).current
    assert current
    return answer.location, current


def watching(site: Site, rehearsal: Rehearsal) -> Generator[bytes, None, None]:
    """Return a stream of the table, as an open page has one; it ends when it is closed."""
    stream = site.tables.live.stream(rehearsal.table.code, "x", lambda: Frame(0, ""), device="1")
    next(stream)
    return stream


def thread_is_gone() -> bool:
    return not any(thread.name == "rehearsal" for thread in threading.enumerate())


def folder(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def test_a_whole_rehearsal_leaves_no_byte_and_no_night_behind(site: Site, tmp_path: Path) -> None:
    host = site.host()
    host.get("/")
    before = folder(tmp_path)
    address, rehearsal = begin(site, host)
    stream = watching(site, rehearsal)
    while step := rehearsal.step:
        if step.seat == rehearsal.host and step.event is not None:
            rehearsal._do(step)
        elif step.seat == rehearsal.host:
            rehearsal.table.set_draft_value(step.seat, step.cards_left)
        else:
            time.sleep(0.02)
    for page in ("", "/log", "/sheet", "/rules", "/settle"):
        assert host.get(address + page).status_code == 200
    assert rehearsal.table.night.hand == guests.HANDS
    stream.close()
    assert host.post("/rehearsal/end", {"next": "new"}).location == "/new"
    assert site.tables.nights() == []
    assert folder(tmp_path) == before
    assert host.get(address).location == "/?rehearsal=over"
    assert thread_is_gone()


def test_the_host_taps_through_the_ordinary_form_and_can_undo(site: Site) -> None:
    host = site.host()
    address, rehearsal = begin(site, host)
    stream = watching(site, rehearsal)
    wait_until(lambda: bool(rehearsal.step and rehearsal.step.seat == rehearsal.host))
    fields = HtmlPage(host.get(address).text).hidden_fields("#move")
    head = rehearsal.table.head
    collect = {**fields, "do": "collect", "pot": "queen-hearts", "seat": "alex", "held": "5"}
    assert host.post(f"{address}/record", {**collect}).status_code == 303
    assert rehearsal.table.entries[head].by == "alex"
    undo = {"do": f"undo:{head + 1}", "key": "k" * 20, "head": str(head + 1)}
    assert host.post(f"{address}/record", {**undo}).status_code == 303
    assert "queen-hearts" not in rehearsal.table.night.current_deal().taken
    stream.close()


def test_guests_stop_while_no_page_is_open_and_go_on_when_one_is(site: Site) -> None:
    _, rehearsal = begin(site, site.host())
    time.sleep(3 * guests._POLL_SECONDS)
    assert rehearsal.table.night.phase == LOBBY
    stream = watching(site, rehearsal)
    wait_until(lambda: rehearsal.table.night.phase != LOBBY)
    stream.close()


@pytest.mark.parametrize("limit", ["ALONE_SECONDS", "LONGEST_SECONDS"])
def test_a_rehearsal_that_is_left_or_lasts_too_long_ends(
    site: Site, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(guests, limit, 0.0)
    host = site.host()
    address, rehearsal = begin(site, host)
    wait_until(lambda: rehearsal.is_ended)
    wait_until(thread_is_gone)
    assert rehearsals(site).current is None
    assert host.get(address).location == "/?rehearsal=over"
    assert "Nothing of it was kept" in HtmlPage(host.get("/?rehearsal=over").text).text("main .note")


def test_the_guests_go_when_the_server_stops(site: Site) -> None:
    begin(site, site.host())
    site.tables.live.stop()
    wait_until(thread_is_gone)


def test_one_rehearsal_at_a_time(site: Site) -> None:
    host = site.host()
    first, _ = begin(site, host)
    second, _ = begin(site, host)
    assert host.get(first).location == "/?rehearsal=over"
    assert host.get(f"{first}/live").status_code == 403
    assert site.phone().get(first).status_code == 403
    assert host.get(second).status_code == 200


def test_only_the_host_may_begin_watch_or_end_a_rehearsal(site: Site) -> None:
    address, rehearsal = begin(site, site.host())
    stranger = site.phone()
    assert stranger.post("/rehearsal").status_code == 403
    assert stranger.post("/rehearsal/end").status_code == 403
    for way in ("", "/stream", "/log", "/sheet"):
        assert stranger.get(address + way).status_code == 403
    assert not rehearsal.is_ended


def test_pages_that_keep_or_share_something_lead_back_to_the_table(site: Site) -> None:
    host = site.host()
    address, _ = begin(site, host)
    for way in ("share", "lobby", "phones", "files", "settings", "hand-over", "pin", "order"):
        answer = host.get(f"{address}/{way}")
        assert (answer.status_code, answer.location) == (303, address), way


def test_a_real_night_has_no_hint_and_is_kept_on_the_phone_where_phones_keep_nights(site: Site) -> None:
    host = site.host()
    real = host.post("/new", {"preset": "michigan-rummy", "host": "Ruth", "full": "1"}).location.removesuffix("/lobby")
    page = HtmlPage(host.get(real).text)
    assert not page.has("#hint")
    assert ("phone-backup.js" in page.value("#live", "data-later")) is ("copies" in extras.names())
    address, _ = begin(site, host)
    rehearsed = HtmlPage(host.get(address).text)
    assert rehearsed.has("#hint")
    assert not rehearsed.value("#live", "data-later").strip()


def test_no_guest_has_the_name_of_the_host(site: Site) -> None:
    for name in ("Mia", "tom"):
        site.tables.settings.host_name = name
        _, rehearsal = begin(site, site.host())
        names = [person.name for person in rehearsal.table.night.people.values()]
        assert names[0] == name
        assert len({one.casefold() for one in names}) == 4
