"""Tapping on the table's page: what is recorded for whom, from which phone, and what is refused with which words."""

from typing import Any

from support.client_phones import Site
from support.html_page import HtmlPage
from support.page_offers import PageReader
from support.sample_nights import TableNight, dock_text

from tracker.core.events import Amount, Move
from tracker.formats.codec import event_from
from tracker.web.access.consent import may_record
from tracker.web.access.devices import Identity


def test_two_who_take_one_place_count_once_and_the_second_reads_the_first_takers_name(night: TableNight) -> None:
    tom = night.phones["tom"]
    shown, own = night.begin().page(), night.page(tom)
    night.tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = night.tap("collect", tom, old=own, seat="tom", pot="king-clubs", held="5")
    assert answer.status_code == 200
    assert "Ruth has recorded that already. Nothing counts twice." in answer.text
    twice = "Tom took King of clubs in this hand already; nothing was counted twice."
    for old, held, words in ((shown, "5", "Tom took it."), ("", "0", twice)):
        answer = night.tap("collect", seat="ben", old=old, pot="king-clubs", held=held)
        assert answer.status_code == 409
        assert words in dock_text(answer)
    assert (night.stacks["tom"], night.stacks["ben"]) == (96, 91)


def test_a_tap_on_the_board_of_an_older_hand_is_refused(night: TableNight) -> None:
    old = night.begin().page()
    night.tap("out:ruth", seat="ruth")
    night.count(ben=1, mia=2, tom=3).tap("pay:ruth")
    for do in ("waive:poker", "ante:tom", "no-sale"):
        night.tap(do)
    answer = night.tap("collect", old=old, seat="ben", pot="ten-hearts", held="10")
    assert answer.status_code == 409
    assert "hand 1" in dock_text(answer)


def test_undoing_the_payment_keeps_the_numbers_typed(night: TableNight) -> None:
    night.begin().tap("out", seat="ruth")
    night.count(ben=2, mia=2, tom=2).tap("pay:ruth")
    page = night.tap(f"undo:{night.table.head}").text
    assert 'data-moment="count"' in page
    assert page.count('value="2"') == 3


def test_after_a_going_out_was_withdrawn_nothing_older_is_offered_to_be_brought_back(night: TableNight) -> None:
    night.begin().tap("collect", seat="tom", pot="king-clubs", held="5")
    night.tap("undo:7")
    night.tap("out", seat="mia")
    answer = night.tap("not-out")
    assert dock_text(answer) == "Undone: Mia is not out"
    assert not HtmlPage(answer.text).has("button.undo")
    night.tap("collect", seat="tom", pot="king-clubs", held="5")
    assert HtmlPage(night.tap("undo:9").text).text("button.undo") == "Redo"  # that is over with the next event


def test_who_is_barred_reads_so_on_the_own_phone_and_is_named_where_somebody_taps_on_them(night: TableNight) -> None:
    mark, tom = 'class="tag bad">barred', night.begin().phones["tom"]
    assert mark not in night.page(tom)
    answer = night.tap("penalty:wrong-lead", seat="tom")
    assert dock_text(answer) == "You get 1 from Tom. Tom led too high: paid 3, barred"
    assert HtmlPage(answer.text).value("#s-tom.seat.barred", "data-no") == "collect share"
    answer = night.tap("collect", seat="tom", pot="ten-hearts", held="5")
    assert (answer.status_code, dock_text(answer)) == (422, "Tom is barred from money cards until this hand ends.")
    night.tap("collect", pot="ace-hearts", seat="ben")
    assert mark in night.page(tom).partition("</header>")[0]


def test_for_the_pair_of_a_withheld_suit_both_cards_are_asked_for(night: TableNight) -> None:
    night.begin().tap("penalty:withheld-card/H", seat="tom")
    night.tap("out", seat="ruth")
    night.count(ben=2, mia=2, tom=3).tap("pay:ruth")
    for pot in ("ten-hearts", "queen-hearts"):
        page = night.tap(f"waive:match/{pot}/tom").text
    assert "Who still has both cards?" in HtmlPage(page).text(".a-match p")
    assert "Who still has that card?" in night.tap("match:king-queen-hearts/tom", seat="ben").text


def test_an_offender_who_goes_out_takes_nothing_and_nobody_counts(night: TableNight) -> None:
    night.begin().tap("penalty:withheld-card/C", seat="tom")
    answer = night.tap("out", seat="tom")
    assert dock_text(answer) == "Tom is out but takes nothing. Play goes on until the next one."
    assert night.table.draft.winner is None
    assert HtmlPage(answer.text).has('#s-tom[data-no~="out"]')


def test_who_is_short_sits_out_until_somebody_lends_and_anybody_sits_out_by_one_tap(night: TableNight) -> None:
    night.tap("move:95", source="ben", target="bank", why="")
    night.tap("plan:dealer", seat="mia")
    assert "Ante, without Ben" in night.page()
    assert "5 of 9" in night.page()
    assert "Ante for hand 1" in night.tap("plan:mia", seat="ben").text
    assert "Ante, without Tom" in night.tap("plan:out", seat="tom").text
    night.tap("ante:mia")
    assert night.stacks["ben"] == 0
    assert night.table.night.current_deal().seats == ("ruth", "ben", "mia")
    assert [(one.debtor, one.holder, one.chips) for one in night.table.night.ledger.notes()] == [("ben", "mia", 4)]


def test_a_refused_move_says_why_and_changes_nothing(night: TableNight) -> None:
    before = night.begin().table.head
    for do, fields in (
        ("collect", {"seat": "nobody", "pot": "ten-hearts"}),
        ("collect", {"seat": "tom", "pot": "jackpot"}),
        ("move", {"source": "tom", "target": "tom", "chips": "5"}),
        ("buy:x", {"seat": "tom"}),
        ("no-such-thing", {}),
        ("sale:2", {"seat": "tom"}),
        ("leave", {"seat": "tom"}),  # who plays this hand
    ):
        answer = night.tap(do, fields=fields)
        assert answer.status_code == 422, do
        assert len(dock_text(answer)) > 10
    assert night.table.head == before


def test_a_page_holds_its_fragment_and_a_browser_without_scripts_is_sent_back_to_it(night: TableNight) -> None:
    address = f"/n/{night.code}"
    answer = night.host.post(f"{address}/record", {"do": "ante:mia", "seat": "mia", "key": "k"})
    assert (answer.status_code, answer.location, night.table.night.hand) == (303, address, 1)
    assert night.page().strip() in night.host.get(address).text


# Each phone for itself


def test_a_phone_records_and_takes_back_only_its_own_also_where_everyone_records(night: TableNight) -> None:
    mine, other = night.begin().phones["tom"], night.phones["ben"]
    assert night.tap("collect", mine, seat="ben", pot="ten-hearts", held="5").status_code == 403
    assert night.tap("last:", mine).status_code == 403
    taken = night.tap("collect", mine, seat="tom", pot="ten-hearts", held="5")
    assert dock_text(taken) == "10 Ten of hearts: you took 5"
    assert ">Undo</button>" in night.page(mine).replace("\n", "")
    assert "Undo" not in night.page(other)
    assert night.tap("undo:7", other).status_code == 403
    assert night.tap("undo:7", mine).status_code == 200
    night.table.settings.is_open_to_all = True
    assert "Someone is out" in night.page(other)
    assert night.tap("collect", other, seat="tom", pot="ten-hearts", held="5").status_code == 200
    assert night.tap("undo:9", night.phones["mia"]).status_code == 403


def test_watchers_have_nothing_to_tap(night: TableNight) -> None:
    watcher = night.site.request_join(night.code, watch="1")
    page = night.begin().page(watcher)
    assert "<button" not in page.replace('<button name="do" value="" hidden id="go">', "")
    assert watcher.post(f"/n/{night.code}/record", {"do": "exchange"}).status_code == 403


OWN: dict[str, dict[str, Any]] = {
    "place": {"pots": {}},
    "bet": {"chips": 1},
    "bid": {"chips": 1},
    "fine": {},
    "due": {"due": "x"},
    "left": {"pot": "x"},
    "sweep": {},
    "leave": {},
}


def test_a_seats_own_moves_are_recorded_by_its_phone_and_by_others_where_everyone_records(night: TableNight) -> None:
    mia, tom = (Identity("seat", seat, 1, "", night.code) for seat in ("mia", "tom"))
    own = [event_from({"kind": kind, "seat": "mia", **fields}) for kind, fields in OWN.items()]
    for is_open in (False, True):
        night.table.settings.is_open_to_all = is_open
        assert all(may_record(night.table, mia, event) for event in own)
        by_others = [event.kind for event in own if may_record(night.table, tom, event)]
        assert by_others == [kind for kind in OWN if kind != "leave"] * is_open


def test_the_sole_winner_of_the_pool_records_it_on_the_own_phone_and_no_other_one(night: TableNight) -> None:
    night.begin().tap("out", night.phones["ben"])
    night.count(ruth=2, mia=2, tom=2).tap("pay:ben")
    assert "I win the pool" in night.page(night.phones["mia"])
    for winners in ("tom", "mia tom"):
        assert night.tap("poker", night.phones["mia"], seat="tom", winners=winners).status_code == 403
    before = night.stacks["mia"]
    assert night.tap("poker", night.phones["mia"]).status_code == 200
    assert night.stacks["mia"] == before + 5


def test_a_fine_switched_on_in_mid_night_is_paid_by_one_tap_into_the_place_that_the_rules_name(site: Site) -> None:
    night = TableNight(site)

    def rules() -> HtmlPage:
        return HtmlPage(night.host.get(f"/n/{night.code}/rules").text)

    def choose(**fields: str) -> int:
        form = rules().form("form:has([name='stop.fine'])")
        more = {name.replace("_", "."): value for name, value in fields.items()}
        return night.host.post(f"/n/{night.code}/rules", {**form, **more}).status_code

    assert choose(stop_fine="2") == 303
    before = night.begin().pots["jackpot"]
    assert HtmlPage(night.page(night.phones["mia"])).text(".a-rest [name=do][value=fine]") == "I am stuck pays 2"
    assert night.tap("fine", night.phones["mia"]).status_code == 200
    assert night.pots["jackpot"] == before + 2
    assert "Whoever can’t play or lead puts 2 chips in: Jackpot." in rules().text("main")
    assert rules().values("[name='stop.pot'] option", "value") == ["by_board", *night.table.preset.board]
    assert [choose(stop_pot=pot) for pot in ("cellar", "king-clubs")] == [422, 303]
    assert "Stuck: into which place: King of clubs" in rules().text("main")


# What a sheet offers beside what is tapped on it


def test_the_host_is_told_how_a_leaver_gives_chips_away(night: TableNight) -> None:
    hint = "To give them away, use “Pay by hand” first."
    assert hint in night.sheet("ben").text()
    assert night.sheet("ben").has("details [name=do][value=move]")
    assert hint not in night.sheet("ben", night.phones["ben"]).text()
    assert "My chips" in night.sheet("", night.phones["ben"]).texts("a.section[href$='/sheet/ben']")


def test_after_the_end_a_sheet_offers_no_chips(night: TableNight) -> None:
    assert night.sheet("ben").has("[value^=buy]")
    assert night.tap("end").status_code == 200
    assert not night.sheet("ben").has("[value^=buy], [value^=borrow], [value=move], [value=leave]")


# Whose own answer a page waits for


def own_turn(night: TableNight, phone: str) -> str:
    return HtmlPage(night.page(night.phones[phone])).one("#own-turn").get("data-own-turn")


def test_whoever_has_typed_cards_and_deals_next_is_called_for_the_ante(site: Site) -> None:
    night = TableNight(site, "michigan-kitty").begin("ruth")
    night.tap("out", seat="mia")
    assert own_turn(night, "ben") == "count-1"
    night.tap("say:2", night.phones["ben"], seat="ben")
    assert own_turn(night, "ben") == ""
    night.count(ruth=1, tom=3, ben=2).tap("pay:mia")
    assert night.table.night.next_dealer() == "ben"
    assert own_turn(night, "ben") == "ante-1"


def test_who_is_short_of_a_call_is_led_to_buy_and_others_are_offered_it_only_for_who_can_pay(site: Site) -> None:
    night = TableNight(site, "hearts-three-stages")
    night.tap("ante:ruth", seat="ruth")
    night.tap("go-on")
    for seat in ("ben", "tom"):
        night.record(Move(seat, "bank", Amount(night.stacks[seat] - 2)))
    night.tap("bet:5", night.phones["mia"], seat="mia")
    own, hosts = HtmlPage(night.page(night.phones["ben"])), HtmlPage(night.page())
    assert own.text(".a-rest a[data-open]") == "You need 3 more buy or borrow, to call"
    assert own.value(".a-rest a[data-open]", "href").endswith("/sheet/ben")
    assert not own.has("[value=call]")
    assert [one.form["seat"] for one in PageReader(hosts).offers() if one.do == "call"] == ["ruth"]
    assert hosts.value(".a-bettor", "data-calls").split() == ["ben:5", "tom:5", "ruth:5"]
