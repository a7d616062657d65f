"""The film of a night on its pages: who may see it, what its file holds, and what it leaves out."""

import json
import re
import threading
import time
from base64 import b64encode
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from support.at_once import at_once
from support.client_phones import Site
from support.html_page import HtmlPage
from support.made_up_nights import next_event
from support.sample_nights import SampleNight, play_hand, record, sample_night
from support.score_events import round_won, rummy
from support.score_nights import ScoreNight

from tracker.app.event_rows import new_id
from tracker.core import events
from tracker.core.events import Chips, Name, SeatId, Undo
from tracker.extras.film import pages
from tracker.extras.film.pages import MOST_BYTES
from tracker.extras.film.player import Film, best_film

NAME = 'Zoë </script><b title="&">'


def over(site: Site) -> SampleNight:
    """A night of two hands that has ended; one of its entries was taken back."""
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    record(here.table, events.Move("tom", "ruth", events.Amount(7)))
    record(here.table, Undo(here.table.head))
    play_hand(here.table, "ben", "tom", "mia", left=3)
    record(here.table, events.End())
    return here


def frames_in(text: str) -> dict[str, Any]:
    found = HtmlPage(text).root.select_one('night-film script[type="application/json"]')
    assert found
    data = json.loads(found.get_text())
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("path", ["film", "film/player", "film.html"])
def test_whoever_may_see_the_night_may_see_its_film(site: Site, path: str) -> None:
    here = over(site)
    for phone in (here.host, here.ben, here.watcher):
        assert phone.get(f"{here.base}/{path}").status_code == 200
    assert site.phone().get(f"{here.base}/{path}").status_code == 403


def test_of_films_that_are_asked_for_at_once_two_are_made_at_a_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of a long night takes some ten megabytes."""
    here, making, most = over(site), set[int](), [0]

    def counted(*args: Any) -> Film | None:
        making.add(threading.get_ident())
        most[0] = max(most[0], len(making))
        time.sleep(0.05)  # for the others to begin, too
        made = best_film(*args)
        making.remove(threading.get_ident())
        return made

    monkeypatch.setattr(pages, "best_film", counted)
    phones = {"film": here.host, "film/player": here.ben, "film.html": here.watcher}
    steps = [partial(phone.get, f"{here.base}/{path}") for path, phone in phones.items()]
    assert {answer.status_code for answer in at_once(steps)} == {200}
    assert most == [2]


def test_before_the_end_the_page_leads_to_the_end_and_there_is_no_file(here: SampleNight) -> None:
    assert here.host.get(f"{here.base}/film").location == f"{here.base}/settle"
    assert here.host.get(f"{here.base}/film.html").status_code == 404


def test_a_night_without_a_hand_has_no_film(here: SampleNight) -> None:
    record(here.table, events.End())
    assert here.host.get(f"{here.base}/film").status_code == 404
    assert not HtmlPage(here.host.get(f"{here.base}/settle").text).has("#film")


def test_the_page_of_a_night_that_is_over_offers_its_film_and_everything_to_keep(site: Site) -> None:
    here = over(site)
    page = HtmlPage(here.host.get(f"{here.base}/settle").text)
    assert page.value("#film a", "href") == f"{here.base}/film"
    links = {link.get("href") for link in page.select("a[href]")}
    assert {f"{here.base}/{one}" for one in ("film.html", "log", "files")} <= links


def test_what_was_taken_back_is_in_no_frame(site: Site) -> None:
    here = over(site)
    captions = [frame[2] for frame in frames_in(here.host.get(f"{here.base}/film").text)["frames"]]
    assert len(captions) == 1 + sum(1 for _number, _event, night in here.table.history().steps if night.hand)
    assert not [caption for caption in captions if "7" in caption]


def test_the_file_names_nothing_outside_itself_and_its_policy_allows_only_what_is_in_it(site: Site) -> None:
    here = over(site)
    answer = here.host.get(f"{here.base}/film.html")
    text = answer.text
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert not re.findall(r'(?:src|href|action)="(?!#)[^"]*"', text)
    assert "url(../" not in text
    assert "style=" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    policy = HtmlPage(text).value('meta[http-equiv="Content-Security-Policy"]', "content")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        found = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert found
        digest = b64encode(sha256(found[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_names_and_titles_are_escaped(site: Site, here: SampleNight) -> None:
    site.tables.store.rename(here.table.code, NAME)
    record(here.table, events.Sit(SeatId("zoe"), Name(NAME[:20])))
    play_hand(here.table, "ruth", "zoe", "mia")
    record(here.table, events.End())
    text = here.host.get(f"{here.base}/film.html").text
    page = HtmlPage(text)
    assert not page.select("b[title]")
    assert len(page.select("script")) == 2
    assert any("Zoë </script>" in frame[2] for frame in frames_in(text)["frames"])


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_long_night_of_eight_fits_in_300_kb(here: SampleNight, lang: str) -> None:
    for seat in ("eva", "fritz", "gus", "ida"):
        record(here.table, events.Sit(SeatId(seat), Name(seat.capitalize() * 3)))
    while event := next_event(here.table.night, "a seed", is_last=here.table.night.hand >= 40):
        record(here.table, event)
    answer = here.host.get(f"{here.base}/film.html", Accept_Language=lang)
    assert len(answer.data) <= MOST_BYTES
    frames = frames_in(answer.text)["frames"]
    assert {frame[1] for frame in frames} == set(range(41))
    assert len(frames) > 200


@pytest.mark.parametrize("preset", ["eight-round-rummy", "michigan-rummy-snake"])
def test_the_film_of_a_score_game_is_a_race_to_its_totals(site: Site, preset: str) -> None:
    night = ScoreNight(site, preset)
    others = dict.fromkeys((seat for seat in night.night.seats if seat != "ben"), Chips(10))
    while night.night.hand < 3:
        won = round_won("ben", Chips(0)) if preset == "eight-round-rummy" else rummy("ben", others)
        night.table.record(won, id=new_id(), by="host")
    night.table.record(events.End(), id=new_id(), by="host")
    text = night.host.get(f"/n/{night.code}/film.html").text
    data = frames_in(text)
    assert dict(zip(data["accounts"], data["frames"][-1][3], strict=True)) == night.points
    assert not HtmlPage(text).select(".board")
    assert len(HtmlPage(text).select(".film-runner")) == len(night.points)
