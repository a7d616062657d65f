import pytest
from extras._shared.score_nights import ScoreNight
from support.client_phones import Site
from support.html_page import HtmlPage, text_of

from tracker.app.nights import Nights
from tracker.core.events import Amend, End
from tracker.extras.rum.rules import Rummy, StockOut

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


def test_the_winner_is_paid_every_other_hand_in_full(site: Site) -> None:
    night = opened(site)
    deal(night, "tom", ruth=32, ben=25, mia=35)
    assert night.points == {"ruth": -32, "ben": -25, "mia": -35, "tom": 92}


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


@pytest.mark.parametrize(("rule", "paid"), [("full", (-18, 70, -22, -30)), ("difference", (-14, 58, -18, -26))])
def test_when_the_stock_is_used_up_the_fewest_points_win(site: Site, rule: str, paid: tuple[int, ...]) -> None:
    night = count(opened(site, stock_out=rule), "", ruth=18, ben=4, mia=22, tom=30)
    assert "The stock is used up" in text(night.page())
    assert night.tap("pay") == 200
    assert night.points == dict(zip(("ruth", "ben", "mia", "tom"), paid, strict=True))


def test_everybody_types_on_their_own_phone_at_the_same_time(site: Site) -> None:
    night = opened(site)
    assert night.tap("out:tom", "tom") == 200
    forms = {seat: night.form(seat) for seat in ("ben", "mia")}
    assert night.tap("say:41", "ben", form=forms["ben"], seat="ben") == 200
    assert "Still to come: Ruth and Mia" in text(night.page())
    assert night.tap("say:27", "mia", form=forms["mia"], seat="mia") == 200
    assert night.tap("say:12", "ruth", seat="ruth") == 200
    assert "Pay Tom 80" in text(night.page("tom"))
    assert night.tap("pay", "tom") == 200
    assert night.points["tom"] == 80


def test_a_phone_types_for_nobody_else(site: Site) -> None:
    night = opened(site)
    night.tap("out:tom", "tom")
    assert night.tap("say:41", "ben", seat="mia") == 403
    assert [night.tap(do, "ben") for do in ("out:mia", "stock", "pay")] == [403] * 3
    assert night.tap("out:ben", "ben") == 409, "the first rummy is counted"
    assert "Tom" in text(night.page())


def test_the_payments_show_before_they_are_made(site: Site) -> None:
    night = opened(site)
    night.tap("penalty:unused-purchase", seat="mia")
    page = text(count(night, "tom", ruth=9, ben=41, mia=27).page())
    for words in ("pays 9", "pays 47", "Pay Tom 97"):
        assert words in page
    assert night.points["tom"] == 0


def test_nothing_is_paid_while_a_hand_is_missing_or_was_changed_unseen_and_a_double_tap_pays_once(site: Site) -> None:
    night = count(opened(site), "tom", ruth=9)
    assert night.tap("pay") == 422
    for seat in ("ben", "mia"):
        night.tap("say:9", seat=seat)
    seen = night.form()
    night.tap("say:19", "ben", seat="ben")
    assert night.tap("pay", form=seen) == 409
    assert night.points["tom"] == 0
    head, form = night.table.head, night.form()
    for _double_tap in range(2):
        assert night.tap("pay", form=form) == 200
        assert (night.table.head, night.points["tom"]) == (head + 1, 37)


def test_a_payment_taken_back_shows_the_hands_again_and_play_may_go_on(site: Site) -> None:
    night = opened(site)
    deal(night, "tom", ruth=32, ben=25, mia=35)
    assert night.tap(f"undo:{night.table.head}") == 200
    assert night.points["tom"] == 0
    assert "Pay Tom 92" in text(night.page())
    assert night.tap("say:52", seat="ben") == 200
    assert "Pay Tom 119" in text(night.page())
    assert night.tap("pay") == 200
    assert night.points == {"ruth": -32, "ben": -52, "mia": -35, "tom": 119}
    night.tap(f"undo:{night.table.head}")
    assert night.tap("not-out") == 200
    assert "Somebody is out" in text(night.page())


def test_play_goes_on_when_somebody_was_not_out_after_all(site: Site) -> None:
    night = opened(site)
    night.tap("out", seat="tom")
    assert night.tap("not-out", "ben") == 403
    assert night.tap("not-out", "tom") == 200
    assert "Somebody is out" in text(night.page())
    assert night.tap("out", seat="ben") == 200


def test_the_night_is_settled_in_points(site: Site) -> None:
    night = opened(site)
    deal(night, "ruth", ben=31, mia=0, tom=0)
    night.table.record(End(), id="end", by="ruth")
    said = text(night.host.get(f"/n/{night.code}/settle").text)
    assert "Ben pays Ruth 31" in said
    assert "deals won +31" in said


def test_points_that_are_none_are_refused(site: Site) -> None:
    night = count(opened(site), "tom")
    for points in ("1000", "-3", "x", "1.5"):
        assert night.tap(f"say:{points}", seat="ben") == 422, points
        assert "Still to come: Ruth, Ben and Mia" in text(night.page())


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


def test_hands_put_back_by_an_undo_are_there_after_a_restart(site: Site) -> None:
    for tap in ("one-turn:on", "say:9"):
        night = opened(site, one_turn=2)
        deal(night, "tom", ruth=9, ben=5, mia=35)
        assert night.tap(f"undo:{night.table.head}") == 200
        version = night.table.version
        assert night.tap(tap, seat="ruth") == 200
        assert night.table.version > version
        again = Nights(site.tables.store, site.tables.live).get(night.code).draft
        assert (again.winner, again.counts) == ("tom", {"ruth": 9, "ben": 5, "mia": 35}), tap


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


def test_the_rules_of_the_table_are_said_in_words(site: Site) -> None:
    night = opened(site, stock_out="difference", joker=25, ace_high_seq=15, **{"fault.to": "each", "one_turn": 2})
    page = text(night.page())
    for said in (
        "the others pay the difference",
        "A joker left in the hand counts 25",
        "The ace counts 15 in queen, king, ace",
        "costs 20 points to every other player",
        "Going out in one turn is paid double",
    ):
        assert said in page


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


def test_an_old_deal_amended_late_recomputes_everything(site: Site) -> None:
    night = opened(site)
    deal(night, "tom", ruth=32, ben=25, mia=35)
    first = night.table.head
    deal(night, "ben", ruth=1, mia=2, tom=3)
    night.table.record(Amend(first, {"hands": {"ruth": 2, "ben": 25, "mia": 35}}), id="late", by="ruth")
    assert night.points == {"ruth": -3, "ben": -19, "mia": -37, "tom": 59}
    assert "−2" in text(night.page())


def test_the_sheet_of_a_person_offers_faults_and_takes_them_back_and_a_phone_notes_its_own_only(site: Site) -> None:
    night = opened(site)
    assert night.tap("penalty:false-rummy", "ben", seat="mia") == 403
    assert night.tap("penalty:false-rummy", "ben", seat="ben") == 200
    undo = HtmlPage(night.sheet("/ben")).value('[value^="undo:"]')
    assert "waits until this deal is paid" in night.sheet("/ben")
    assert night.tap(undo) == 200
    assert "waits until this deal is paid" not in night.sheet("/ben")


def test_the_log_holds_the_words_of_the_night_format(site: Site) -> None:
    night = opened(site)
    deal(night, "tom", ruth=32, ben=25, mia=35)
    deal(night, "", ruth=5, ben=5, mia=5, tom=5)
    rummy, stock_out = (entry.event for entry in night.table.entries[-2:])
    assert isinstance(rummy, Rummy)
    assert isinstance(stock_out, StockOut)
    assert rummy.hands == {"ruth": 32, "ben": 25, "mia": 35}
    assert night.points["tom"] == 92


def test_points_that_can_not_be_a_round_of_hearts_are_asked_about_and_can_be_written_down(site: Site) -> None:
    night = count(ScoreNight(site, "hearts"), "", ruth=20, ben=5, mia=5)
    for phone in night.phones:
        assert "These points come to 30, not 26." in text(night.page(phone))
    night.tap("say:1", seat="mia")
    assert "These points" not in text(night.page())
    night.tap("say:5", seat="mia")
    assert night.tap("pay") == 200
    assert night.points == {"ruth": 20, "ben": 5, "mia": 5}
