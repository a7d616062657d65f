"""8 Round Rummy: a round card for each winner, the automatic win, ties and the short game."""

from dataclasses import replace

import pytest
from extras._shared.score_nights import ScoreNight, round_won, rounds
from extras._shared.score_nights_in_browser import change, fits, have
from support.browser_phones import BrowserNight, BrowserPhone
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import hidden_fields, record, visible_text
from support.waiting import meanwhile

from tracker.core.preset import RoundCard
from tracker.core.preset_faults import faults
from tracker.extras.rounds import drawing
from tracker.extras.rounds.rules import rounds_won
from tracker.formats.built_in import built_in


def test_a_round_has_two_people_jokers_in_whole_numbers_and_is_played_once_whatever_rules_change() -> None:
    for jokers in (-1, "1", 1.0, True):
        assert rounds("ab").refusal("round", winner="a", jokers=jokers).facts["field"] == "jokers", jokers
    assert rounds("a").opened_with("round", winner="a").scores == {"a": 1}, "a stored night still opens"
    night = rounds("ab", rounds="short").record("rule", change={"rounds": "full"}).record("round", winner="a")
    assert night.scores["a"] == 1
    assert night.refusal("rule", change={"rounds": "short"}).code == "not-allowed"
    night.record("rule", change={"tie": "round_8"})


def test_score_games_have_no_pots_and_rounds_have_their_cards() -> None:
    eight = built_in("eight-round-rummy")
    assert [*map(str, faults(replace(eight, pots=built_in("michigan-rummy").pots)))] == ["only a game of pots has pots"]
    assert [*map(str, faults(replace(eight, round_cards=())))] == ["a game of rounds needs its round cards"]
    assert faults(replace(eight, round_cards=(RoundCard(1, "Anything", 5),))) == []
    twice = (RoundCard(1, "Anything", 5), RoundCard(1, "Again", 1001))
    told = [str(fault) for fault in faults(replace(eight, round_cards=twice))]
    assert told == ["round 1 stands twice", "round 1: a card has at most 1000 points"]
    assert faults(replace(eight, round_cards=tuple(RoundCard(at, "Anything", 1) for at in range(17))))


GAME = "eight-round-rummy"


def text(html: str) -> str:
    return HtmlPage(html).text(inline=("bdi",))


def play(night: ScoreNight, winners: str) -> ScoreNight:
    people = {"r": "ruth", "b": "ben", "m": "mia"}
    for winner in winners:
        assert night.tap("round", seat=people[winner]) == 200
    return night


def test_one_tap_records_the_round_that_is_played_once_and_from_a_phone_only_its_own(site: Site) -> None:
    night = ScoreNight(site, GAME)
    assert "Who won round 1?" in text(night.page())
    host, bens, mias = (night.form(phone) for phone in night.phones)
    for _double_tap in range(2):
        assert night.tap("round", form=host, seat="ben") == 200
    assert night.tap("round:ben", "ben", form=bens) == 200, "another phone says the same"
    assert night.tap("round:mia", "mia", form=mias) == 409
    assert night.tap("round:mia", "ben") == 403
    assert night.points == {"ruth": 0, "ben": 1, "mia": 0}
    assert "Who won round 2?" in text(night.page())
    assert "I won round 2" in night.page("ben")


def test_the_page_shows_the_goal_and_the_direction_of_play_which_one_tap_of_anybody_turns(site: Site) -> None:
    night = play(ScoreNight(site, GAME), "rb")
    hub = night.page().split('class="rhub"')[1].split("</section>")[0]
    assert "Round 3" in hub
    assert "Same shape and colour" in hub
    assert hub.count('class="c7 ') == 7
    drawings = {drawing.hand(card.goal) for card in night.night.preset.round_cards}
    assert [picture.count("<text") for picture in drawings] == [7] * 8
    assert drawing.hand("Four of a kind") == "", "which is not printed"
    for is_reversed, turned, said in (
        (False, "goes clockwise", "Clockwise"),
        (True, "goes counterclockwise", "Counter"),
    ):
        assert night.night.is_reversed == is_reversed
        assert f"{turned} now" in night.page()
        assert ("scale(-1 1)" in night.page()) == is_reversed
        assert said in text(night.page("mia")), "an own phone says it in words"
        assert night.tap("reverse", "ben") == 200


@pytest.mark.parametrize(
    ("phone", "tap", "said"),
    [
        ("ruth", "round:/0", ("Mia wins", "Round 8 without a joker wins the game at once")),
        ("ruth", "round:/1", ("Ruth wins", "28 points")),
        ("mia", "round:mia/0", ("Mia wins",)),
        ("mia", "round:mia/1", ("Ruth wins",)),
    ],
)
def test_round_8_is_one_tap_either_way_and_wins_the_game_without_a_joker(
    site: Site, phone: str, tap: str, said: tuple[str, ...]
) -> None:
    night = play(ScoreNight(site, GAME), "rrrrrrr")
    assert "Any joker in it?" in text(night.page())
    assert f'value="{tap}"' in night.page(phone) or phone == "ruth"
    assert night.tap(tap, phone, seat="mia") == 200
    for words in said:
        assert words in text(night.page())
    assert HtmlPage(night.page()).texts("#s-ruth .rc-mini")[:7] == [*"1234567"]
    assert night.night.is_over
    assert night.tap(f"undo:{night.table.head}") == 200
    assert not night.night.is_over


@pytest.mark.parametrize("phone", ["ruth", "ben"])
def test_by_house_rule_every_round_asks_for_seven_equal_numbers_which_win_the_game(site: Site, phone: str) -> None:
    night = ScoreNight(site, GAME, rules={"auto_win": "any_round"})
    assert "won round 1. Seven equal numbers without a joker?" in text(night.page())
    assert night.tap("round:", seat="mia") == 200
    assert not night.night.is_over
    yes = HtmlPage(night.page(phone)).one("#won-alike" if phone == "ben" else "#alike").get("value")
    assert night.tap(yes, phone, seat="ben") == 200
    page = text(night.page())
    assert "Ben wins" in page
    assert "Seven equal numbers without a joker win the game at once" in page
    assert "not played to the end" not in page
    assert "Ben wins round 2: 2 points. Seven equal numbers without a joker: that wins the game" in page
    assert night.tap(f"undo:{night.table.head}") == 200
    change = f"/n/{night.code}/change/{night.number('round')}"
    asked = night.host.get(f"{change}?winner=ruth&seven_alike=yes")
    assert "Seven equal numbers without a joker?" in visible_text(asked), "so does its correction"
    assert night.host.post(change, {**hidden_fields(asked, change), "at-table": "right"}).status_code == 303
    assert "Ruth wins" in text(night.page())
    assert rounds_won(night.night)[-1].winner == "ruth"


def test_a_correction_asks_for_jokers_in_the_last_round_and_says_which_rounds_move_up(site: Site) -> None:
    night = play(ScoreNight(site, GAME), "bbbbbbb").record(round_won("mia", 1))
    numbers = [entry.number for entry in night.table.entries if entry.event.kind == "round"]
    pages = [night.host.get(f"/n/{night.code}/change/{number}").text for number in numbers]
    assert ["Jokers in it" in page for page in pages] == [False] * 7 + [True]
    assert all("Who won the round?" in page for page in pages)
    early, newest = (
        visible_text(night.host.get(f"/n/{night.code}/take-back/{at}")) for at in (numbers[0], numbers[-1])
    )
    assert "The later rounds move up by one then" in early
    assert "Round 8 has not been played then." in newest
    assert "move up" not in newest


def test_the_short_game_plays_four_rounds_and_is_settled_by_its_points_without_payments(site: Site) -> None:
    night = ScoreNight(site, GAME, rules={"rounds": "short"})
    assert "Who won round 2?" in text(night.page())
    play(night, "rbb")
    assert "Who won round 8?" in text(night.page())
    assert night.tap("round:/1", seat="ruth") == 200
    assert night.points == {"ruth": 10, "ben": 10, "mia": 0}
    assert "Ruth and Ben share the win" in text(night.page())
    said = visible_text(night.host.get(f"/n/{night.code}/settle"))
    assert "Ruth and Ben share the night 10 points" in said
    assert "won round 4 and 6" in said
    assert "Settle up" not in said


def test_a_round_is_opened_again_and_closed_by_the_host_or_by_the_phone_that_recorded_it_last(site: Site) -> None:
    night = ScoreNight(site, GAME)
    assert night.tap("round:ben", "ben") == 200
    number = night.table.head
    assert f"undo:{number}" in night.page("ben")
    assert f"undo:{number}" not in night.page("mia")
    assert night.tap(f"undo:{number}", "mia") == 403
    assert night.tap("round", seat="mia") == 200
    assert f"undo:{number}" not in night.page("ben")
    assert night.tap(f"undo:{number}", "ben") == 403
    for points in (0, 2):
        assert night.tap(HtmlPage(night.page()).value('[value^="undo:"]')) == 200
        assert night.points["mia"] == points
        assert ("Undone: the round is open again" in text(night.page())) == (points == 0)


def test_who_leaves_keeps_the_points_and_only_watches_and_a_night_that_was_ended_early_says_so(site: Site) -> None:
    night = play(ScoreNight(site, GAME), "b")
    assert night.tap("leave:ben") == 200
    assert night.tap("round", seat="ben") == night.tap("round:ben", "ben") == 422
    assert night.points["ben"] == 1
    assert 'id="s-ben"' not in night.page()
    assert "I won round" not in night.page("ben")
    assert play(night, "m").tap("end") == 200
    for words in ("Mia wins", "not played to the end"):
        assert words in text(night.page())
    settled = text(night.host.get(f"{night.base}/settle").text)
    assert ("1 point" in settled, "1 points" in settled) == (True, False)


# On four phones


FIXED = "#live .winner-tiles .btn, #live .undo, #live .turn, #live .dock, #round-1, #round-8"
OWN_FIXED = "#live .seat, #live .rtable, #live .dock"


def spots(phone: BrowserPhone, selector: str) -> list[tuple[float, float]]:
    """Return where things stand."""
    found = [one.bounding_box() for one in phone.page.query_selector_all(selector)]
    return [(box["x"], box["y"]) for box in found if box]


def won(night: BrowserNight, *winners: str) -> None:
    record(night.table, *map(round_won, winners), by="ruth")


def test_a_whole_game_of_eight_rounds_with_an_early_mistake_found_late(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=GAME)
    night.host.see_word("Who won round 1?")
    night.tap("ruth", "#w-ben")
    night.phones["mia"].see_word("Ben wins round 1")
    before = spots(night.host, FIXED)
    own_before = spots(night.phones["mia"], OWN_FIXED)
    assert (len(before), len(own_before)) == (9, 5)
    won(night, "mia")
    wrong = night.table.head
    night.tap("tom", "#won-3")
    night.host.see_word("Tom wins round 3")
    assert spots(night.host, FIXED) == before
    night.tap("ben", "button.turn")
    night.host.see_word("Play changes direction")
    won(night, "ruth", "ben", "tom", "mia")
    have(night, ruth=4, ben=6, mia=9, tom=9)
    change(night, wrong, lambda page: page.tap(".pick:has([value=tom])"))
    night.phones["mia"].see_word("Changed: ")
    have(night, ruth=4, ben=6, mia=7, tom=11)
    night.host.see_word("Who won round 8?")
    night.phones["mia"].see_word("I won the game")
    assert spots(night.phones["mia"], OWN_FIXED) == own_before
    fits(night)
    night.tap("ruth", "#w-ben")
    night.host.see_word("Ben won round 8. Any joker in it?")
    head = night.head()
    night.tap("tom", "button.turn")
    meanwhile(night.host.page, lambda: night.head() > head)
    night.host.see_head(night.head())
    night.host.see_word("Ben won round 8. Any joker in it?")
    night.tap("ruth", "#with-joker")
    night.phones["mia"].see_word("Ben wins")
    have(night, ruth=4, ben=14, mia=7, tom=11)
