"""One phone with the site, and no network after its first visit: it is the whole table."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from types import SimpleNamespace
from typing import Any, cast

import pytest
from extras.one_phone.pages_site import (
    JSON,
    TAP,
    SitePhone,
    WebHost,
    as_version,
    frame_says,
    limit_storage,
    shared_site,
)
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.one_phone_table import Table
from support.paths import NIGHTS

from tracker.app.nights import Nights
from tracker.core.queries.summary import summary
from tracker.extras._night_files.codes import code_text
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_files.reading import night_from, states
from tracker.formats.built_in import built_in, built_in_ids

MOST_BYTES = 6_000_000
"""Of a first visit, over the wire."""
TIMES_QUICKER = 4
"""In processor time, which a busy machine does not change; by the clock it is eight times and more on an idle one."""
KILLS, LONG_KILLS = 4, 200
HANDS, LONG_HANDS = 2, 10
OF_OTHERS = re.compile(
    r"wi-?fi|(?<!without a )network|scans? the code|to join|hotspot|other phones|every phone|\bTV\b|no phone",
    re.IGNORECASE,
)
"""What no page of this edition may speak of."""
GENERAL_PAGES = (
    *("/", "/new", "/boards", "/boards/import", "/import"),
    *of_extras("general"),
    *of_extras("lists"),
    *of_extras("lists_of_nights"),
    *("/boards/michigan-rummy/card", "/boards/michigan-rummy", "/boards/michigan-rummy/share"),
)
NIGHT_PAGES = (
    *("", "/lobby", "/log", "/rules", "/settings", "/sounds", "/files", "/settle", "/sheet"),
    *("/order", "/seat/ann", "/film", "/night.json", "/film.html"),
    *of_extras("result_text"),
    *of_extras("night"),
    *of_extras("files_of_night"),
)


class SiteNight:
    """A night at the phone that has the site, which is opened and begun by taps."""

    def __init__(self, phone: SitePhone) -> None:
        self.phone, self.code = phone, ""

    def play(
        self, host: str, *_guests: str, others: Sequence[str], preset: str, options: Mapping[str, str]
    ) -> BrowserPhone:
        phone = self.phone
        phone.page.goto(f"{phone.origin_of_site}/new/{preset}")
        for field, typed in {"host": host, "stack": "900", **options}.items():
            phone.page.fill(f"[name='{field}']", typed)
        phone.tap_word("Open the table")
        phone.page.wait_for_url("**/lobby")
        self.code = phone.page.url.split("/")[-2]
        for name in others:
            phone.page.fill("#add-name", name)
            phone.tap_word("Add")
            phone.see(f"#live bdi:text-is('{name}')")
        phone.tap_word("Everyone is here")
        phone.tap(f"button.person:has-text('{host}')")
        phone.see_head(len((host, *others)) + 1)
        return phone

    def state(self) -> dict[str, Any]:
        return self.phone.api(f"nights/{self.code}")


@pytest.fixture(name="phone", scope="module")
def _phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SitePhone]:
    """A phone that has visited the site once and has no network any more; the site is open there."""
    site = shared_site(tmp_path_factory)
    host = WebHost(site)
    phone = SitePhone(browser, tmp_path_factory.mktemp("profile"), host.port)
    before = phone.processor_seconds()
    assert phone.open() == "plain"
    seconds, sizes = phone.processor_seconds() - before, {one: (site / one).stat().st_size for one in {*host.sent}}
    phone.first_visit = SimpleNamespace(site=site, port=host.port, sizes=sizes, processor_seconds=seconds)
    phone.top.wait_for_function("() => caches.match('/snapshot')", timeout=60_000)
    host.stop()
    yield phone
    phone.context.close()


VERSION_IN_USE = "JSON.parse(document.getElementById('facts').textContent).version"
SAME_SNAPSHOT = """async ([from, to]) => {
  const found = await caches.match("/snapshot", { cacheName: `board-tracker ${from}` });
  await (await caches.open(`board-tracker ${to}`)).put("/snapshot", found);
}"""
"""Another version makes a snapshot of its own; here the program is the same, and one plain start is enough."""
SITE_AT_HOST = re.compile(r"site/(engine|library)-")


def test_a_first_visit_is_small_and_the_next_start_is_much_quicker(
    phone: SitePhone, figure: Callable[[str], None]
) -> None:
    first = phone.first_visit
    assert sum(first.sizes.values()) < MOST_BYTES, first.sizes
    before = phone.processor_seconds()
    assert phone.open() == "snapshot"
    again = phone.processor_seconds() - before
    figure(f"first visit {sum(first.sizes.values()):,} bytes")
    figure(f"processor seconds of a start: {first.processor_seconds:.1f} plain, {again:.1f} from the snapshot")
    assert first.processor_seconds > TIMES_QUICKER * again
    host = WebHost(phone.first_visit.site, phone.first_visit.port)
    phone.open(is_forced=True)  # past the service worker, as shift and reload does
    host.stop()
    phone.go("/new")
    assert phone.complaints() == []


# Early: any night that goes on keeps the version


def test_another_version_comes_between_nights_and_never_within_one(phone: SitePhone, tmp_path: Path) -> None:
    newer, older = "0123456789abcdef", phone.top.evaluate(VERSION_IN_USE)
    host = WebHost(as_version(phone.first_visit.site, newer, tmp_path), phone.first_visit.port)
    try:
        code = phone.api("nights", {"preset": "score-sheet"})["code"]
        phone.open()
        assert phone.newest() == newer
        assert not any(map(SITE_AT_HOST.match, host.sent))
        phone.api(f"nights/{code}/events", {"kind": "end"})
        phone.open()
        assert phone.newest() == newer
        assert len([*filter(SITE_AT_HOST.match, host.sent)]) == 2
    finally:
        host.stop()
    code = phone.api("nights", {"preset": "score-sheet"})["code"]  # begun when the newer version has come already
    phone.open()
    assert phone.top.evaluate(VERSION_IN_USE) == older
    phone.api(f"nights/{code}/events", {"kind": "end"})
    phone.top.evaluate(SAME_SNAPSHOT, [older, newer])
    assert phone.open() == "snapshot"
    assert phone.top.evaluate(VERSION_IN_USE) == newer
    assert phone.api(f"nights/{code}")["phase"] == "ended"


def test_hands_are_tapped_without_a_network_and_a_crash_in_the_middle_loses_nothing(
    phone: SitePhone, short_or_long: Callable[[int, int], int]
) -> None:
    night = SiteNight(phone)
    table = Table(cast(BrowserNight, night), "michigan-rummy")
    hands = short_or_long(HANDS, LONG_HANDS)
    for hand in range(hands):
        if hand:
            phone.record_word("Ante")
        table.phone.record_word("Left alone")
        table.phone.collect_for("queen-hearts", "mia")
        table.out("ben", 2, 3, 5)
        table.phone.record("#s-mia")
        if hand == hands // 2:
            known = night.state()
            phone.kill()
            assert phone.open() == "snapshot"
            assert night.state() == known
            assert phone.page.url.endswith(f"/n/{night.code}")
    table.settle()
    phone.see_word("Keep this night elsewhere")
    assert [preset for preset in built_in_ids() if "code" not in phone.api("nights", {"preset": preset})] == []
    page_walk(phone, night.code)
    assert phone.complaints() == []


def test_every_file_that_the_frame_and_its_manifest_name_comes_from_the_cache(phone: SitePhone) -> None:
    frame = HtmlPage((phone.first_visit.site / "index.html").read_text("utf-8"))
    icons = [one["src"] for one in json.loads((phone.first_visit.site / "manifest.json").read_text("utf-8"))["icons"]]
    named = {*frame.values("link", "href"), *frame.values("script[src]", "src"), *frame.values("img", "src"), *icons}
    assert {"/manifest.json", "/static/shared/favicon.svg", "/site/frame.js"} <= named
    asked = "path => fetch(path).then(answer => answer.status, () => 0)"
    assert {path: phone.top.evaluate(asked, path) for path in named} == dict.fromkeys(named, 200)


def page_walk(phone: SitePhone, code: str) -> None:
    """Ask for every page of this edition, which speaks of no other phones; open those that differ in their scripts."""
    wrong, opened = {}, set[str]()
    for address in [*GENERAL_PAGES, *(f"/n/{code}{rest}" for rest in NIGHT_PAGES)]:
        answer = phone.ask("GET", address)
        if answer["status"] not in (200, 303):
            wrong[address] = str(answer["status"])
        if answer["headers"]["Content-Type"].startswith("text/html") and not address.endswith(".html"):
            page = HtmlPage(answer["text"])
            if said := OF_OTHERS.search(page.text()):
                wrong[address] = said[0]
            if (scripts := str(page.values("script", "src"))) not in opened:
                opened.add(scripts)
                phone.go(address)
    assert not wrong, wrong
    assert len(opened) > 9
    phone.go(f"/n/{code}")
    with phone.top.expect_download() as download:
        phone.page.evaluate("address => { location.href = address; }", f"/n/{code}/night.json")
    *_, night = states(night_from(download.value.path().read_text("utf-8"), built_in))
    assert night.is_over


# The end of the browser at any moment

WRITES_NOTHING = """() => Object.assign(FileSystemSyncAccessHandle.prototype, {
  write: ({ byteLength }) => byteLength, truncate() {}, flush() {},
})"""


def stored_taps(phone: SitePhone, code: str) -> list[str]:
    """Return the ids of the taps that were recorded."""
    events = json.loads(phone.ask("GET", f"/api/nights/{code}/file")["text"])["events"]
    return [one["id"] for one in events if one["id"].startswith("tap-")]


GONE = (None, "indexeddb", "indexeddb", "file_systems")
"""Which place of storage is lost after a kill, in turn. A browser that was killed may find its database damaged at the
next start, and throw it away; the second time shows that it was filled again from the other place."""


def test_a_browser_that_is_killed_at_any_moment_loses_and_doubles_nothing_and_either_place_of_storage_is_enough(
    phone: SitePhone, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    code = phone.night_of_ann()
    kills, stored, chance = short_or_long(KILLS, LONG_KILLS), list[str](), Random(7)
    milliseconds: list[float] = []
    for gone in islice(cycle(GONE), kills):
        told: list[str] = []
        phone.top.on("console", partial(lambda told, said: told.append(said.text), told))
        phone.top.evaluate(TAP, [code, len(stored)])
        phone.top.wait_for_timeout(chance.uniform(20, short_or_long(400, 1500)))
        phone.kill()
        taps = [one.split() for one in told if one.startswith("tap-")]
        stored += [tap for tap, _ in taps]
        milliseconds += [float(passed) for _, passed in taps]
        if gone:
            session = phone.context.new_cdp_session(phone.top)
            session.send("Storage.clearDataForOrigin", {"origin": phone.origin_of_site, "storageTypes": gone})
        assert phone.open() == "snapshot"
        events = stored_taps(phone, code)
        assert events[: len(stored)] == stored  # every answered tap is there, once and in order
        # There may be more: the word of the last ones may not have reached the test. Each is there once, in order.
        assert events == [f"tap-{number}" for number in range(len(events))]
        if len(events) > len(stored):
            same = json.dumps({"kind": "buy", "id": events[-1], "seat": "ann", "chips": 1})
            again = phone.ask("POST", f"/api/nights/{code}/events", same, JSON)
            assert again["status"] == 200  # sent again, it counts once
            stored = events
    figure(f"{kills} kills, {len(stored)} taps: 0 lost, 0 doubled")
    figure(f"a tap is stored and answered in {median(milliseconds):.0f} ms in the middle case")


# What comes from outside: another tab, too little storage, nights by link


STARTS_WITH_BYTES = 1_400_000
"""A start writes a megabyte and takes it away again, to see that there is room."""


LOCK_DATABASE = """() => new Promise((locked) => {
  indexedDB.open("board-tracker", 1).onsuccess = ({ target }) => {
    const file = target.result.transaction(["file"], "readwrite").objectStore("file");
    const again = () => { file.count().onsuccess = again; locked(); };
    again();
  };
})"""
"""Has a transaction that never ends, as WebKit leaves one of a page that was closed while it stored."""


def test_who_has_tried_again_in_vain_is_told_that_the_browsers_end_helps_and_an_older_tab_stores_nothing_more(
    phone: SitePhone,
) -> None:
    code, older, other = phone.night_of_ann(), phone.top, phone.context.new_page()
    other.goto(f"{phone.origin_of_site}/site/version.json")
    other.evaluate(LOCK_DATABASE)
    page = phone.top = phone.context.new_page()
    page.clock.install()
    page.goto(phone.origin_of_site)
    for said in ("start", "stuck"):
        page.wait_for_function("said => document.documentElement.dataset.said === 'start'")
        page.clock.fast_forward(20_000)
        page.wait_for_selector("#buttons button")
        assert page.get_attribute("html", "data-said") == said
        page.click("#buttons button")
    other.close()
    page.wait_for_function("() => document.documentElement.dataset.started")
    assert "newer tab" in frame_says(older, "elsewhere")
    assert older.inner_text("#buttons") == "Go on here"
    assert older.query_selector("#pages") is None
    older.evaluate(TAP, [code, 0, 100])
    assert phone.api(f"nights/{code}")["head"] == 1
    older.close()


@pytest.mark.parametrize("is_only_the_database", [False, True])
def test_a_full_storage_is_said_and_what_was_answered_stays(phone: SitePhone, is_only_the_database: bool) -> None:
    code, told = phone.night_of_ann(), list[str]()
    used = phone.top.evaluate("navigator.storage.estimate().then((one) => one.usage)")
    phone.top.goto("about:blank")  # a browser asks for the room that is left when a page opens its database
    limit_storage(phone.top, phone.origin_of_site, used + STARTS_WITH_BYTES)
    phone.open()
    phone.top.on("console", partial(lambda told, said: told.append(said.text), told))
    if is_only_the_database:  # the second place says that it has written all
        phone.top.workers[0].evaluate(WRITES_NOTHING)
    limit_storage(phone.top, phone.origin_of_site, used // 2)
    # A browser measures a database only after some seconds, in which tap after tap would take a processor.
    phone.top.evaluate(TAP, [code, 0, 100 if is_only_the_database else 0])
    assert "no room left. What was stored is safe" in frame_says(phone.top, "full")
    phone.top.goto(phone.origin_of_site)
    assert "no room left" in frame_says(phone.top, "full")
    assert phone.top.is_hidden("#pages")  # nothing can be tapped
    phone.top.goto("about:blank")
    limit_storage(phone.top, phone.origin_of_site, None)
    phone.open()
    assert stored_taps(phone, code) == [one.split()[0] for one in told if one.startswith("tap-")]


def test_a_first_visit_without_storage_says_so(phone: SitePhone, browser: Browser) -> None:
    host = WebHost(phone.first_visit.site)
    here, context = f"http://localhost:{host.port}", browser.new_context()
    try:
        page = context.new_page()
        limit_storage(page, here, 2_000_000)
        page.goto(here)
        assert "no room left" in frame_says(page, "full")
        page.evaluate("new Promise((done) => { indexedDB.open('board-tracker', 2).onsuccess = done; })")
        limit_storage(page, here, None)
        page.goto(here)  # what is there can't be opened
        assert "stores nothing for this page" in frame_says(page, "refused")
        refuse = "CacheStorage.prototype.match = async () => { throw new DOMException('', 'SecurityError'); }"
        page.add_init_script(refuse)  # as browsers do that are told to keep nothing of a page
        page.goto(here)
        assert "stores nothing for this page" in frame_says(page, "refused")
    finally:
        context.close()
        host.stop()


def test_nights_come_and_go_by_link_without_a_network(phone: SitePhone, tables: Nights) -> None:
    transfer = pytest.importorskip("tracker.extras.copies.night_transfer", reason="nothing takes links")
    raw = json.loads((NIGHTS / "kitty-three-hands.json").read_text("utf-8"))
    table = import_night(tables, json.dumps({**raw, "expect": {}}))
    told = summary(table.night, table.name)
    for text, is_exact in ((transfer.to_text(table), True), (code_text(table), False)):
        if is_exact:
            phone.open(f"/#{text}")
        else:  # in a tab that has the site open
            phone.top.evaluate("code => { location.hash = code; }", text)
        phone.tap_word("Bring it in")
        phone.see(".podium")
        code = phone.page.url.split("/")[4]
        there = phone.api(f"nights/{code}")
        assert {key: there[key] for key in told} == told
        if is_exact:  # every id and time, and so every hash
            file = phone.ask("GET", f"/n/{code}/night.json")["text"]
            assert (code, file) == (table.code, table.export())
        back = re.search(r"X1[\w-]+", phone.ask("GET", f"/n/{code}/carry")["text"])
        assert back
        assert transfer.transfer_from(back[0]).copy.row.code == code
        assert code_text(table) in phone.ask("GET", f"/n/{code}/settle")["text"]
