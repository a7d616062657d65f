"""Tapping through the table's page: what each button records, for whom, and what is refused."""

from support.client_phones import Site
from support.html_page import HtmlPage, text_of
from support.table_nights import TableNight, dock_text


def test_two_phones_that_say_the_same_count_once(night: TableNight) -> None:
    night.begin()
    old = night.page(night.phones["tom"])
    night.tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = night.tap("collect", night.phones["tom"], old=old, seat="tom", pot="king-clubs", held="5")
    assert answer.status_code == 200
    assert night.stacks["tom"] == 96


def test_the_second_taker_of_a_pot_reads_the_first_takers_name(night: TableNight) -> None:
    night.begin()
    old = night.page()
    night.tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = night.tap("collect", old=old, seat="ben", pot="king-clubs", held="5")
    assert answer.status_code == 409
    assert "Tom took it." in dock_text(answer)
    answer = night.tap("collect", seat="ben", pot="king-clubs", held="0")
    assert answer.status_code == 409
    assert dock_text(answer) == "Tom took King of clubs in this hand already; nothing was counted twice."
    assert night.stacks["ben"] == 91


def test_a_tap_on_the_board_of_an_older_hand_is_refused(night: TableNight) -> None:
    old = night.begin().page()
    night.tap("out:ruth", seat="ruth")
    night.count(ben=1, mia=2, tom=3).tap("pay:ruth")
    night.tap("waive:poker")
    night.tap("ante:tom")
    night.tap("no-sale")
    answer = night.tap("collect", old=old, seat="ben", pot="ten-hearts", held="10")
    assert answer.status_code == 409
    assert "hand 1" in dock_text(answer)


def test_a_whole_hand_is_paid_out_as_it_was_shown(night: TableNight) -> None:
    night.begin()
    assert "Ruth is out!" in dock_text(night.tap("out", seat="ruth"))
    assert night.table.night.phase == "play"
    for seat, cards in (("ben", "1"), ("mia", "4")):
        night.tap(f"say:{cards}", night.phones[seat], seat=seat)
    page = night.tap("say:3", seat="tom").text
    for seat, cards in (("ben", "1"), ("mia", "4"), ("tom", "3")):
        assert f'name="cards-{seat}" value="{cards}"' in page
    answer = night.tap("pay:ruth")
    assert night.stacks == {"ruth": 104, "ben": 90, "mia": 78, "tom": 88}
    assert 'data-moment="poker"' in answer.text
    assert dock_text(night.tap("poker", seat="mia")) == "Mia won the poker pool, 5"
    assert "Ante for hand 2" in night.page()
    assert "Tom deals and puts 18" in night.page()


def test_undoing_the_payment_keeps_the_numbers_typed(night: TableNight) -> None:
    night.begin().tap("out", seat="ruth")
    for seat in ("ben", "mia", "tom"):
        night.tap("say:2", seat=seat)
    night.tap("pay:ruth")
    page = night.tap(f"undo:{night.table.head}").text
    assert 'data-moment="count"' in page
    assert page.count('value="2"') == 3
    assert night.stacks == {"ruth": 91, "ben": 91, "mia": 82, "tom": 91}


def test_undo_beside_an_announced_going_out_takes_back_that_and_no_pot(night: TableNight) -> None:
    night.begin().tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = night.tap("out", seat="mia")
    assert dock_text(answer).startswith("Mia is out!")
    assert HtmlPage(answer.text).values("button.undo[name=do]", "value") == ["not-out"]
    head = night.table.head
    assert dock_text(night.tap("not-out")) == "K King of clubs: Tom took 5"
    assert (night.table.head, night.stacks["tom"]) == (head, 96)


def test_after_a_going_out_was_withdrawn_nothing_older_is_offered_to_be_brought_back(night: TableNight) -> None:
    night.begin().tap("collect", seat="tom", pot="king-clubs", held="5")
    night.tap("undo:7")
    night.tap("out", seat="mia")
    answer = night.tap("not-out")
    assert dock_text(answer) == "Undone: Mia is not out"
    assert not HtmlPage(answer.text).has("button.undo")
    night.tap("collect", seat="tom", pot="king-clubs", held="5")
    assert HtmlPage(night.tap("undo:9").text).text("button.undo") == "Redo"  # that is over with the next event


BESIDE_UNDO: tuple[tuple[str, dict[str, str], list[tuple[str, str]]], ...] = (
    ("ante:ruth", {}, [("You pay 18. Ruth puts 2 in each place (18), the others 1 (9)", "undo:5")]),
    ("bid:1", {"turn": "ben"}, [("Mia to bid Ben has bid 1", "undo:6")]),
    ("pass:mia", {}, [("Tom to bid Mia passes · Ben has bid 1", "undo:7")]),
    ("pass:tom", {}, [("You get 1 from Ben. Ben bought the dummy for 1", "undo:8")]),
    (
        "undo:8",
        {},
        [("Tom to bid You pay Ben 1. Undone. The chips go back to where they were. · Ben has bid 1", "undo:9")],
    ),
    (
        "undo:9",
        {},
        [("You get 1 from Ben. Counts again: Tom passes. Ben buys the dummy hand from Ruth for 1", "undo:8")],
    ),
    ("penalty:withheld-card/C", {"seat": "ben"}, [("Ben held back a card of clubs", "undo:11")]),
    ("out", {"seat": "tom"}, [("Tom is out! Cards left in each hand?", "not-out")]),
    ("say:2", {"seat": "ben"}, [("Tom is out! Cards left in each hand?", "not-out")]),
    ("say:1", {"seat": "mia"}, [("Tom is out! Cards left in each hand?", "not-out")]),
    ("say:1", {"seat": "ruth"}, [("Tom is out! Everybody has counted.", "not-out")]),
    (
        *("pay:tom", {}),
        [
            ("You pay Tom 1. Tom went out and won 9", "undo:12"),
            (
                (
                    "K King of clubs holds 5 . Who still has that card? Ben held one back and pays as much. "
                    "You pay Tom 1. Tom went out and won 9"
                ),
                "undo:12",
            ),
        ],
    ),
    (
        *("waive:match/king-clubs/ben", {}),
        [
            ("You pay Tom 1. Tom went out and won 9", "undo:12"),
            ("Best poker hand of the cards left? 5 chips You pay Tom 1. Tom went out and won 9", "undo:12"),
        ],
    ),
    ("waive:poker", {}, [("You pay Tom 1. Tom went out and won 9", "undo:12")]),
    ("collect", {"seat": "tom", "pot": "nothing"}, [("You pay Tom 1. Tom went out and won 9", "undo:12")]),
)
"""What is tapped, and then the words and the value of each undo button; a refusal lies over them."""


def test_every_undo_stands_beside_the_name_of_its_event(night: TableNight) -> None:
    for verb, form, expected in BESIDE_UNDO:
        page = HtmlPage(night.tap(verb, fields=form).text)
        words = [text_of(tag, inline=()) for tag in page.select(".last > p:has(+ button.undo[name=do])")]
        values = page.values(".last > p + button.undo[name=do]", "value")
        assert list(zip(words, values, strict=True)) == expected, verb


def test_a_barred_seat_is_greyed_with_the_reason(night: TableNight) -> None:
    night.begin()
    answer = night.tap("penalty:wrong-lead", seat="tom")
    assert dock_text(answer) == "You get 1 from Tom. Tom led too high: paid 3, barred"
    assert HtmlPage(answer.text).value("#s-tom.seat.barred", "data-no") == "collect share"
    answer = night.tap("collect", seat="tom", pot="ten-hearts", held="5")
    assert answer.status_code == 422
    assert dock_text(answer) == "Tom is barred from money cards until this hand ends."


def test_the_pair_of_a_withheld_suit_is_paid_by_one_tap_too(night: TableNight) -> None:
    night.begin().tap("penalty:withheld-card/H", seat="tom")
    night.tap("out", seat="ruth")
    night.count(ben=2, mia=2, tom=3).tap("pay:ruth")
    for pot in ("ten-hearts", "queen-hearts"):
        page = night.tap(f"waive:match/{pot}/tom").text
    assert "KQ King and queen of hearts holds 5 . Who still has both cards?" in text_of(
        HtmlPage(page).select(".a-match p")[0], inline=()
    )
    before = night.stacks
    night.tap("match:king-queen-hearts/tom", seat="ben")
    assert (night.stacks["ben"], night.stacks["tom"]) == (before["ben"] + 5, before["tom"] - 5)
    assert night.pots["king-queen-hearts"] == 5
    assert "Who still has that card?" in night.page()


def test_an_offender_who_goes_out_takes_nothing_and_nobody_counts(night: TableNight) -> None:
    night.begin().tap("penalty:withheld-card/C", seat="tom")
    answer = night.tap("out", seat="tom")
    assert dock_text(answer) == "Tom is out but takes nothing. Play goes on until the next one."
    assert night.table.draft.winner is None
    assert HtmlPage(answer.text).has('#s-tom[data-no~="out"]')


def test_a_short_seat_sits_out_until_somebody_lends(night: TableNight) -> None:
    night.tap("move:95", source="ben", target="bank", why="")
    night.tap("plan:dealer", seat="mia")
    page = night.page()
    assert "Ante, without Ben" in page
    assert "5 of 9" in page
    assert "Ante for hand 1" in night.tap("plan:mia", seat="ben").text
    night.tap("ante:mia")
    assert night.stacks["ben"] == 0
    assert [(one.debtor, one.holder, one.chips) for one in night.table.night.ledger.notes()] == [("ben", "mia", 4)]


def test_sitting_out_is_one_tap_and_can_be_taken_back(night: TableNight) -> None:
    night.tap("plan:dealer", seat="mia")
    assert "Ante, without Tom" in night.tap("plan:out", seat="tom").text
    assert "Ante for hand 1" in night.tap("plan:", seat="tom").text
    night.tap("plan:out", seat="tom")
    night.tap("ante:mia")
    assert night.table.night.current_deal().seats == ("ruth", "ben", "mia")


def test_a_payer_without_chips_writes_an_iou_when_cards_are_paid(night: TableNight) -> None:
    night.begin().tap("move:90", source="ben", target="tom", why="")
    night.tap("out", seat="ruth")
    night.count(ben=3, mia=2, tom=3).tap("cover:ben:ruth")
    night.tap("pay:ruth")
    assert [(one.debtor, one.holder, one.chips) for one in night.table.night.ledger.notes()] == [("ben", "ruth", 2)]


def test_a_refused_move_says_why_and_changes_nothing(night: TableNight) -> None:
    night.begin()
    before = night.table.head
    for do, fields in (
        ("collect", {"seat": "nobody", "pot": "ten-hearts"}),
        ("collect", {"seat": "tom", "pot": "jackpot"}),
        ("move", {"source": "tom", "target": "tom", "chips": "5"}),
        ("buy:x", {"seat": "tom"}),
        ("no-such-thing", {}),
        ("sale:2", {"seat": "tom"}),
    ):
        answer = night.tap(do, fields=fields)
        assert answer.status_code == 422, do
        assert len(dock_text(answer)) > 10
    assert night.table.head == before


def test_the_last_hand_is_announced_on_every_screen(night: TableNight) -> None:
    night.begin()
    night.tap("last:on")
    for page in (night.page(), night.page(night.phones["tom"])):
        assert "last hand" in page
    assert night.tap("last:", night.phones["tom"]).status_code == 403
    night.tap("out", seat="ruth")
    night.count(ben=1, mia=2, tom=3).tap("pay:ruth")
    assert "Finish the night" in night.tap("waive:poker").text


def test_a_browser_without_scripts_is_sent_back_to_the_page(night: TableNight) -> None:
    answer = night.host.post(f"/n/{night.code}/record", {"do": "ante:mia", "seat": "mia", "key": "k"})
    assert answer.status_code == 303
    assert answer.location == f"/n/{night.code}"
    assert night.table.night.hand == 1


def test_the_page_holds_what_its_fragment_holds(night: TableNight) -> None:
    night.begin()
    page, part = night.host.get(f"/n/{night.code}").text, night.page()
    assert part.strip() in page


def test_bets_are_called_and_folded_by_one_tap_and_the_last_one_left_wins_without_showing(site: Site) -> None:
    night = TableNight(site, "hearts-three-stages")
    ben, mia = night.phones["ben"], night.phones["mia"]
    night.tap("ante:ruth", seat="ruth")
    night.tap("go-on")
    assert "Call" not in night.page(ben)
    night.tap("bet:3", mia, seat="mia")
    assert "Call 3" in night.page(ben)
    assert "Call" not in night.page(mia)
    assert "Fold" in night.page()  # the host answers for those without a phone
    answer = night.tap("call", ben, seat="ben")
    assert answer.status_code == 200, dock_text(answer)
    assert night.pots["pot"] == 4 + 6
    assert dock_text(night.tap("pass", seat="tom")) == "Tom folds"
    assert night.tap("poker", seat="tom").status_code == 422
    night.tap("pass", ben, seat="ben")
    assert dock_text(night.tap("pass", seat="ruth")) == "Ruth folds. Mia is the last one in and wins 10"
    assert (night.table.night.phase, night.pots["pot"]) == ("play", 0)
