"""Phones behind a bad network: every tap is recorded once, and all pages end up true. --long: as in docs/trust.md."""

import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, TimeoutError as TooLate
from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.browser_phones import BrowserNight, BrowserPhone, browser_night, word_on_control
from support.faults.faulty_network import USUAL, BadNetwork, in_between
from support.faults.script_phones import ScriptPhone, play, recorded_moves
from support.served_app import AWAY
from support.server_process import Command
from support.socket_phones import run
from support.waiting import meanwhile, until

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store

BROKEN = AWAY + r"|htmx:error|status of 50|Failed to decode downloaded font"
PLACES = ("ten-hearts", "ace-hearts", "jack-spades", "king-clubs")


@dataclass
class Table:
    """Ruth is the host; Ben's phone comes through the bad network."""

    night: BrowserNight
    ben: BrowserPhone
    network: BadNetwork

    def kinds(self, since: int) -> list[str]:
        """Return what stands on the disk, after the first events."""
        store = Store(self.night.command.folder / DATA_FILE, read_only=True)
        found = [from_row(row).event.kind for row in store.events(self.night.code)]
        store.close()
        return found[since:]


@pytest.fixture(name="night_behind_bad_network", scope="module")
def _night_behind_bad_network(browser: Browser, command: Command) -> Iterator[Table]:
    with browser_night(browser, command) as night:
        where = urlsplit(command.phones_url)
        assert where.hostname
        network = BadNetwork((where.hostname, command.port), seed=5, is_good=True)
        with in_between(network, where.hostname):
            night.guests_url = f"http://{where.hostname}:{network.port}"
            night.play("Ruth", "Ben", others=["Mia", "Tom"], options={"stack": "500"})
            ben = night.phones["ben"]
            for phone in night.phones.values():
                phone.excuse(BROKEN)
            yield Table(night, ben, network)


@pytest.fixture(name="table")
def _table(night_behind_bad_network: Table) -> Iterator[Table]:
    """A new hand in a good network, with nothing left to send; afterwards everything is shown as it is."""
    ben = night_behind_bad_network.ben.page
    until(ben, "() => localStorage.getItem('unsent') === null && document.getElementById('net').hidden")
    night_behind_bad_network.night.fresh_hand()
    yield night_behind_bad_network
    night_behind_bad_network.network.is_good = True
    night_behind_bad_network.night.check_chips()


def insist(phone: BrowserPhone, word: str, then: str) -> None:
    """Tap until what it opens is there: a sheet that does not come in six seconds comes no more, so people do so."""
    for _ in range(6):
        phone.tap_word(word)
        with suppress(TooLate):
            phone.page.wait_for_selector(f"{word_on_control(then)} >> visible=true", timeout=10_000)
            return
    raise AssertionError(f"{word} opens nothing")


def test_a_hand_played_through_a_bad_network_is_recorded_tap_by_tap_and_once(
    table: Table, short_or_long: Callable[[int, int], int]
) -> None:
    night, ben, network, places = table.night, table.ben, table.network, PLACES[: short_or_long(2, len(PLACES))]
    head, network.is_good = night.head(), False
    for pot in places:
        ben.collect(pot)
    insist(ben, "Ben", "Played wrongly")
    insist(ben, "Played wrongly", "Led too high")
    ben.record_word("Led too high")
    ben.tap_word("I am out of cards!")
    for seat in ("ruth", "mia", "tom"):
        night.host.tap(f"#c-{seat}")
        night.host.cards(2)
    ben.see("#pay:has-text('I get')")
    ben.record("#pay")
    night.check_chips()
    assert table.kinds(head) == ["collect"] * len(places) + ["penalty", "out"]
    assert network.happened.total() > 2, "the network was too good for this test"


def test_a_tap_that_finds_no_answer_says_so_outlives_the_page_and_is_sent_again_with_its_key(table: Table) -> None:
    night, ben, network, sent = table.night, table.ben, table.network, list[str | None]()
    head, address = night.head(), ben.page.url
    ben.page.on("request", lambda one: sent.append(one.post_data) if one.url.endswith("/record") else None)
    network.dropped, network.faults, network.is_good = 0, {"stall": 1}, False
    ben.tap("#p-ten-hearts", ".a-collect [data-mine]")
    ben.see("#net:has-text('Sending…')")
    ben.see("#net:has-text('Your tap is kept and sent later')")
    assert night.head() == head
    network.faults = {"lose": 1}
    meanwhile(ben.page, lambda: night.head() == head + 1)
    ben.page.goto("about:blank")
    network.faults, network.is_good = USUAL, True
    ben.page.goto(address)
    ben.see("#p-ten-hearts.taken")
    until(ben.page, "() => localStorage.getItem('unsent') === null")
    ben.page.wait_for_selector("#net", state="hidden")
    assert len(sent) > 2
    assert len(set(sent)) == 1
    assert table.kinds(head) == ["collect"]


def test_a_phone_whose_stream_is_refused_shows_what_others_do_and_records_its_own(table: Table) -> None:
    """As for the screens that come after all streams are taken: the page asks for the picture instead."""
    night, ben = table.night, table.ben
    streams = list[str]()

    def refuse(route: Route) -> None:
        streams.append(route.request.url)
        route.fulfill(status=503)

    ben.page.route("**/stream*", refuse)
    ben.page.reload()
    lost = "() => { new MutationObserver(() => { window.wasLost ||= !document.querySelector('#net').hidden; })"
    ben.page.evaluate(lost + ".observe(document.querySelector('#net'), { attributes: true }); }")
    night.host.collect_for("ten-hearts", "mia")
    ben.see("#p-ten-hearts.taken")
    refused = len(streams)
    meanwhile(ben.page, lambda: len(streams) > refused + 2)
    assert not ben.page.evaluate("window.wasLost")
    ben.collect("ace-hearts")
    ben.page.unroute("**/stream*")
    night.host.collect_for("jack-spades", "tom")
    ben.see("#p-jack-spades.taken")
    ben.page.wait_for_selector("#net", state="hidden")


@pytest.mark.long
def test_every_phone_says_that_a_server_is_frozen_and_a_tap_is_recorded_once_when_it_goes_on(table: Table) -> None:
    night, ben, process = table.night, table.ben, table.night.command.process
    head = night.head()
    process.send_signal(signal.SIGSTOP)
    try:
        ben.tap("#p-ten-hearts", ".a-collect [data-mine]")
        ben.see("body.lost #net:has-text('Your tap is kept and sent later')")
        night.host.see("body.lost #net:has-text('Looking for the table')")
    finally:
        process.send_signal(signal.SIGCONT)
    ben.see("#p-ten-hearts.taken")
    for phone in night.phones.values():
        phone.see("body:not(.lost)")
    assert table.kinds(head) == ["collect"]


def test_all_tabs_of_one_browser_load_and_the_one_in_use_follows(table: Table) -> None:
    night, ben = table.night, table.ben
    tabs = [ben.context.new_page() for _ in range(7)]
    for tab in tabs:
        tab.goto(ben.page.url)
        tab.wait_for_selector("#p-ten-hearts[data-ask]")
    ben.see("#net:has-text('open in a newer tab')")
    night.record("collect", seat="mia", pot="ten-hearts")
    tabs[-1].wait_for_selector("#p-ten-hearts.taken")
    ben.tap("#p-ace-hearts")  # back to the first one: it is true at once, and stays so
    ben.see("#p-ten-hearts.taken")
    night.record("collect", seat="mia", pot="king-clubs")
    ben.see("#p-king-clubs.taken")
    ben.see("body:not(.lost)")
    for tab in tabs:
        tab.close()


# Eight phones without pages


SEED = 20


async def play_through(network: BadNetwork, table: BenchTable, moves: int) -> list[ScriptPhone]:
    await network.open()
    phones = table.phones(ScriptPhone)
    for phone in phones:
        phone.port = network.port
    try:
        await play(phones, table.port, moves)
    finally:
        await network.close()
    return phones


def test_every_move_through_a_bad_network_is_recorded_once_and_everybody_sees_it(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(40, 320)
    table = new_bench_table(tmp_path, watchers=0, chips=2000)
    with served(table):
        network = BadNetwork(("127.0.0.1", table.port), SEED)
        phones = run(play_through(network, table, moves))
    posts = sum(phone.posts for phone in phones)
    assert recorded_moves(tmp_path, table.code) == dict.fromkeys(SEATS, moves // len(SEATS))
    assert {status for phone in phones for status in phone.statuses} <= {200, 204}
    assert posts > moves, "the network was too good for this test"
    figure(f"a bad network: {moves} moves in {posts} posts, {sum(network.happened.values())} faults: 0 lost, 0 doubled")
