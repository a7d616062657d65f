"""The clock of a table: off unless the host wants it, painted from the log's own time on every page, and its end."""

from datetime import UTC, datetime

import pytest
from extras._shared.score_nights import scores
from support.browser_phones import HEAR, BrowserNight, at_table
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import SampleNight, play_hand, record, sample_night
from support.waiting import until

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips, Score
from tracker.extras.clock.pages import CLOCKS, TableClock, settings_of


def choose(here: SampleNight, clock: str) -> None:
    assert here.host.post(f"{here.base}/settings", {"clock": clock, "title": "Ours"}).status_code == 303


def ends_on_every_page(here: SampleNight) -> set[str]:
    """Return when the clock ends, by every page of the table; "none" for a page without a running clock."""
    pages = [
        phone.get(here.base + path).text for phone in (here.host, here.ben, here.watcher) for path in ("", "/live")
    ]
    pages += [here.host.get(here.base + page).text for page in of_extras("watched")]
    return {"".join(HtmlPage(page).values("#clock[data-ends]", "data-ends")) or "none" for page in pages}


def began(table: OpenNight, kind: str | None = None) -> float:
    """Return when the newest entry (of a kind) was recorded, in seconds since 1970."""
    at = next(one.at for one in reversed(table.entries) if kind in (None, one.event.kind))
    assert at
    return datetime.fromisoformat(at).timestamp()


def test_a_clock_runs_from_the_hand_or_the_newest_entry_while_a_hand_is_played(site: Site, here: SampleNight) -> None:
    record(here.table, events.Hand("ruth"), events.NoSale())
    assert ends_on_every_page(here) == {"none"}
    assert "data-now" in here.host.get(here.base).text
    choose(here, "hand 600")
    assert settings_of(here.table).clock == TableClock("hand", 600)
    assert here.table.settings.texts()["clock"] == '{"kind":"hand","seconds":600}'
    assert ends_on_every_page(here) == {f"{began(here.table, 'hand') + 600:.0f}"}
    head = here.table.head
    choose(here, "turn 30")
    assert here.table.head == head, "it is no part of the log"
    record(here.table, events.Collect("ben", "ace-hearts"))
    assert ends_on_every_page(here) == {f"{began(here.table) + 30:.0f}"}
    record(here.table, events.Out("mia", {seat: Chips(1) for seat in ("ruth", "ben", "tom")}))
    assert ends_on_every_page(here) == {"none"}, "between hands nothing runs"
    record(here.table, events.Poker(("ruth",)), events.End())
    assert ends_on_every_page(here) == {"none"}
    next_night = here.host.post(f"/nights/{here.table.code}/again").location.split("/")[2]
    assert settings_of(site.tables.get(next_night)).clock == TableClock("turn", 30)


def test_in_a_score_game_a_round_begins_with_the_result_of_the_last(site: Site) -> None:
    here = sample_night(site, "score-sheet")
    choose(here, "hand 300")
    assert ends_on_every_page(here) == {"none"}
    record(here.table, scores({seat: Score(3) for seat in here.table.night.seats}))
    assert ends_on_every_page(here) == {f"{began(here.table, 'scores') + 300:.0f}"}


@pytest.mark.parametrize("wrong", ["", "hand", "hand 0", "week 600", "hand 99999999999"])
def test_what_is_not_in_the_list_is_no_clock(here: SampleNight, wrong: str) -> None:
    for one in CLOCKS:
        choose(here, one.text())
        assert HtmlPage(here.host.get(f"{here.base}/settings").text).values("option[selected]", "value") == [one.text()]
    choose(here, wrong)
    assert settings_of(here.table).clock is None
    play_hand(here.table, "ruth", "ben", "mia")
    assert ends_on_every_page(here) == {"none"}


def test_a_clock_that_the_file_does_not_say_readably_is_off(here: SampleNight) -> None:
    record(here.table, events.Hand("ruth"))
    here.table.settings.write("clock", "hand 600")
    assert settings_of(here.table).clock == TableClock("hand", 600), "as earlier versions have written it"
    here.table.settings.write("clock", "hand soon")
    assert ends_on_every_page(here) == {"none"}


# Its end in a real browser


_night = at_table("night", "Ruth", "Ben", others=("Mia", "Tom"))


def test_the_end_of_a_clock_is_said_once_and_does_nothing_by_itself(night: BrowserNight) -> None:
    night.everybody_sees()
    ben = night.phones["ben"].page
    ben.evaluate(HEAR)
    head, hand = night.table.head, next(one for one in night.table.entries if one.event.kind == "hand")
    played = (datetime.now(UTC) - datetime.fromisoformat(hand.at or "")).total_seconds()
    settings_of(night.table).clock = TableClock("hand", round(played) + 4)
    until(ben, "() => /^0:0[1-4]/.test(document.querySelector('header p').textContent)")
    until(ben, "() => said.length")
    assert ben.evaluate("said") == ["Time!"], "and nothing of what was there when the page came"
    assert ben.inner_text("header time") == "Time!"
    ben.reload()
    ben.evaluate(HEAR)
    settings_of(night.table).clock = None
    until(ben, "() => !document.querySelector('#clock')")
    assert ben.evaluate("said") == []
    assert night.table.head == head
