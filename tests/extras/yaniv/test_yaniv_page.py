"""Yaniv at the table: the call on the own phone or the host's, everybody's hand, and what it comes to."""

from support.client_phones import Site
from support.html_page import HtmlPage
from support.score_nights import ScoreNight


def dock(night: ScoreNight, phone: str) -> str:
    return HtmlPage(night.page(phone)).text("#dock")


def test_a_round_is_called_on_the_own_phone_and_everybody_says_the_own_hand(site: Site) -> None:
    night = ScoreNight(site, "yaniv")
    assert "Yaniv! I call" in dock(night, "ben")
    assert night.tap("out:ben", "ben") == 200
    assert "Ben: Yaniv!" in HtmlPage(night.page("mia")).text()
    for phone, points in (("ben", "4"), ("mia", "17"), ("ruth", "9")):
        assert night.tap(f"say:{points}", phone, seat=phone) == 200
    counted = HtmlPage(night.page("ben"))
    assert counted.text("#h-mia .pays") == "comes to 17"
    assert counted.text("#h-ben .pays") == "comes to 0"
    assert night.tap("pay", "ben") == 200
    assert night.points == {"ruth": 9, "ben": 0, "mia": 17}
    assert "Ben calls Yaniv with 4" in dock(night, "mia")


def test_a_round_taken_back_shows_its_hands_again(site: Site) -> None:
    night = ScoreNight(site, "yaniv")
    night.tap("out:mia")
    for seat, points in (("ruth", "3"), ("ben", "8"), ("mia", "5")):
        night.tap(f"say:{points}", seat=seat)
    night.tap("pay")
    assert night.points == {"ruth": 3, "ben": 8, "mia": 35}
    assert "Mia calls Yaniv with 5. Fewest points: Ruth" in dock(night, "ruth")
    night.tap(f"undo:{night.table.head}")
    page = HtmlPage(night.page())
    assert [page.value(f"#h-{seat}", "data-said") for seat in ("ruth", "ben", "mia")] == ["3", "8", "5"]


def test_who_is_out_is_named_so_is_asked_for_no_hand_and_calls_no_more(site: Site) -> None:
    night = ScoreNight(site, "yaniv")
    night.tap("out:ruth")
    for seat, points in (("ruth", "1"), ("ben", "101"), ("mia", "5")):
        night.tap(f"say:{points}", seat=seat)
    assert HtmlPage(night.page()).text("#h-ben .pays") == "101: out"
    night.tap("pay")
    assert HtmlPage(night.page()).text("#s-ben .sub") == "out of the game"
    assert "I call" not in dock(night, "ben")
    night.tap("out:mia")
    assert not HtmlPage(night.page()).has("#h-ben")
    for seat, points in (("ruth", "120"), ("mia", "5")):
        night.tap(f"say:{points}", seat=seat)
    night.tap("pay")
    assert "Mia wins" in HtmlPage(night.page()).text()


def test_the_hands_of_a_round_are_corrected_in_the_log(site: Site) -> None:
    night = ScoreNight(site, "yaniv")
    night.tap("out:ruth")
    for seat, points in (("ruth", "1"), ("ben", "10"), ("mia", "5")):
        night.tap(f"say:{points}", seat=seat)
    night.tap("pay")
    page = night.host.get(f"/n/{night.code}/change/{night.table.head}").text
    assert "Who called?" in page
    assert "Points still in each hand" in page
