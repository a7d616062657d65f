"""What a big screen shows: the table, the count, the last hand, the end, in every game, and nothing to tap."""

import re
from collections.abc import Mapping
from contextlib import suppress
from random import Random

import pytest
from support.cards_left import COVERS, Shown, by_the_draft, one_entry, poor
from support.client_phones import ClientPhone, Site
from support.core_nights import CoreNight
from support.html_page import HtmlPage, Tag
from support.offer_walk import Walk
from support.qr_pictures import text_in_qr
from support.random_nights import every_preset, legal_event, random_night, random_options
from support.sample_nights import (
    SampleNight,
    ended_night,
    night_in_third_hand,
    play_hand,
    record,
    sample_night,
    visible_text,
)
from support.score_nights import ScoreNight
from support.table_nights import TableNight
from support.well_formed import faults

from tracker.app.open_night import OpenNight
from tracker.core import events, log
from tracker.core.errors import TableError
from tracker.core.events import Chips
from tracker.core.preset import Preset
from tracker.core.queries.summary import ranking
from tracker.extras.tv.pages import big_win, columns, fragment
from tracker.web.base.snapshot import SNAPSHOTS, NightSnapshot
from tracker.web.night_result import NightResult
from tracker.web.table.view import board_of


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: str(preset.id))
def test_every_game_shows_complete_pages_that_are_as_if_rendered_anew(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset, random_options(preset, chance))
    for event in random_night(table.preset, chance, 4, people=4):
        table.record(event, id=f"e{table.head}", by="host")
    with site.app.app_context():
        for _step in range(12):
            with suppress(TableError):
                table.record(legal_event(table.night, chance), id=f"e{table.head}", by="host")
            shown = str(fragment(table))
            assert faults(shown) == []
            assert "<button" not in shown
            snapshot = SNAPSHOTS.pop(table, None)
            assert str(fragment(table)) == shown
            if snapshot:
                SNAPSHOTS[table] = snapshot


def test_a_stack_stands_in_columns_of_twenty() -> None:
    assert columns(47) == [20, 20, 7]
    assert columns(0) == []
    assert len(columns(10_000)) == 12


def test_only_a_great_win_fills_the_screen() -> None:
    played = CoreNight("michigan-rummy").hand().record("collect", seat="b", pot="ace-hearts")
    assert big_win(board_of(snapshot(played))) is None
    played.record("move", source="a", target="ten-hearts", chips=30).record("collect", seat="b", pot="ten-hearts")
    assert big_win(board_of(snapshot(played))) == ("b", 35)


def snapshot(played: CoreNight) -> NightSnapshot:
    return NightSnapshot(played.night, played.entries, log.find_undone(played.entries), played.steps.of_last_hand())


def test_the_newest_entries_stand_in_words_the_newest_first(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Hand("ben"), events.NoSale(), events.Collect("mia", "ace-hearts"))
    lines = HtmlPage(here.watcher.get(f"{here.base}/tv").text).texts(".tv-lines li")
    assert lines[0].startswith("Mia ")
    assert len(lines) == 3


# Score games


def test_a_round_is_shown_and_nothing_to_tap(site: Site) -> None:
    night = ScoreNight(site, "eight-round-rummy")
    night.tap("round", seat="ben")
    page = night.host.get(f"/n/{night.code}/tv").text
    assert "<h1>Round 2</h1>" in page
    assert "<button" not in page
    assert 'id="tv-ben">1<' in page


def test_whose_hand_is_still_to_come_is_shown(site: Site) -> None:
    night = ScoreNight(site, "michigan-rummy-snake")
    night.tap("out", seat="ben")
    night.tap("say:12", seat="mia")
    page = night.host.get(f"/n/{night.code}/tv/live").text
    assert "Ben: Rummy!" in page
    assert "Still to come: <bdi>Ruth</bdi>" in page
    assert "<button" not in page


# The same as on the phones


class ScreenWalk(Walk):
    """A walk over the offers of a night, at which a big screen is compared too."""

    screens = 0

    def compare_screens(self, when: str, pages: Mapping[str, HtmlPage]) -> None:
        screen = HtmlPage(self.phones["host"].get(f"/n/{self.code}/tv/live", Accept_Language=self.language).text)
        self.screens += 1
        super().compare_screens(when, {**pages, "TV": screen})

    def points_on(self, screen: str, page: HtmlPage) -> dict[str, Tag]:
        if screen != "TV":
            return super().points_on(screen, page)
        return {one.get("id")[3:]: one for one in page.select("[id^=tv-]")}


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["michigan-rummy", "eight-round-rummy", "michigan-rummy-snake", "score-sheet"])
def test_it_agrees_with_all_phones_after_every_offer(site: Site, preset: str) -> None:
    """On stacks, pots, points, what the hand has won and who owes what."""
    walk = ScreenWalk(site, preset, "one", {"stack": "12"} if preset == "michigan-rummy" else {})
    walk.run(11, most=1)
    assert walk.screens > 5
    assert not walk.findings.differing


def shown_count(html: str) -> Shown | None:
    page = HtmlPage(html)
    if not page.has("#sum-total"):
        return None
    jackpot, total = re.fullmatch(r"(\d+) \+ \d+ = (\d+)", page.text("#sum-total")).groups()  # type: ignore[union-attr]
    cards, cover = {}, {}
    for seat in page.select(".seat-tv"):
        said = " ".join(seat.select("small")[0].get_text().split())
        if found := re.search(r"(\d+) left|how many\?", said):
            cards[seat.get("id")[2:]] = found[1] or ""
        if found := re.search("|".join(COVERS), said):
            cover[seat.get("id")[2:]] = COVERS[found[0]]
    return Shown(page.text("h1").split()[0].lower(), cards, cover, jackpot, total)


@pytest.mark.parametrize("shortage", ["buy_in", "iou", "cap"])
def test_the_count_is_that_of_the_draft_after_every_entry(site: Site, shortage: str) -> None:
    night, chance, counts = TableNight(site), Random(shortage), 0
    night.table.record(events.Rule({"shortage": shortage}), id="rule", by="host")
    poor(night.begin(), "ben", "mia", "tom")
    for _ in range(60):
        one_entry(night, chance)
        expected = by_the_draft(night)
        assert shown_count(night.host.get(f"/n/{night.code}/tv/live").text) == expected
        counts += expected is not None
    assert counts > 10


def test_a_rule_that_changes_is_said_until_the_next_hand(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    table = site.tables.get(code)
    record(table, events.Rule({"out.per_card": 3}))
    page = host.get(f"/n/{code}/tv").text
    assert "<b>From the next hand on:</b> Chips for every card left: 3" in page
    record(table, events.NoSale(), events.Out("ruth", {"ben": Chips(2)}), events.Hand("ben"))
    assert 'id="news"' not in host.get(f"/n/{code}/tv").text


# The end


def test_the_end_names_the_winner_and_the_places_and_holds_the_night_as_one_code(site: Site) -> None:
    running, here = night_in_third_hand(site), ended_night(site)
    assert "The night in one code" not in visible_text(running.host.get(f"{running.base}/tv/live"))
    page = HtmlPage(here.watcher.get(f"{here.base}/tv/live").text)
    result = NightResult(here.table.history())
    assert page.text(".crown h2") == result.headline
    assert page.texts(".tv-ranks .nm bdi") == [here.table.night.name(one.seat) for one in ranking(here.table.night)]
    assert page.texts(".tv-ranks .place") == [str(one.place or "–") for one in ranking(here.table.night)]
    assert text_in_qr(page.html) == here.table.code_text()


# The next night


def test_it_comes_along_to_the_next_night(site: Site) -> None:
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    base, screen = found.base, site.request_join(found.table.code, tv="1")
    for knock in site.access.devices.join_requests(found.table.code):
        assert found.host.post(f"{base}/knocks/{knock.id}/in").status_code == 303
    assert screen.post(f"{base}/enter?tv=1").location == f"{base}/tv"
    record(found.table, events.End())
    assert "every phone and the TV come along" in visible_text(found.host.get(f"{base}/settle"))
    code = again(found.host, found.table)
    assert screen.get(f"{base}/tv/live").status_code == 403
    assert screen.get(f"{base}/tv").location == f"/n/{code}/lobby/tv"
    assert screen.get(f"/n/{code}/lobby/tv").status_code == 200
    assert (None, "watcher", "TV") in {(row.seat, row.role, row.label) for row in site.access.devices.devices_of(code)}


def test_one_in_the_hosts_own_browser_follows_every_time(site: Site) -> None:
    here = ended_night(site)
    code = again(here.host, here.table)
    for _ in range(2):
        assert here.host.get(f"{here.base}/tv").location == f"/n/{code}/lobby/tv"
    assert here.host.get(f"{here.base}/settle").status_code == 200


def again(host: ClientPhone, table: OpenNight) -> str:
    """Open the next night of the same people; return its code."""
    return str(host.post(f"/nights/{table.code}/again", {"key": "again"}).location.split("/")[2])
