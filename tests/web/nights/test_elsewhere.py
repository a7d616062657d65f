"""Nights from other apps and to them: chosen people, all at once and taken back at once."""

import json
from urllib.parse import unquote

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.other_apps import PLAYS, SPLITWISE
from support.sample_nights import SampleNight, visible_text
from support.uploads import upload_night

from tracker.archive.people import People
from tracker.archive.summaries import Summaries
from tracker.core import events
from tracker.core.events import Name, Score, SeatId
from tracker.web.settlement.tables import ADDRESS, LONGEST_LINK


def test_plays_come_in_with_the_people_that_were_chosen_and_are_taken_back_together(site: Site) -> None:
    host, people = site.host(), People(site.tables.store)
    ruth = people.add("Ruth", [])
    page = HtmlPage(upload_night(host, json.dumps(PLAYS)).text)
    assert page.texts("label") == ["Ann", "Bob"]
    assert not page.has("option[selected]")
    form = page.form('form[action="/import/elsewhere"]') | {"who-0": ruth.id}
    assert site.tables.nights() == []
    done = host.post("/import/elsewhere", {**form})
    assert "2 nights came in." in visible_text(done)
    assert "2 nights came in." in visible_text(host.post("/import/elsewhere", {**form}))  # sent twice, it counts once
    rows = site.tables.nights()
    assert sorted(row.name for row in rows) == ["Hearts", "Skat"]
    linked = People(site.tables.store).seats_of(ruth.id)
    assert {site.tables.get(code).night.name(seat) for code, seat in linked} == {"Ann"}
    assert len(linked) == 2
    assert host.post("/import/elsewhere/undo", {**HtmlPage(done.text).form('form[action$="/undo"]')}).status_code == 303
    assert Summaries(site.tables).all() == []
    assert len(Summaries(site.tables).deleted()) == 2
    assert People(site.tables.store).seats_of(ruth.id) == ()


def test_shared_costs_come_in_as_open_payments_to_settle_up(site: Site, host: ClientPhone) -> None:
    form = HtmlPage(upload_night(host, SPLITWISE, "costs.csv").text).form('form[action="/import/elsewhere"]')
    host.post("/import/elsewhere", {**form})
    (night,) = Summaries(site.tables).all()
    assert {(one.source, one.target, one.cents) for one in night.unpaid} == {("p2", "p1", 400), ("p3", "p1", 1300)}
    assert "Shared costs" in visible_text(host.get("/settle-up"))


def test_with_anything_wrong_nothing_comes_in(site: Site, host: ClientPhone) -> None:
    broken = {**PLAYS, "plays": [*PLAYS["plays"], {}]}
    assert "play 3" in visible_text(upload_night(host, json.dumps(broken))).lower()
    form = HtmlPage(upload_night(host, json.dumps(PLAYS)).text).form('form[action="/import/elsewhere"]')
    good = json.loads(str(form["nights"]))
    for nights in ("", "x", "3", "[3]", "[{}]", json.dumps([good[0], {**good[1], "points": {"Ann": 1}}])):
        answer = host.post("/import/elsewhere", {**form, "nights": nights, "key": ""})
        assert answer.status_code == 422, nights
    assert site.tables.nights() == []


def test_a_night_that_is_over_has_a_link_to_bg_stats_with_what_it_needs(ended: SampleNight) -> None:
    (link,) = HtmlPage(ended.ben.get(f"{ended.base}/settle").text).values(f'a[href^="{ADDRESS}"]', "href")
    play = json.loads(unquote(link.removeprefix(ADDRESS)))
    assert play["game"] == {"name": "Michigan Rummy", "sourceGameId": "michigan-rummy", "highestWins": True}
    scores = {one["name"]: (int(one["score"]), one["winner"], one["startPlayer"]) for one in play["players"]}
    night = ended.table.night
    best = max(map(night.net, night.all_seats))
    assert scores == {night.name(s): (night.net(s), night.net(s) == best, False) for s in night.all_seats}
    assert ended.table.began_at.replace("T", " ").removesuffix("Z") == play["playDate"]
    assert len(link) < LONGEST_LINK


def test_a_night_of_many_long_names_has_no_link_that_would_not_arrive(site: Site) -> None:
    table = site.tables.open("score-sheet", name="x")
    for number in range(16):
        table.record(events.Sit(SeatId(f"s{number}"), Name("🂡" * 38 + str(number))), id=f"{number}", by="host")
    table.record(events.Scores({f"s{number}": Score(number) for number in range(16)}), id="a", by="host")
    table.record(events.End(), id="b", by="host")
    host = site.host()
    host.post("/take-over", {"night": table.code})
    assert ADDRESS not in host.get(f"/n/{table.code}/settle").text
