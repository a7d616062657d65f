"""The phones of an evening keep its log: the table's machine dies with all its data, or comes back with another one."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.browser_phones import AWAY, BrowserNight, BrowserPhone, browser_night
from support.of_extras import needs
from support.paths import ROOT
from support.waiting import until

from tracker.cli.data_folder import DATA_FILE
from tracker.core.queries.summary import summary
from tracker.extras.copies import night_transfer
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, states
from tracker.storage.rows import NewEvent, first_hash, next_hash

HAS_ALL = "([code, head]) => JSON.parse(localStorage.getItem(`night ${code}`) || '{}').lines?.length === head"
BROKEN = AWAY + "|status of 40|htmx:error|CLOSED"
SAVE = "#phone-backup [aria-label='Save this night as a file']"
PUT_AWAY = "#phone-backup [aria-label='Put this away']"
OTHER_LOG = "The log of this night is not the one this phone saw."
GONE = "The table’s computer is gone? One phone goes on, the others say what happens."
SITE = "https://cards.example/"
NOT_HERE = "This phone has kept a night that is not here any more."


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
    with named_site(), browser_night(browser, tmp_path_factory.mktemp("copies") / "data") as night:
        night.play("Ruth", "Ben", others=["Tom"], watcher="Jo")
        night.record("no-sale")
        night.phones["ben"].collect("ten-hearts")
        for phone in night.phones.values():
            phone.excuse(BROKEN)
            has_all(phone, night.code, night.head())
        yield night


@contextmanager
def named_site() -> Iterator[None]:
    """Have servers that are started name a site that runs the tracker in a browser."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BOARD_TRACKER_PAGES", SITE)
        yield


def has_all(phone: BrowserPhone, code: str, head: int) -> None:
    """Wait until a phone has kept so many lines."""
    until(phone.page, HAS_ALL, [code, head])


def saved(phone: BrowserPhone, folder: Path) -> Path:
    """Tap the button, and return the file that the phone gets."""
    with phone.page.expect_download() as found:
        phone.tap(SAVE)
    file = folder / found.value.suggested_filename
    found.value.save_as(file)
    return file


def state_in(file: Path) -> dict[str, Any]:
    read = night_from(file.read_text("utf-8"), built_in)
    return summary([*states(read)][-1], read.name)


def board_tracker(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "tracker", *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)


def test_open_pages_show_a_copy_that_is_brought_back_by_themselves(
    night: BrowserNight, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    folder = night.command.folder
    board_tracker("backup", tmp_path / "early.db", "--data", folder)
    night.record("collect", seat="tom", pot="ace-hearts")
    board_tracker("backup", "--data", folder)
    head = night.head()
    for phone in night.phones.values():
        has_all(phone, night.code, head)
    night.command.kill()
    board_tracker("restore", tmp_path / "early.db", "--data", folder)
    night.command.start()
    for phone in night.phones.values():
        phone.see(f"#phone-backup:has-text('{OTHER_LOG}')")
        covers_nothing(phone)
    page = night.host.context.new_page()
    page.goto(f"{night.host.origin}/backups")
    page.tap(".rows a[href*='/asked-']")
    page.tap("text=Bring back what is missing")
    assert f"{head - 1} entries here, {head} in the copy: the last 1 come back" in page.inner_text("#back")
    page.tap("text=Bring this back")
    page.wait_for_selector("#done")
    page.close()
    for phone in night.phones.values():
        phone.see_head(head)
        phone.page.wait_for_selector("#phone-backup", state="detached")
    figure(
        f"a copy brought back under {len(night.phones)} open pages: all show it, and none says 'another log' any more"
    )


def test_a_phone_that_wakes_after_a_minute_does_not_say_that_the_table_is_gone(night: BrowserNight) -> None:
    page, asleep = (
        night.host.context.new_page(),
        "is => Object.defineProperty(document, 'hidden', { value: is, configurable: true })",
    )
    page.clock.install()
    page.goto(f"{night.host.origin}/n/{night.code}")
    until(page, HAS_ALL, [night.code, night.head()])
    page.evaluate(asleep, True)
    page.context.set_offline(True)
    until(page, "() => document.body.classList.contains('lost')")
    page.clock.run_for(60_000)
    page.evaluate(asleep, False)
    page.clock.run_for(3_000)
    assert not page.query_selector("#phone-backup")
    page.clock.run_for(20_000)
    page.wait_for_selector(f"#phone-backup:has-text('{GONE}')")
    page.context.set_offline(False)
    page.clock.resume()
    page.wait_for_selector("#phone-backup", state="detached")
    page.close()


def test_every_phone_that_was_there_says_so_when_history_is_written_anew(
    night: BrowserNight, figure: Callable[[str], None]
) -> None:
    night.command.kill()
    rewrite(night.command.folder / DATA_FILE, '"name": "Tom"', '"name": "Tim"')
    night.command.start()
    assert "Tim" in night.host.page.request.get(f"{night.host.origin}/n/{night.code}").text()
    for phone in night.phones.values():
        phone.see(f"#phone-backup:has-text('{OTHER_LOG}')")
    figure(f"history rewritten with all its hashes: {len(night.phones)} of {len(night.phones)} open phones say so")
    night.record("collect", seat="tom", pot="king-clubs")
    for phone in night.phones.values():
        covers_nothing(phone)
        phone.tap(PUT_AWAY)
        has_all(phone, night.code, night.head())
        assert not phone.page.query_selector("#phone-backup")


def test_a_night_goes_on_from_a_phone_when_its_machine_is_lost_with_all_data(
    night: BrowserNight, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    state, ben = night.state(), night.phones["ben"]
    head = state.pop("head")
    del state["prompt"]  # what the table asks is no part of the file
    for phone in night.phones.values():
        has_all(phone, night.code, head)
    with closing(sqlite3.connect(night.command.folder / DATA_FILE)) as db:
        ((last_hash,),) = db.execute("SELECT hash FROM event WHERE number = ?", [head]).fetchall()
    night.command.kill()
    shutil.rmtree(night.command.folder)

    # The page that was open when the machine died
    ben.see(f"#phone-backup:has-text('{GONE}')")
    covers_nothing(ben)
    assert state_in(saved(ben, tmp_path)) == state
    ben.see(f"#phone-backup a[href^='{SITE}#X1']")
    copy = night_transfer.night_from(ben.page.get_attribute("#phone-backup a", "href") or "")
    assert (copy.row.code, copy.events[-1].hash) == (night.code, last_hash)

    # Another machine at the same address that knows nothing: every phone offers what it has
    night.command.start()
    for phone in night.phones.values():
        phone.see(f"#phone-backup:has-text('{NOT_HERE}')")
    file = saved(night.host, tmp_path)
    assert state_in(file) == state
    night.command.kill()
    needs("commands")
    board_tracker("import", file, "--data", night.command.folder)
    with closing(sqlite3.connect(night.command.folder / DATA_FILE)) as db:
        assert db.execute("SELECT COUNT(*) FROM event").fetchall() == [(head,)]
    figure(f"data folder deleted after event {head}: 3 of 3 phones offered the night, 0 events lost after the import")


def covers_nothing(phone: BrowserPhone) -> None:
    """What lies over the table's page takes no place that is tapped in play: only the top bar's."""
    covered = """() => {
      const box = document.getElementById("phone-backup").getBoundingClientRect();
      const tapped = "#live :is(button, a, input, [data-pot], [data-seat]):not(.bar *)";
      const played = [...document.querySelectorAll(tapped)].filter((one) => one.getClientRects().length);
      const under = played.filter((one) => {
        const spot = one.getBoundingClientRect();
        return spot.top < box.bottom && spot.bottom > box.top && spot.left < box.right && spot.right > box.left;
      });
      return [played.length, under.map((one) => one.outerHTML.slice(0, 80))];
    }"""
    played, under = phone.page.evaluate(covered)
    assert played > 5
    assert under == [], phone.name


def rewrite(file: Path, old: str, new: str) -> None:
    """Change a night as somebody would who has the file and knows how it is sealed."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        on_events = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'event'"
        triggers = db.execute(f"SELECT name, sql {on_events}").fetchall()
        for name, _sql in triggers:
            db.execute(f"DROP TRIGGER {name}")
        (night,) = db.execute("SELECT code, preset, options, created_at FROM night").fetchall()
        rows = db.execute("SELECT number, id, body, at, by FROM event ORDER BY number").fetchall()
        seal = first_hash(*night)
        for number, id_, body, at, by in rows:
            changed = body.replace(old, new)
            print_ = hashlib.sha256(json.dumps(json.loads(changed), sort_keys=True).encode()).digest()
            seal = next_hash(seal, NewEvent(number, id_, print_, changed, at, by))
            values = [changed, print_, seal, number]
            db.execute("UPDATE event SET body = ?, print = ?, hash = ? WHERE number = ?", values)
        for _name, sql in triggers:
            db.execute(sql)
