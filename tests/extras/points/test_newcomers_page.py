"""Who sits down in the middle of a deal reads that they wait, and the deal is paid without them."""

import pytest
from extras._shared.score_nights import ScoreNight
from support.client_phones import Site
from support.html_page import HtmlPage

SNAKE, SHEET = "michigan-rummy-snake", "score-sheet"


def with_newcomer(site: Site, preset: str) -> ScoreNight:
    """Return the second deal of a night, at which Lea has sat down while it was played."""
    night = ScoreNight(site, preset)
    play_deal(night)
    assert night.host.post(f"/n/{night.code}/seats", {"name": "Lea"}).status_code in (200, 303)
    return night


def play_deal(night: ScoreNight) -> None:
    night.tap("stock")
    for seat, points in (("ruth", 5), ("ben", 7), ("mia", 9)):
        assert night.tap(f"say:{points}", seat=seat) == 200
    assert night.tap("pay") == 200


@pytest.mark.parametrize(("preset", "words"), [(SNAKE, "from the next deal"), (SHEET, "from the next round")])
def test_the_count_says_that_a_newcomer_waits_and_pays_without_them(site: Site, preset: str, words: str) -> None:
    night = with_newcomer(site, preset)
    night.tap("stock")
    row = HtmlPage(night.page()).text("#h-lea")
    assert words in row
    before = night.points["lea"]
    night.tap("not-out")
    play_deal(night)
    assert night.night.hand == 2
    assert night.points["lea"] == before == 0
    night.tap("stock")
    assert "to come" in HtmlPage(night.page()).text("#h-lea")


@pytest.mark.parametrize("preset", [SNAKE, SHEET])
def test_a_newcomer_whose_points_are_typed_plays_at_once(site: Site, preset: str) -> None:
    night = with_newcomer(site, preset)
    night.tap("stock")
    night.tap("say:30", seat="lea")
    for seat in ("ruth", "ben", "mia"):
        night.tap("say:8", seat=seat)
    assert night.tap("pay") == 200
    assert night.points["lea"] == (-30 if preset == SNAKE else 30)


@pytest.mark.parametrize("preset", [SNAKE, SHEET])
def test_one_person_alone_is_asked_for_more_people_instead_of_points(site: Site, preset: str) -> None:
    night = ScoreNight(site, preset, people=())
    page = HtmlPage(night.page())
    assert page.text(".a-rest .act") == "Add players"
    assert not page.has("[value=stock]")
