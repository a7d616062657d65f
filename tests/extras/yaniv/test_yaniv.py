"""Yaniv's points: who calls rightly, sums that are halved, who is out, and who comes late."""

from random import Random

import pytest
from extras._shared.score_nights import ScoreNight
from support.client_phones import Site
from support.core_nights import CoreNight, keys_of
from support.html_page import HtmlPage

from tracker.core.errors import BadEvent
from tracker.core.night import ENDED, PLAY
from tracker.core.queries.summary import leaders, ranking
from tracker.extras.yaniv.rules import GAME, players


def night(**options: object) -> CoreNight:
    return CoreNight("yaniv", "abc", options=keys_of(options))


def call(played: CoreNight, seat: str, *hands: int) -> CoreNight:
    return played.record("yaniv", seat=seat, hands=dict(zip(players(played.night), hands, strict=True)))


def points(played: CoreNight) -> list[int]:
    return [played.night.points[seat] for seat in played.night.all_seats]


@pytest.mark.parametrize(("equal", "taken", "winners"), [("caller", 0, ("b",)), ("others", 34, ("a",))])
def test_where_somebody_else_has_as_few_the_house_says_whose_the_round_is(
    equal: str, taken: int, winners: tuple[str, ...]
) -> None:
    played = call(night(yaniv__equal=equal), "b", 4, 4, 17)
    assert points(played) == [4, taken, 17]
    assert played.night.deals[-1].winners == winners


def test_above_a_hundred_one_is_out_is_asked_for_no_hand_and_the_last_one_left_wins() -> None:
    played = call(night(), "a", 0, 101, 40)
    assert (players(played.night), played.night.phase) == (("a", "c"), PLAY)
    assert GAME.is_out(played.night, "b")
    with pytest.raises(BadEvent, match="plays no part"):
        played.record("yaniv", seat="a", hands={"a": 1, "b": 2, "c": 3})
    alone = call(night(), "a", 0, 101, 40).record("leave", seat="c")
    assert list(GAME.rehearse(alone.night, Random(1))) == [], "nobody plays a round alone"
    call(played, "c", 9, 90)
    assert points(played) == [9, 101, 160]
    assert (played.night.phase, leaders(played.night)) == (ENDED, ["a"])
    assert [one.seat for one in ranking(played.night)] == ["a", "b", "c"]


# Yaniv at the table: the call on the own phone or the host's, everybody's hand, and what it comes to.


def dock(night: ScoreNight, phone: str) -> str:
    return HtmlPage(night.page(phone)).text("#dock")


def test_who_is_out_is_named_so_is_asked_for_no_hand_and_calls_no_more(site: Site) -> None:
    night = ScoreNight(site, "yaniv")
    assert "Yaniv! I call" in dock(night, "ben")
    night.tap("out:ruth")
    night.say(ruth=1, ben=101, mia=5)
    assert HtmlPage(night.page()).text("#h-ben .pays") == "101: out"
    night.tap("pay")
    assert "Ruth calls Yaniv with 1" in dock(night, "mia")
    assert HtmlPage(night.page()).text("#s-ben .sub") == "out of the game"
    assert "I call" not in dock(night, "ben")
    night.tap("out:mia")
    assert not HtmlPage(night.page()).has("#h-ben")
    night.say(ruth=3, mia=9)
    night.tap("pay")
    assert "Mia calls Yaniv with 9. Fewest points: Ruth" in dock(night, "ruth")
    night.tap("out:mia")
    night.say(ruth=120, mia=5)
    night.tap("pay")
    assert "Mia wins" in HtmlPage(night.page()).text()
