"""Michigan Rummy with the snake: hands, faults, the stock used up, every house rule of it, and its pages on phones."""

import re
from itertools import product
from random import Random

import pytest
from extras._shared.score_nights import ScoreNight, rummy, snake
from extras._shared.score_nights_in_browser import change, fits, have
from hypothesis import strategies as st
from support.browser_phones import BrowserNight
from support.client_phones import Site
from support.core_nights import CoreNight
from support.html_page import HtmlPage, text_of
from support.of_extras import needs
from support.sample_nights import SampleNight, hidden_fields, record, sample_night, visible_text
from support.waiting import resize

from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.errors import BadEvent
from tracker.core.events import Chips, End, Name, SeatId
from tracker.core.payment_list import nets_in_cents
from tracker.core.preset import RANKS, SUITS
from tracker.extras.rum.rules import (
    Holding,
    card,
    card_points,
    fault_booking,
    fault_payees,
    hand_points,
    points,
    waiting_faults,
)
from tracker.formats.codec import event_to

CHANCE = st.integers(0, 2**16).map(Random)
HANDS = {"x": 10, "y": 20, "z": 30}


def with_fault(seat: str) -> CoreNight:
    return snake().record("penalty", seat=seat, offence="false-rummy")


def test_points_are_needed_from_every_other_seat_and_at_the_end_of_the_stock_from_all() -> None:
    three = {"x": 1, "y": 2, "z": 3}
    for hands in ({}, {"x": 1, "y": 2}, {**three, "w": 4}, {**three, "nobody": 4}):
        assert snake().refusal("rummy", seat="w", hands=hands).facts["field"] == "hands", hands
    assert snake().refusal("stock-out", hands=HANDS).facts["field"] == "hands"
    for hands, missing in (({"b": 4}, "C"), ({}, "B, C")):
        said = str(snake("abc").refusal("rummy", seat="a", hands=hands))
        assert said == f"cards or points are missing: {missing}"
    assert snake().refusal("rummy", seat="w", hands=HANDS, one_turn=True).code == "not-allowed", "no house rule"


# Faults


def test_faults_of_this_game_have_neither_suit_nor_cover() -> None:
    fault = {"offence": "false-rummy"}
    for fields in ({"offence": "wrong-lead"}, {**fault, "suit": "S"}, {**fault, "cover": {"x": "w"}}):
        assert snake().refusal("penalty", seat="x", **fields).code == "bad-event", fields


def test_a_fault_is_shared_by_tied_winners_and_an_offender_among_them_is_paid_less() -> None:
    hands = {"w": 4, "x": 4, "y": 10, "z": 11}
    night = with_fault("y").record("stock-out", hands=hands)
    assert night.scores == {"w": 11 + 10, "x": 10 + 10, "y": -30, "z": -11}
    own = with_fault("x").record("stock-out", hands=hands)
    assert own.scores == {"w": 11, "x": -10, "y": 0, "z": -1}
    level = with_fault("x").record("stock-out", hands=dict.fromkeys("wxyz", 4))
    assert level.scores == {"w": 6, "x": -20, "y": 7, "z": 7}
    alone = with_fault("z").record("rummy", seat="z", hands=dict.fromkeys("wxy", 30))
    assert alone.scores == {"w": -23, "x": -23, "y": -24, "z": 70}


# Other house rules


@pytest.mark.parametrize("ace_high", [1, 15])
def test_the_pad_counts_cards_as_a_whole_hand_of_them_is_counted(ace_high: int) -> None:
    night = snake("wx", ace_high_seq=ace_high).night
    pad = {card.rank: card for card in card_points(night)}
    assert [*pad] == ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    every = Holding(tuple(f"{rank}S" for rank in pad))
    assert hand_points(night, every) == sum(card.alone for card in pad.values())
    low = Holding(sequences=(tuple(f"{rank}S" for rank in ("A", "2", "3", "4")),))
    assert hand_points(night, low) == sum(pad[rank].in_sequence for rank in ("A", "2", "3", "4"))
    assert {card.rank: card.high_with for card in pad.values() if card.high_with} == {"A": "K"}
    high = Holding(sequences=(tuple(f"{rank}S" for rank in ("10", "J", "Q", "K", "A")),))
    assert hand_points(night, high) == sum(pad[rank].in_high_sequence for rank in ("10", "J", "Q", "K", "A"))


# Faults that wait at the end of the snake


@pytest.mark.parametrize(
    ("to", "scores"), [("winner", (50, -30, -20, 0)), ("each", (50, -50, 0, 0)), ("sheet", (30, -30, -20, 0))]
)
def test_faults_booked_at_the_end_also_of_who_has_left_pay_nobody_who_waits(to: str, scores: tuple[int, ...]) -> None:
    night = snake("wxy", fault__to=to).record("rummy", seat="w", hands={"x": 10, "y": 20})
    night.record("penalty", seat="x", offence="false-rummy").record("sit", seat="z", name="Z")
    assert fault_payees(night.night) == ("w", "x", "y")
    night.record(**event_to(fault_booking(night.night, "w"))).record("end")
    assert night.scores == dict(zip("wxyz", scores, strict=True))
    assert "z" not in night.night.players
    night = snake("wx", fault__to=to).record("penalty", seat="x", offence="false-rummy").record("leave", seat="x")
    assert waiting_faults(night.night) == ("x",)
    night.record(**event_to(fault_booking(night.night, "w"))).record("end")
    assert night.scores == {"w": 0 if to == "sheet" else 20, "x": -20}


def test_a_fault_that_can_be_settled_with_nobody_keeps_no_night_from_ending_nor_a_stored_one_from_opening() -> None:
    night = snake("wx").record("penalty", seat="w", offence="false-rummy").record("leave", seat="x")
    assert waiting_faults(night.night) == ()
    assert night.record("end").scores == {"w": 0, "x": 0}
    free = snake("wx", fault__points=0).record("penalty", seat="w", offence="false-rummy").record("end")
    assert free.night.is_over
    stored = snake("wxy").record("penalty", seat="x", offence="false-rummy").opened_with("end")
    assert (stored.night.phase, set(stored.scores.values())) == ("ended", {0})


# Faults that wait for a deal: what the sheet of a person and the end of the night say of them.


SNAKE = "michigan-rummy-snake"


def finish(here: SampleNight) -> int:
    page = here.host.get(f"{here.base}/settle")
    return here.host.post(f"{here.base}/settle", hidden_fields(page, f"{here.base}/settle")).status_code


@pytest.mark.parametrize(("to", "paid"), [("winner", 20), ("sheet", 0)])
def test_a_fault_that_waits_for_a_deal_is_asked_for_before_the_night_ends(site: Site, to: str, paid: int) -> None:
    here = sample_night(site, SNAKE, {"fault.to": to})
    hands = {seat: Chips(0) for seat in ("ruth", "mia", "tom")}
    record(here.table, rummy("ben", hands), events.Penalty("ben", "false-rummy"))
    record(here.table, events.Sit(SeatId("lea"), Name("Lea")))
    page = here.host.get(f"{here.base}/settle")
    assert "20 points of Ben still wait for a deal." in visible_text(page)
    assert "still wait" not in visible_text(here.ben.get(f"{here.base}/settle"))
    assert finish(here) == 422
    assert "Points of Ben still wait for a deal" in visible_text(
        here.host.post(f"{here.base}/settle", hidden_fields(page, f"{here.base}/settle"))
    )
    form = hidden_fields(page, f"{here.base}/settle/faults")
    if to == "winner":
        offered = HtmlPage(page.text).values('form[action$="/settle/faults"] input[name=seat]', "value")
        assert offered == ["ruth", "ben", "mia", "tom"], "nobody who waits gets any"
        for wrong in ({}, {"seat": "lea"}):
            assert here.host.post(f"{here.base}/settle/faults", {**form, **wrong}).status_code == 422
        form["seat"] = "mia"
    for _ in range(2):
        assert here.host.post(f"{here.base}/settle/faults", form).status_code == 303
    assert dict(here.table.night.points) == {"ruth": 0, "ben": -20, "mia": paid, "tom": 0, "lea": 0}
    assert "still wait" not in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 303


# What cards and sequences count, and which cards are none.


PACK = [rank + suit for rank in RANKS for suit in SUITS]


def test_a_malformed_card_is_refused_by_name_and_a_malformed_sequence() -> None:
    wrong = ["", "H", "10", "1H", "11H", "0H", "KX", "kh", "Kh", "HK", "10 H", " KH", "KHH", "KH ", "AJ", "JOKER"]
    for text in (*wrong, "jk", "♥K"):
        with pytest.raises(BadEvent, match=re.escape(repr(text))) as caught:
            card(text)
        assert caught.value.field == "cards"
    wrong = ["", "AH", "AH 2H", "2H 3S 4H", "2H 3H 5H", "2H 2H 3H", "7H 7S 7D", "KH AH 2H", "AH AH 2H"]
    for sequence in (*wrong, "JK JK JK", "2H JK 5H"):
        with pytest.raises(BadEvent) as caught:
            points(Holding((), (tuple(sequence.split()),)), joker=20)
        assert caught.value.field == "sequences", sequence


def test_an_ace_in_a_sequence_counts_one_in_any_order_of_the_cards() -> None:
    counts = {"AH 2H 3H": 6, "7S 8S 9S 10S": 34, "10D JD QD KD": 40, "QC KC AC": 21, "3H AH 2H": 6, "9S 8S 7S": 24}
    counts |= {"AC KC QC": 21, " ".join(rank + "H" for rank in RANKS): 54 + 30 + 1}
    for sequence, expected in counts.items():
        assert points(Holding((), (tuple(sequence.split()),))) == expected, sequence


@pytest.mark.parametrize("sequence", ["7H JK 9H", "JK 7H 8H", "QH KH JK", "JK JK 4C"])
def test_a_joker_stands_for_a_missing_card_and_counts_as_a_joker(sequence: str) -> None:
    cards = tuple(sequence.split())
    held = Holding((), (cards,))
    shown = sum(points(Holding((text,))) for text in cards if text != "JK")
    assert points(held, joker=20) == shown + 20 * cards.count("JK")
    with pytest.raises(BadEvent):
        points(held)


# On the page of the table


def text(html: str) -> str:
    return HtmlPage(html).text(inline=("bdi",))


def opened(site: Site, **rules: object) -> ScoreNight:
    """Ruth, Ben, Mia and Tom at the table."""
    return ScoreNight(site, SNAKE, ("Ben", "Mia", "Tom"), rules)


def count(night: ScoreNight, winner: str, **hands: int) -> ScoreNight:
    """Somebody is out, or the stock is used up, and the host types what the others hold."""
    assert night.tap("out" if winner else "stock", seat=winner) == 200
    night.say(**hands)
    return night


def deal(night: ScoreNight, winner: str, **hands: int) -> None:
    """What the others hold is typed and paid."""
    assert count(night, winner, **hands).tap("pay") == 200


def test_going_out_in_one_turn_pays_double_where_a_house_rule_says_so(site: Site) -> None:
    assert "All in one turn" not in count(opened(site), "tom").page()
    night = count(opened(site, one_turn=2), "tom")
    assert "All in one turn" in night.page()
    assert night.tap("one-turn:on") == 200
    night.say(ruth=9, ben=10, mia=20)
    assert "Pay Tom 78" in text(night.page())
    assert night.tap("pay") == 200
    assert night.points["tom"] == 78
    assert night.tap(f"undo:{night.table.head}") == 200
    assert "Pay Tom 78" in text(night.page())
    assert night.tap("one-turn:off") == 200
    assert Nights(site.tables.store, site.tables.live).get(night.code).draft.winner == "tom", "after a restart"


def test_the_sheet_lists_every_deal_the_chart_has_a_line_for_everybody_and_points_are_paid(site: Site) -> None:
    night = opened(site)
    host, guest = HtmlPage(night.page()), HtmlPage(night.page("ben"))
    assert len(host.root.select("button.seat")) == len(guest.root.select("div.seat")) == 4
    assert not guest.root.select("button.seat"), "a tap on people counts on the host's phone only"
    assert night.page().count('<path class="c-line"') == 0
    deal(night, "tom", ruth=32, ben=25, mia=35)
    assert night.page().count('<path class="c-line"') == 4
    deal(night, "ben", ruth=1, mia=2, tom=3)
    rows = [text_of(row, inline=("bdi",)) for row in HtmlPage(night.page()).select(".padsheet tr")][1:]
    assert rows == ["1 −32 −25 −35 92", "2 −1 6 −2 −3", "= Total −33 −19 −37 89"]
    night.tap("out", seat="ben")
    assert "Still to come: Mia, Tom and Ruth" in text(night.page()), "what was typed is discarded with its deal"
    said = text(night.record(End()).host.get(f"{night.base}/settle").text)
    assert "Ruth pays Tom 33" in said
    assert "deals won +92" in said


def cents(text: str) -> int:
    """Return the sum that a page says, such as `−3.05`, in cents."""
    return int("".join(sign for sign in text.replace("−", "-") if sign in "-0123456789"))


def test_points_show_in_money_the_same_on_every_page_and_with_the_banks_share_they_are_zero(site: Site) -> None:
    night = opened(site, **{"money.chips": 10, "money.cents": 50, "fault.to": "sheet"})
    night.record(events.Penalty("mia", "false-rummy"))
    deal(night, "tom", ruth=32, ben=25, mia=35)
    assert "10 points are worth 50 cents" in text(night.page())
    night.record(End())
    told = nets_in_cents(night.night)
    assert told == {"ruth": -160, "ben": -125, "mia": -275, "tom": 460, "bank": 100}
    people = {night.night.name(seat): told[seat] for seat in night.night.all_seats}
    sheet, ranking = (HtmlPage(night.host.get(night.base + page).text) for page in ("", "/settle"))
    assert [cents(said) for said in sheet.texts(".padsheet .cash td")] == list(people.values())
    for names, sums in (
        (sheet.texts("#shared .seat .nm"), sheet.texts("#shared .seat .sub")),
        (ranking.texts(".ranking tbody tr th bdi"), ranking.texts(".ranking tbody tr td:last-child")),
    ):
        assert dict(zip(names, map(cents, sums), strict=True)) == people
    needs("exports")
    lines = [line for line in night.host.get(f"{night.base}/result.txt").text.splitlines() if " = " in line]
    assert {line.split(". ")[1].split(":")[0]: cents(line.split(" = ")[1]) for line in lines} == people


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
    assert "The points of the fault are paid with this deal." in HtmlPage(night.sheet("/ben")).text(), "who leaves"
    assert "−20 waits" in text(night.page())
    assert night.points["ben"] == 0
    assert night.tap(undo) == 200
    assert "waits until this deal is paid" not in night.sheet("/ben")


# On four phones: hands are counted on one pad and on own phones


def cards(night: BrowserNight, person: str, hand: str) -> None:
    """Somebody types a hand card by card; what stands in brackets is a sequence."""
    for sign in hand.split():
        key = ".key[data-run]" if sign in ("[", "]") else f'[data-card="{sign}"]'
        night.phones[person].page.tap(key)


def test_a_whole_night_with_the_snake(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=SNAKE)
    night.tap("mia", "text=A fault", "text=Bought a card and did not use it")
    night.host.see_word("−20 waits")
    night.tap("tom", "#do-out")
    night.phones["ben"].see_word("Tap what you still hold")
    cards(night, "ben", "K A 7")
    night.tap("ben", "text=I hold 32")
    cards(night, "mia", "[ A 2 3 ] Q 9")
    night.tap("mia", "text=I hold 25")
    night.host.see_word("Still to come: Ruth")
    fits(night)
    cards(night, "ruth", "A A 5")
    night.tap("ruth", "#next")
    night.phones["tom"].see_word("pays 45")
    night.tap("tom", "text=Pay Tom 112")
    night.phones["mia"].see_word("Tom goes out")
    have(night, ruth=-35, ben=-32, mia=-45, tom=112)
    first = night.table.head

    night.tap("ruth", "#do-stock")
    for person, left in (("ruth", 18), ("ben", 4), ("mia", 22), ("tom", 30)):
        night.phones[person].see_word("fewest points win")
        night.tap(person, "[data-mode=points]", *(f'[data-digit="{digit}"]' for digit in str(left)), "#next")
    night.tap("ruth", "text=Pay Ben 70")
    night.phones["tom"].see_word("The stock is used up")
    have(night, ruth=-53, ben=38, mia=-67, tom=82)
    night.tap("ruth", ".undo", "#h-mia", '[data-digit="9"]', "#next", "text=Pay Ben 57")  # what the others said stays
    have(night, ruth=-53, ben=25, mia=-54, tom=82)

    change(night, first, lambda page: page.fill("input[name='hands-ben']", "52"))
    night.phones["mia"].see_word("Changed: ")
    have(night, ruth=-53, ben=5, mia=-54, tom=102)
    assert night.phones["mia"].page.locator(".padsheet tbody tr").count() == 2


def test_cards_tapped_and_not_yet_said_stay_when_another_phone_says_its_own(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=SNAKE)
    night.tap("tom", "#do-out")
    night.host.see_word("Tom: Rummy!")
    night.host.page.tap("#h-mia")
    cards(night, "ruth", "K Q")
    night.phones["ben"].see_word("Tap what you still hold")
    cards(night, "ben", "7")
    night.tap("ben", "#next")
    night.host.see_word("Still to come: Ruth and Mia")
    assert night.host.page.inner_text("#h-mia .slot") == "20"
    assert night.host.page.inner_text("#h-ben .slot") == "7"


def test_a_phone_on_its_side_shows_every_key_of_the_count_without_scrolling(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", others=["Mia", "Tom"], preset=SNAKE)
    night.tap("ruth", "#do-out", "#s-tom")
    for person, size in product(("ruth", "ben"), ((568, 320), (667, 375), (844, 390))):
        night.phones[person].see_word("Tom: Rummy!")
        page = night.phones[person].page
        resize(page, *size)
        for mode in ("cards", "points"):
            page.tap(f"[data-mode={mode}]")
            hidden = page.evaluate(
                """() => [...document.querySelectorAll(".entry button")].filter((one) => one.checkVisibility())
                  .filter((one) => {
                    const { x, y, width, height } = one.getBoundingClientRect();
                    return ![y + height / 4, y + 3 * height / 4]
                      .every((at) => one.contains(document.elementFromPoint(x + width / 2, at)));
                  }).map((one) => one.textContent)"""
            )
            assert hidden == [], (person, size, mode)
