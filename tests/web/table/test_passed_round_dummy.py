"""A dummy hand that is passed round for payment: whoever is offered it buys or passes by one tap."""

from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import TableNight

from tracker.core.events import Amount, Hand, Move, SeatId


def test_each_in_turn_is_offered_the_dummy_hand_and_told_what_is_missing_for_it(site: Site) -> None:
    night = TableNight(site, rules={"dummy": "passed_round", "auction.min": 2}).record(Hand(SeatId("ruth")))
    assert HtmlPage(night.page()).text(".a-rest #do-dead") == "Nobody"

    def offered(seat: str) -> str:
        return HtmlPage(night.page(night.phones[seat])).text(".a-rest")

    turn = HtmlPage(night.page()).value("#move [name=turn]", "value")
    assert turn == "ben"
    assert HtmlPage(night.page(night.phones["ben"])).text("#last b") == "The dummy for 2?"
    assert "Buy for 2" in offered("ben")
    for seat in ("mia", "tom"):
        assert "Buy for 2" not in offered(seat)
        assert "Wait until it is offered to you" in offered(seat)
    night.tap("pass:ben", night.phones["ben"])
    assert "Buy for 2" in offered("mia")
    night.record(Move("mia", "bank", Amount(night.stacks["mia"] - 1)))
    answer = night.tap("bid:2", night.phones["mia"])
    assert answer.status_code == 422
    assert "1 short" in HtmlPage(answer.text).text("#notice")
    assert night.tap("pass:mia", night.phones["mia"]).status_code == 200
    before = night.stacks
    assert night.tap("bid:2", night.phones["tom"]).status_code == 200
    assert night.table.night.current_deal().buyer == "tom"
    assert night.stacks == before | {"tom": before["tom"] - 2, "ruth": before["ruth"] + 2}
    assert "Tom buys the dummy hand from Ruth for 2" in night.host.get(f"/n/{night.code}/log").text
