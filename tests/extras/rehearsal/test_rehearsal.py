"""A rehearsal is played with the ordinary pages, and nothing of it is in the data folder, in a list or in a copy."""

import shlex
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from support.browser_phones import browser_night
from support.client_phones import ClientPhone, Site
from support.core_nights import CoreNight
from support.html_page import HtmlPage
from support.polling import wait_until
from support.server_process import run
from support.waiting import until

from tracker import extras
from tracker.app.event_rows import to_row
from tracker.app.nights import Nights
from tracker.core.apply import apply_new
from tracker.core.events import Chips, Collect, Event, Exchange, Hand, NoSale, Out
from tracker.core.night import LOBBY, Night
from tracker.core.preset import Preset
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras.rehearsal import pages
from tracker.extras.rehearsal.command import last_saturday
from tracker.extras.rehearsal.demo import demo_nights
from tracker.extras.rehearsal.pages import PRESET, SEED, Rehearsal, Rehearsals, RehearsalStep, is_finished, next_step
from tracker.extras.rehearsal.players import next_event, play_cards, winning_cards
from tracker.formats.built_in import all_built_in, built_in
from tracker.storage import Store
from tracker.streaming.hub import Frame, StreamHub


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[Site]:
    store = Store(tmp_path / "nights.db")
    hub = StreamHub()
    site = Site(Nights(store, hub))
    rehearsals(site).pace_seconds = 0.0
    yield site
    rehearsals(site).end()
    hub.stop()
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
    for way in ("share", "lobby", "phones", "files", "settings", "order"):
        answer = host.get(f"{address}/{way}")
        assert (answer.status_code, answer.location) == (303, address), way
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


def test_guests_stop_while_no_page_is_open_go_on_when_one_is_and_leave_when_the_server_stops(site: Site) -> None:
    _, rehearsal = begin(site, site.host())
    time.sleep(3 * pages._POLL_SECONDS)
    assert rehearsal.table.night.phase == LOBBY
    stream = watching(site, rehearsal)
    wait_until(lambda: rehearsal.table.night.phase != LOBBY)
    stream.close()
    site.tables.live.stop()
    wait_until(thread_is_gone)


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


def test_one_rehearsal_at_a_time(site: Site) -> None:
    host = site.host()
    first, _ = begin(site, host)
    second, _ = begin(site, host)
    assert host.get(first).location == "/?rehearsal=over"
    assert host.get(f"{first}/live").status_code == 403
    assert site.phone().get(first).status_code == 403
    assert host.get(second).status_code == 200
    for name in ("Mia", "tom"):
        site.tables.settings.host_name = name
        names = [person.name for person in begin(site, host)[1].table.night.people.values()]
        assert names[0] == name
        assert len({one.casefold() for one in names}) == 4, "no guest has the name of the host"


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


SATURDAY, LAID_OUT = date(2026, 11, 21), 20


def test_the_same_seed_makes_the_same_rows_of_as_many_events_as_asked_for_and_another_seed_others() -> None:
    made = [list(demo_nights(3, seed, SATURDAY, events=150)) for seed in (5, 5, 6)]
    first, again, other = (
        [(night.code, night.name, night.options, [*map(to_row, night.entries)]) for night in nights] for nights in made
    )
    assert first == again
    assert first != other
    *finished, running = made[0]
    assert all(140 <= len(night.entries) <= 190 for night in finished)
    assert not running.night.is_over


def test_the_command_lays_out_a_night_a_week_and_leaves_a_folder_that_has_nights_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "nights"
    week = [date(2026, 11, day) for day in range(1, 8)]  # from a Sunday to a Saturday
    assert {last_saturday(day) for day in week} == {date(2026, 10, 31)}, "it is over"
    assert "default: 60" in run("demo", "--help").output
    answer = run("demo", folder, "--nights", str(LAID_OUT))
    assert answer.exit_code == 0, answer.output
    assert shlex.split(answer.output.splitlines()[-1]) == ["board-tracker", "--data", str(folder)]
    before = (folder / "nights.db").read_bytes()
    refused = run("demo", folder)
    assert (refused.exit_code, "there are nights in" in refused.output) == (1, True)
    assert (folder / "nights.db").read_bytes() == before
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


# Simulated players play every game to its end, always the same by the same seed.


LENGTH, MOST = 60, 150
SEATS = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal", "ida", "jo", "kim", "lou")


def played(preset: Preset, seed: str, people: int, length: int = LENGTH) -> Iterator[tuple[Event, Night]]:
    """Yield each event of a simulated night with the state after it."""
    night = CoreNight(preset, SEATS[:people]).night
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
    assert [event for event, _ in played(preset, "3", fewest)] != first


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


# Guests do their part and leave the host's to the host, who takes a pot in three taps


FOUR = ("alex", "mia", "ben", "tom")
BEGUN = CoreNight(PRESET, FOUR).night


def steps(night: Night) -> Iterator[tuple[Night, RehearsalStep]]:
    """Yield each step of a rehearsal with the state before it, the host doing what comes next."""
    out: str | None = None
    said: dict[str, int] = {}
    while step := next_step(night, SEED, out, said, "alex"):
        yield night, step
        if step.event is None:
            said[step.seat] = step.cards_left
        elif isinstance(step.event, Out) and out is None:
            out = step.seat
        else:
            night = apply_new(night, step.event)
            out, said = None, {}


def test_the_host_takes_the_second_pot_says_cards_left_once_deals_once_and_is_out_once() -> None:
    collects = [(night.hand, step.event) for night, step in steps(BEGUN) if isinstance(step.event, Collect)]
    assert collects[0][1].seat != "alex"
    assert collects[1] == (1, Collect("alex", "queen-hearts"))
    own = [step for _, step in steps(BEGUN) if step.seat == "alex"]
    kinds = [type(step.event) for step in own]
    assert kinds.count(Hand) == 1
    assert kinds.count(NoSale) + kinds.count(Exchange) == 1
    assert kinds.count(Out) == 2  # said first, then paid
    assert [step.cards_left for step in own if step.event is None] == [3]
    asked = [step.seat for night, step in steps(BEGUN) if step.event is None and night.hand == 1]
    assert (len(asked), asked[-1]) == (3, "alex"), "guests do not wait for the host"


def test_guests_go_on_from_whatever_the_host_has_recorded() -> None:
    """Another one out than the cards say, a pot taken by somebody else, the dummy hand swapped: all end both hands."""
    others: list[Event] = [Exchange(), Collect("alex", "king-clubs"), Out("alex", dict.fromkeys(FOUR[1:], Chips(4)))]
    night = apply_new(BEGUN, Hand("tom"))
    for event in others:
        night = apply_new(night, event)
        *_, (last, step) = steps(night)
        assert step.event
        assert is_finished(apply_new(last, step.event), SEED)


UNCOVERED = """() => {
  const target = document.querySelector('.hint-target')?.getBoundingClientRect();
  const hint = document.getElementById('hint').getBoundingClientRect();
  return target && hint.left >= 0 && hint.right <= innerWidth && hint.top >= 0 && hint.bottom <= innerHeight
    && (hint.bottom <= target.top || hint.top >= target.bottom);
}"""


def test_a_first_time_host_takes_a_pot_in_3_taps_and_leaves_no_night(browser: Browser, tmp_path: Path) -> None:
    with browser_night(browser, tmp_path) as night:
        host = night.phone("Alex")
        host.page.goto(night.server.host_link)
        host.page.wait_for_url("**/")
        host.tap_word("Try it with pretend guests")
        host.see("#hint[data-name^='collect']")
        host.record(*(host.page.get_attribute("#hint", name) or "" for name in ("data-at", "data-then-at")))
        assert host.taps == 3
        host.see("#hint[data-name='undo']")
        for width, height in ((390, 844), (320, 568), (1280, 800)):
            host.page.set_viewport_size({"width": width, "height": height})
            until(host.page, UNCOVERED)
        host.tap("#hint [data-hint-close]")
        host.page.wait_for_selector("#hint", state="hidden")
        host.tap("a[href$='/sheet']")
        # The open menu may be asked for once more after the end.
        host.excuse(r"status of 403 .*/sheet")
        host.tap_word("Leave the rehearsal")
        host.see_word("Try it with pretend guests")  # with a night, the first page would begin with it
