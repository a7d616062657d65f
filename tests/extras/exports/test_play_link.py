"""The link of a night that is over to BG Stats."""

import json
from urllib.parse import unquote

from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight
from support.score_events import scores

from tracker.core import events
from tracker.core.events import Name, Score, SeatId
from tracker.extras.exports.one_night import ADDRESS, LONGEST_LINK


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
    table.record(scores({f"s{number}": Score(number) for number in range(16)}), id="a", by="host")
    table.record(events.End(), id="b", by="host")
    host = site.host()
    host.post("/take-over", {"night": table.code})
    assert ADDRESS not in host.get(f"/n/{table.code}/settle").text
