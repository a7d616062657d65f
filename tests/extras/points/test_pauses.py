"""Somebody sits a round of a score sheet out: by a key of the pad, on the own phone, or as the dealer who pauses."""

from typing import Any
from urllib.parse import urlencode

from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import hidden_fields
from support.score_nights import ScoreNight

from tracker.core.payment_list import nets

SHEET = "score-sheet"
SKAT = {"points.dealer": "on", "points.pause": "dealer"}


def counted(site: Site, **rules: Any) -> ScoreNight:
    """Return a score sheet whose first round is over: everybody's points are asked for."""
    night = ScoreNight(site, SHEET, rules=rules)
    assert night.tap("stock") == 200
    return night


def row(night: ScoreNight, seat: str, phone: str = "ruth") -> str:
    return HtmlPage(night.page(phone)).text(f"#h-{seat}")


def test_one_key_has_somebody_pause_who_is_asked_for_no_points(site: Site) -> None:
    night = counted(site)
    assert HtmlPage(night.page()).texts(".key[data-pause]") == ["Pauses"]
    assert night.tap("pause:pauses", seat="mia") == 200
    assert "pauses" in row(night, "mia")
    night.tap("say:7", seat="ruth")
    assert "1 to go" in HtmlPage(night.page()).text(".a-rest .row")
    night.tap("say:4", seat="ben")
    assert night.tap("pay") == 200
    [deal] = night.night.deals
    assert (dict(deal.change), deal.sits_out, deal.winners) == ({"ruth": 7, "ben": 4}, ("mia",), ("ruth",))
    assert nets(night.night) == {"ruth": 3, "ben": -3, "mia": 0}
    page = HtmlPage(night.page())
    assert "Mia pauses" in page.text("#last", inline=("bdi", "b"))
    assert [cell.split()[0] for cell in page.texts(".padsheet tbody td")] == ["7", "4", "–"]


def test_who_pauses_may_play_after_all_and_points_that_are_typed_say_so(site: Site) -> None:
    night = counted(site)
    night.tap("pause:pauses", seat="mia")
    night.tap("pause:plays", seat="mia")
    assert "to come" in row(night, "mia")
    night.tap("pause:pauses", seat="mia")
    night.tap("say:3", seat="mia")
    assert "pauses" not in row(night, "mia")
    night.tap("pause:pauses", seat="mia")
    assert "3" not in row(night, "mia")


def test_on_the_own_phone_one_says_it_of_oneself_only(site: Site) -> None:
    night = counted(site)
    assert night.tap("pause:pauses", "mia", seat="mia") == 200
    assert "You pause this round" in HtmlPage(night.page("mia")).text("#wait")
    assert night.tap("pause:pauses", "mia", seat="ben") == 403
    assert "pauses" not in row(night, "ben")


def test_a_form_that_did_not_show_the_pause_records_nothing(site: Site) -> None:
    night = counted(site)
    for seat, points in (("ruth", 1), ("ben", 2), ("mia", 3)):
        night.tap(f"say:{points}", seat=seat)
    shown = night.form()
    night.tap("pause:pauses", seat="mia")
    assert night.tap("pay", form=shown) == 409
    assert night.night.deals == ()


def test_two_have_to_play(site: Site) -> None:
    night = counted(site)
    night.tap("pause:pauses", seat="mia")
    night.tap("pause:pauses", seat="ben")
    night.tap("say:3", seat="ruth")
    assert night.tap("pay") == 422
    alone = ScoreNight(site, SHEET, people=("Ben",))
    alone.tap("stock")
    assert not HtmlPage(alone.page()).has("[data-pause]")


def test_the_dealer_is_proposed_to_pause_and_one_tap_has_somebody_else_do_so(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules=SKAT)
    assert "Ruth deals and pauses" in HtmlPage(night.page()).text()
    night.tap("stock")
    assert "pauses" in row(night, "ruth")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="ben")
    for seat, points in (("ruth", 5), ("mia", -5)):
        night.tap(f"say:{points}", seat=seat)
    assert night.tap("pay") == 200
    assert night.night.deals[-1].sits_out == ("ben",)
    night.tap("stock")
    assert "pauses" in row(night, "ben")  # who deals the second round


def test_a_round_that_is_taken_back_shows_its_pauses_again(site: Site) -> None:
    night = counted(site)
    night.tap("pause:pauses", seat="mia")
    for seat in ("ruth", "ben"):
        night.tap("say:2", seat=seat)
    night.tap("pay")
    assert night.tap(f"undo:{night.table.head}") == 200
    assert "pauses" in row(night, "mia")
    night.tap("say:9", seat="ben")
    assert night.tap("pay") == 200
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 2, "ben": 9, "mia": 0}, ("mia",))


def test_a_pause_is_corrected_in_the_log(site: Site) -> None:
    night = counted(site)
    for seat in ("ruth", "ben", "mia"):
        night.tap("say:2", seat=seat)
    night.tap("pay")
    number = night.table.head
    page = night.host.get(f"/n/{night.code}/change/{number}")
    assert "Who pauses?" in HtmlPage(page.text).text()
    address = f"/n/{night.code}/change/{number}"
    typed = {"points-ruth": "2", "points-ben": "2", "points-mia": "", "sits_out": "mia", "sits_out-asked": "1"}
    shown = night.host.get(f"{address}?{urlencode(typed)}")
    saved = night.host.post(address, {**hidden_fields(shown, address), **typed})
    assert saved.status_code == 303
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 2, "ben": 2, "mia": 0}, ("mia",))


def test_where_only_the_winner_is_written_down_the_persons_sheet_says_who_pauses(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules={"points.entry": "winner", **SKAT})
    assert "Plays this round" in night.sheet("/ruth")
    assert "Pauses in this round" in night.sheet("/mia")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="mia")
    assert night.tap("round:ben", "ben") == 200
    assert (dict(night.night.deals[-1].change), night.night.deals[-1].sits_out) == ({"ruth": 0, "ben": 1}, ("mia",))
    assert night.tap("round:ben", "ben") == 200  # the dealer has won it, so did not pause
    assert "ben" in night.night.deals[-1].change
