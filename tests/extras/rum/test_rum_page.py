import pytest
from extras._shared.score_nights import ScoreNight
from support.client_phones import Site
from support.html_page import HtmlPage, text_of

from tracker.app.nights import Nights
from tracker.core.events import End

GAME = "michigan-rummy-snake"


def text(html: str) -> str:
    return HtmlPage(html).text(inline=("bdi",))


def opened(site: Site, **rules: object) -> ScoreNight:
    """Ruth, Ben, Mia and Tom at the table."""
    return ScoreNight(site, GAME, ("Ben", "Mia", "Tom"), rules)


def count(night: ScoreNight, winner: str, **hands: int) -> ScoreNight:
    """Somebody is out, or the stock is used up, and the host types what the others hold."""
    assert night.tap("out" if winner else "stock", seat=winner) == 200
    for seat, points in hands.items():
        assert night.tap(f"say:{points}", seat=seat) == 200
    return night


def deal(night: ScoreNight, winner: str, **hands: int) -> None:
    """What the others hold is typed and paid."""
    assert count(night, winner, **hands).tap("pay") == 200


def test_faults_of_the_worked_example_are_paid_with_the_deal_also_by_an_offender_who_wins(site: Site) -> None:
    night = opened(site)
    assert night.tap("penalty:false-rummy", seat="ben") == 200
    assert night.tap("penalty:unused-purchase", seat="mia") == 200
    assert "−20 waits" in text(night.page())
    assert night.points["ben"] == 0
    deal(night, "ruth", ben=32, mia=25, tom=35)
    assert night.points == {"ruth": 132, "ben": -52, "mia": -45, "tom": -35}
    own = opened(site)
    own.tap("penalty:false-rummy", seat="tom")
    deal(own, "tom", ruth=30, ben=30, mia=30)
    assert own.points == {"ruth": -23, "ben": -23, "mia": -24, "tom": 70}


def test_the_night_is_settled_in_points(site: Site) -> None:
    night = opened(site)
    deal(night, "ruth", ben=31, mia=0, tom=0)
    night.table.record(End(), id="end", by="ruth")
    said = text(night.host.get(f"/n/{night.code}/settle").text)
    assert "Ben pays Ruth 31" in said
    assert "deals won +31" in said


def test_going_out_in_one_turn_pays_double_where_a_house_rule_says_so(site: Site) -> None:
    assert "All in one turn" not in count(opened(site), "tom").page()
    night = count(opened(site, one_turn=2), "tom")
    assert "All in one turn" in night.page()
    assert night.tap("one-turn:on") == 200
    for seat, points in {"ruth": 9, "ben": 10, "mia": 20}.items():
        night.tap(f"say:{points}", seat=seat)
    assert "Pay Tom 78" in text(night.page())
    assert night.tap("pay") == 200
    assert night.points["tom"] == 78
    assert night.tap(f"undo:{night.table.head}") == 200
    assert "Pay Tom 78" in text(night.page())
    assert night.tap("one-turn:off") == 200
    assert Nights(site.tables.store, site.tables.live).get(night.code).draft.winner == "tom", "after a restart"


def test_the_sheet_lists_every_deal_with_its_winner_and_totals_and_the_chart_has_a_line_for_everybody(
    site: Site,
) -> None:
    night = opened(site)
    assert night.page().count('<path class="c-line"') == 0
    deal(night, "tom", ruth=32, ben=25, mia=35)
    assert night.page().count('<path class="c-line"') == 4
    deal(night, "ben", ruth=1, mia=2, tom=3)
    rows = [text_of(row, inline=("bdi",)) for row in HtmlPage(night.page()).select(".padsheet tr")][1:]
    assert rows == ["1 −32 −25 −35 92", "2 −1 6 −2 −3", "= Total −33 −19 −37 89"]
    night.tap("out", seat="ben")
    assert "Still to come: Mia, Tom and Ruth" in text(night.page()), "what was typed is discarded with its deal"


def test_people_are_buttons_only_where_a_tap_on_them_counts(site: Site) -> None:
    night = opened(site)
    host, guest = HtmlPage(night.page()), HtmlPage(night.page("ben"))
    assert len(host.root.select("button.seat")) == len(guest.root.select("div.seat")) == 4
    assert not guest.root.select("button.seat")


def test_points_show_in_money_where_they_are_worth_some(site: Site) -> None:
    night = opened(site, **{"money.chips": 10, "money.cents": 50})
    deal(night, "tom", ruth=32, ben=25, mia=35)
    for words in ("4.60", "−1.60", "10 points are worth 50 cents"):
        assert words in text(night.page())


@pytest.mark.parametrize(
    ("rules", "said"),
    [({"game": "deals", "game.deals": 2}, "Deal 1 of 2"), ({"game": "target", "game.target": 50}, "to 50 points")],
)
def test_the_night_ends_by_itself_where_a_house_rule_says_so(site: Site, rules: dict[str, object], said: str) -> None:
    night = opened(site, **rules)
    assert said in text(night.page())
    deal(night, "tom", ruth=2, ben=5, mia=5)
    deal(night, "tom", ruth=20, ben=5, mia=15)
    assert night.night.is_over
    assert "Tom wins" in text(night.page())


def test_the_sheet_of_a_person_offers_faults_and_takes_them_back_and_a_phone_notes_its_own_only(site: Site) -> None:
    night = opened(site)
    assert night.tap("penalty:false-rummy", "ben", seat="mia") == 403
    assert night.tap("penalty:false-rummy", "ben", seat="ben") == 200
    undo = HtmlPage(night.sheet("/ben")).value('[value^="undo:"]')
    assert "waits until this deal is paid" in night.sheet("/ben")
    assert night.tap(undo) == 200
    assert "waits until this deal is paid" not in night.sheet("/ben")
