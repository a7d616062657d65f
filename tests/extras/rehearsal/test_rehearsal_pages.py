"""A rehearsal is played with the ordinary pages, and nothing of it is in the data folder, in a list or in a copy."""

import shlex
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.polling import wait_until
from support.server_process import run

from tracker import extras
from tracker.app.event_rows import to_row
from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.core.apply import apply_new
from tracker.core.events import Event, Name, SeatId, Sit
from tracker.core.night import LOBBY, Night
from tracker.core.preset import Preset
from tracker.extras.rehearsal import pages
from tracker.extras.rehearsal.command import last_saturday
from tracker.extras.rehearsal.demo import DemoNight, demo_nights
from tracker.extras.rehearsal.pages import Rehearsal, Rehearsals
from tracker.extras.rehearsal.players import next_event, play_cards, winning_cards
from tracker.formats.built_in import all_built_in, built_in
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
    assert rehearsal.table.night.hand == pages.HANDS
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
    time.sleep(3 * pages._POLL_SECONDS)
    assert rehearsal.table.night.phase == LOBBY
    stream = watching(site, rehearsal)
    wait_until(lambda: rehearsal.table.night.phase != LOBBY)
    stream.close()


@pytest.mark.parametrize("limit", ["ALONE_SECONDS", "LONGEST_SECONDS"])
def test_a_rehearsal_that_is_left_or_lasts_too_long_ends(
    site: Site, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(pages, limit, 0.0)
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


def test_pages_that_keep_or_share_something_lead_back_to_the_table(site: Site) -> None:
    host = site.host()
    address, _ = begin(site, host)
    for way in ("share", "lobby", "phones", "files", "settings", "order"):
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
    assert "phone-backup.js" not in rehearsed.value("#live", "data-later")


def test_no_guest_has_the_name_of_the_host(site: Site) -> None:
    for name in ("Mia", "tom"):
        site.tables.settings.host_name = name
        _, rehearsal = begin(site, site.host())
        names = [person.name for person in rehearsal.table.night.people.values()]
        assert names[0] == name
        assert len({one.casefold() for one in names}) == 4


SATURDAY, LAID_OUT = date(2026, 11, 21), 20


def rows(nights: list[DemoNight]) -> list[object]:
    return [(night.code, night.name, night.options, [to_row(entry) for entry in night.entries]) for night in nights]


def test_the_same_seed_makes_the_same_rows_and_another_seed_others() -> None:
    first, again, other = (rows(list(demo_nights(3, seed, SATURDAY))) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_nights_have_about_as_many_events_as_asked_for() -> None:
    *finished, running = demo_nights(4, 5, SATURDAY, events=300)
    assert all(290 <= len(night.entries) <= 340 for night in finished)
    assert not running.night.is_over


def test_the_newest_demo_night_is_of_a_saturday_that_is_over() -> None:
    week = [date(2026, 11, day) for day in range(1, 8)]  # from a Sunday to a Saturday
    assert {last_saturday(day) for day in week} == {date(2026, 10, 31)}


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "nights"
    assert "default: 60" in run("demo", "--help").output
    answer = run("demo", folder, "--nights", str(LAID_OUT))
    assert answer.exit_code == 0, answer.output
    assert shlex.split(answer.output.splitlines()[-1]) == ["board-tracker", "--data", str(folder)]
    return folder


def test_the_command_lays_out_a_night_a_week_that_replays_without_a_fault(folder: Path) -> None:
    with closing(Store(folder / "nights.db")) as store:
        assert list(Summaries(Nights(store, StreamHub())).replay_faults()) == []
        nights = store.nights()
        assert len(nights) == LAID_OUT
        days = [date.fromisoformat(night.created_at[:10]) for night in nights]
        assert days == [days[0] - timedelta(weeks=week) for week in range(LAID_OUT)]
        assert days[0].weekday() == 5
        tables = Nights(store, StreamHub())
        is_over = [tables.get(night.code).night.is_over for night in nights]
        assert is_over == [False] + (LAID_OUT - 1) * [True]
        assert len({tables.get(night.code).preset.id for night in nights}) >= 6


def test_a_folder_that_has_nights_is_refused_and_left_as_it_is(folder: Path) -> None:
    before = (folder / "nights.db").read_bytes()
    answer = run("demo", folder)
    assert answer.exit_code == 1
    assert "there are nights in" in answer.output
    assert (folder / "nights.db").read_bytes() == before


# Simulated players play every game to its end, always the same by the same seed.


LENGTH, MOST = 60, 150
SEATS = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal", "ida", "jo", "kim", "lou")


def played(preset: Preset, seed: str, people: int, length: int = LENGTH) -> Iterator[tuple[Event, Night]]:
    """Yield each event of a simulated night with the state after it."""
    night = Night(preset)
    for seat in SEATS[:people]:
        night = apply_new(night, Sit(SeatId(seat), Name(seat.capitalize())))
    for number in range(MOST):
        event = next_event(night, seed, is_last=number >= length)
        if event is None:
            return
        night = apply_new(night, event)
        yield event, night


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_every_game_is_played_to_its_end_by_a_seed_always_alike_and_no_chip_is_lost(preset: Preset) -> None:
    fewest, most = preset.seats.min, preset.seats.max
    nights = [list(played(preset, seed, people)) for seed, people in (("1", most), ("2", fewest), ("2", fewest))]
    for steps in nights:
        last = steps[-1][1]
        assert last.is_over
        assert last.hand >= 3
        assert all(sum(night.ledger.balances.values()) == 0 for _, night in steps)
    _, first, again = ([event for event, _ in steps] for steps in nights)
    assert first == again
    other_seed = [event for event, _ in played(preset, "3", fewest)]
    assert other_seed != first


@pytest.mark.parametrize("how", ["iou", "buy_in", "partial_ante", "sit_out", "cap", "end_session"])
def test_people_who_run_short_go_on_as_the_house_rule_says(how: str) -> None:
    preset = built_in("michigan-rummy").with_options({"shortage": how, "ante.times": 6})
    events, states = zip(*played(preset, "3", 4), strict=True)
    assert states[-1].is_over
    assert any(event.kind == "buy" for event in events) == (how == "buy_in")
    assert any(night.ledger.iou for night in states) == (how == "iou")


def test_all_cards_of_a_pack_are_dealt_and_whoever_is_out_first_has_played_them_all() -> None:
    for seed in map(str, range(30)):
        seats = SEATS[: 3 + int(seed) % 5]
        cards = play_cards(seed, seats, seats[0], None)
        held = [card for hand in cards.hands.values() for card in hand]
        assert len(set(held)) == len(held) == 52 - 52 // (len(seats) + 1)
        first, at = next(iter(cards.finishes.items()))
        assert cards.left(first, at) == ()
        assert all(cards.left(seat, at) for seat in seats if seat != first)


def test_ranks_alone_are_trumps_and_three_of_them_a_run_of_any_suit() -> None:
    assert winning_cards(("KH", "QH"), "S") == [("KH", "QH")]
    assert winning_cards(("K", "Q"), "S") == [("KS", "QS")]
    assert ("7D", "8D", "9D") in winning_cards(("7", "8", "9"), "S")
