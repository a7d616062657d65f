"""The phones of an evening keep its log: the table's machine dies with all its data, or comes back with another one."""

import gc
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone, browser_night
from support.client_phones import ClientPhone, Site
from support.data_files import chained_again, unguarded
from support.of_extras import needs, of_extras
from support.sample_nights import SampleNight, record, sample_night
from support.served_app import AWAY
from support.server_process import Command, run
from support.waiting import held_requests, lose_contact, meanwhile, until

from tracker.app.nights import MOST_UNWATCHED
from tracker.cli.data_folder import DATA_FILE
from tracker.core import events
from tracker.core.events import Name
from tracker.core.queries.summary import summary
from tracker.extras._night_files.reading import night_from, states
from tracker.extras.copies import night_transfer
from tracker.extras.copies.arrive import LINES
from tracker.formats.built_in import built_in

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
    with pytest.MonkeyPatch.context() as environment, ExitStack() as ended:
        environment.setenv("BOARD_TRACKER_PAGES", SITE)
        command = Command(tmp_path_factory.mktemp("copies") / "data")
        ended.callback(command.kill)
        night = ended.enter_context(browser_night(browser, command))
        night.play("Ruth", "Ben", others=["Tom"], watcher="Jo")
        night.record("no-sale")
        night.phones["ben"].collect("ten-hearts")
        for phone in night.phones.values():
            phone.excuse(BROKEN)
            has_all(phone, night.code, night.head())
        yield night


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
    done = run(*arguments)
    assert done.exit_code == 0, done.output


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


def test_a_link_that_carries_no_night_is_read_by_the_page_that_it_opens_and_refused_in_a_sentence(
    night: BrowserNight,
) -> None:
    night.host.excuse("status of 422")
    page = night.host.context.new_page()
    page.goto(f"{night.host.origin}/arrive#no-night")
    page.wait_for_selector(".note.bad:not(.too-old)")
    assert page.inner_text(".note.bad:not(.too-old)").strip()
    assert "no-night" not in page.url, "what stood behind the # is sent, and kept by no history"
    page.close()


LONGEST_PAUSE_MS = 3000  # before a phone asks for what is new


def test_answers_that_come_late_are_not_taken_for_another_log(night: BrowserNight) -> None:
    """A phone asks one question at a time: a slow network must not look like another log."""
    host = night.host
    table = host.page.url
    host.page.goto("about:blank")
    held = held_requests(host.page, "**/copy?*")
    host.page.goto(table)
    host.collect_for("queen-hearts", "tom")
    meanwhile(host.page, lambda: bool(held))
    host.collect_for("jack-spades", "tom")
    host.page.wait_for_timeout(LONGEST_PAUSE_MS + 500)
    assert len(held) == 1
    host.page.unroute("**/copy?*")  # which also lets those go on that were held up
    has_all(host, night.code, night.head())
    assert host.page.locator("#phone-backup").count() == 0


def test_a_phone_that_wakes_after_a_minute_does_not_say_that_the_table_is_gone(night: BrowserNight) -> None:
    page, asleep = (
        night.host.context.new_page(),
        "is => Object.defineProperty(document, 'hidden', { value: is, configurable: true })",
    )
    page.clock.install()
    page.goto(f"{night.host.origin}/n/{night.code}")
    until(page, HAS_ALL, [night.code, night.head()])
    page.evaluate(asleep, True)
    lose_contact(page)
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
    with unguarded(night.command.folder / DATA_FILE) as db:  # as by somebody who knows how it is sealed
        for number, body in db.execute("SELECT number, body FROM event").fetchall():
            changed = body.replace('"name": "Tom"', '"name": "Tim"')
            print_ = hashlib.sha256(json.dumps(json.loads(changed), sort_keys=True).encode()).digest()
            db.execute("UPDATE event SET body = ?, print = ? WHERE number = ?", [changed, print_, number])
        chained_again(db, night.code)
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
    copy = night_transfer.transfer_from(ben.page.get_attribute("#phone-backup a", "href") or "").copy
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


# What a phone is given to keep of a night, and how it finds out that the log is another one.


def ask(here: SampleNight, phone: ClientPhone, after: object = 0) -> dict[str, Any]:
    answer = phone.get(f"{here.base}/copy?after={after}")
    assert answer.status_code == 200
    found = answer.get_json()
    assert isinstance(found, dict)
    return found


def test_the_backup_on_a_phone_equals_the_exported_night_and_one_that_has_some_is_given_the_rest(
    site: Site, third: SampleNight
) -> None:
    whole, head = ask(third, third.ben), third.table.head
    text = json.dumps({**json.loads(whole["frame"]), "events": [json.loads(line) for line in whole["lines"]]})
    assert json.loads(text) == json.loads(third.table.export())
    assert [*states(night_from(text, built_in))][-1] == third.table.night
    assert whole["file"].endswith(".json")
    for have in (0, 1, 7, head):
        part = ask(third, third.host, have)
        assert (part["lines"], part["seal"]) == (whole["lines"][have:], whole["seal"])
    for longer in (head + 1, 9_999_999):  # than the log
        found = ask(third, third.ben, longer)
        assert (found["known"], found["lines"]) == ("", [])
    for no_number in ("", "x", "-1", "1.5", "\u0661", "9" * 50):
        assert len(ask(third, third.ben, no_number)["lines"]) == head, no_number
    record(third.table, events.Collect("tom", "king-clubs"))
    then = ask(third, third.ben, head)
    assert (then["known"], len(then["lines"])) == (whole["seal"], 1)
    assert then["seal"] != whole["seal"]
    one, other = sample_night(site), sample_night(site)
    assert ask(one, one.host)["known"] != ask(other, other.host)["known"], "each night has seals of its own"


def test_a_log_with_one_letter_changed_has_other_hashes_from_there_on(third: SampleNight) -> None:
    before = [ask(third, third.ben, number)["known"] for number in range(third.table.head + 1)]
    changed = third.table.entries[2]
    assert isinstance(changed.event, events.Sit)
    third.table.entries[2] = replace(changed, event=replace(changed.event, name=Name("Mio")))
    LINES.clear()  # as a server that is started anew
    after = [ask(third, third.ben, number)["known"] for number in range(third.table.head + 1)]
    same = [one == other for one, other in zip(before, after, strict=True)]
    assert same == [number < 3 for number in range(third.table.head + 1)]
    third.table.entries[-1] = replace(third.table.entries[-1], id="another")  # read again, it goes on otherwise
    assert '"another"' in ask(third, third.ben)["lines"][-1]
    third.table.entries.pop()
    assert len(ask(third, third.ben)["lines"]) == third.table.head


def test_a_person_who_was_let_in_keeps_it_also_to_watch_and_nobody_else(third: SampleNight) -> None:
    for phone in (third.site.phone(), third.site.request_join(third.table.code, name="Jo")):
        assert phone.get(f"{third.base}/copy").status_code == 403
        assert phone.get(third.base).status_code == 403
    for phone in (third.host, third.ben, third.watcher):
        assert len(ask(third, phone)["lines"]) == third.table.head
        assert "phone-backup.js" in phone.get(third.base).text
    for page in of_extras("watched"):
        assert "phone-backup.js" not in third.watcher.get(third.base + page).text, "nobody taps there"


def test_the_lines_of_a_night_go_with_it_from_memory(site: Site) -> None:
    others = len(LINES)  # of other tests, whose nights may be in memory
    host = site.host()
    for code in [site.open_night(host) for _ in range(MOST_UNWATCHED + 8)]:
        assert host.get(f"/n/{code}/copy").status_code == 200
    site.open_night(host)  # whenever a night comes into memory, others leave it
    gc.collect()
    assert len(LINES) - others <= MOST_UNWATCHED + 2
