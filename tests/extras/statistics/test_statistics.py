"""Statistics over nights: figures worked out by hand, times, and what holds for any nights, however recorded."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from extras._shared.score_nights import scores
from extras.statistics.played_nights import played, rummy, score_night
from support.core_nights import CoreNight, kitty, rummy as rummy_night, with_two_given_up
from support.of_extras import needs

from tracker.core import log
from tracker.core.events import (
    Abandon,
    Amend,
    Amount,
    Event,
    Hand,
    Move,
    Name,
    NoSale,
    Score as Points,
    SeatId,
    Sit,
    Text,
    Undo,
)
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends
from tracker.extras._night_summaries.summarize import summarize
from tracker.extras.statistics.details import NOBODY, FullSummary, NightRows, PotShare, full, rows_of
from tracker.extras.statistics.ladder import POINTS, ladder_nights
from tracker.extras.statistics.moments import Moment, best_moments, pots_taken
from tracker.extras.statistics.playing_time import PlayingTime, playing_time
from tracker.extras.statistics.totals import (
    MONEY,
    NO_ONE,
    Rival,
    Season,
    Totals,
    Unit,
    best_partner,
    chosen,
    cumulative,
    easter,
    nights_by_players,
    people_of,
    pot_lines,
    rivals,
    since_easter,
    times_ahead,
    totals_of,
    totals_of_all,
    year,
    year_moments,
)
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended
from tracker.formats.records import made, plain

CHIPS, NICKELS = Unit("chips", 1), Unit("chips", 1, 5)


# Worked out by hand


def test_totals_of_one_night_are_its_figures() -> None:
    nights = played([rummy()])
    found = totals_of(nights, "c")
    assert (found.nights, found.won, found.hands, found.outs, found.longest_outs) == (1, 1, 4, 2, 1)
    assert found.net == {CHIPS: 33}
    assert found.pots == 7
    assert found.richest
    assert (found.richest.pot_name, found.richest.name) == ("Ten of hearts", "C")
    assert (found.richest.taken.chips, found.richest.taken.grown, found.richest.taken.hand) == (15, 3, 4)
    assert totals_of(nights, "nobody") == Totals()
    by_seat = {seat: totals_of(nights, seat) for seat in "abcd"}
    assert by_seat["a"].offences == {"wrong-lead": 1, "withheld-card": 1}
    assert by_seat["b"].offences == {"withheld-card": 1, "match": 1}
    assert [one.penalty_cost[CHIPS] for one in by_seat.values()] == [3, 10, 0, 0]
    together = totals_of_all(nights)
    bought = {**by_seat, "all": together}
    assert {seat: one.dummies for seat, one in bought.items()} == {"a": 0, "b": 1, "c": 0, "d": 1, "all": 2}
    cost_and_won = {seat: (one.dummy_cost[CHIPS], one.dummy_won[CHIPS]) for seat, one in bought.items() if one.dummies}
    assert cost_and_won == {"b": (3, 13), "d": (4, -1), "all": (7, 12)}


def test_chips_of_different_worth_are_never_added() -> None:
    nights = played([rummy(), rummy({"money.cents": 5}, "two"), rummy({"money.cents": 10, "money.chips": 2}, "three")])
    assert totals_of(nights, "c").net == {CHIPS: 33, NICKELS: 66, MONEY: 330}
    assert totals_of(nights, "c").nights_in == {CHIPS: 1, NICKELS: 2, MONEY: 2}
    assert totals_of(nights, "d").dummy_cost == {CHIPS: 4, NICKELS: 8}


def test_score_games_have_points_of_their_own_and_rounds_won() -> None:
    nights = played([score_night("snake-two-penalties"), rummy()])
    found = totals_of(nights, "w")
    assert found.net[Unit("points", game="michigan-rummy-snake")] == 132
    assert (found.rounds, found.rounds_won, found.outs) == (1, 1, 0)
    assert totals_of(nights, "x").offences == {"false-rummy": 1}


def test_streaks_of_nights_break_at_another_winner_and_not_at_a_night_missed() -> None:
    def night(code: str, day: int, results: Mapping[str, int]) -> FullSummary:
        base = rummy(code=code)
        best = max(results.values())
        place = {net: 1 + sum(other > net for other in results.values()) for net in results.values()}
        seats = tuple(replace(base.seats[0], seat=seat, net=net, place=place[net]) for seat, net in results.items())
        winners = tuple(seat for seat, net in results.items() if net == best)
        began = f"2026-03-{day:02}T20:00:00Z"
        return replace(base, seats=seats, winners=winners, began_at=began)

    nights = played(
        [
            night("e", 5, {"a": -5, "b": 5}),
            night("a", 1, {"a": 5, "b": -5}),
            night("d", 4, {"a": 3, "b": -3}),
            night("b", 2, {"b": 0, "c": 0}),
            night("c", 3, {"a": 7, "b": -7}),
        ]
    )
    assert [night.day.day for night in nights if night.day] == [1, 2, 3, 4, 5]
    assert (totals_of(nights, "a").longest_won, totals_of(nights, "a").longest_lost) == (3, 1)
    assert (totals_of(nights, "b").longest_won, totals_of(nights, "b").longest_lost) == (1, 2)
    assert times_ahead(nights, "a", "b") == (3, 1, 0)
    assert totals_of(chosen(nights, group="ab"), "a").net == {CHIPS: 10}
    assert cumulative(nights, CHIPS, "a") == [5, 5, 12, 15, 10]
    assert times_ahead(nights, "b", "c") == (0, 0, 1)


def test_what_is_won_in_a_hand_comes_from_its_losers_in_proportion_and_counts_from_five_nights_on() -> None:
    base = rummy()
    won = (
        (6, -2, -4, 0),  # a wins 2 from b and 4 from c
        (-3, -3, 3, 0),  # half of what was lost lies on the board: c wins 1 1/2 from each
        (9, -3, 0, 0),  # the board gave 6: a wins 3 from b
    )
    summary = replace(base, figures=replace(base.figures, won=won))
    nights = played([replace(summary, code=f"n{at}") for at in range(5)])
    assert rivals(nights, "a", CHIPS) == [Rival("b", 25, 5), Rival("c", 13, 5), Rival("d", 0, 5)]  # 12 1/2
    assert rivals(nights, "b", CHIPS) == [Rival("d", 0, 5), Rival("c", -8, 5), Rival("a", -25, 5)]
    assert rivals(nights[:4], "a", CHIPS) == []
    assert rivals(nights, "a", MONEY) == rivals(nights, "a", NICKELS) == []
    nickels = [replace(one.summary, money=(2, 10)) for one in nights]
    assert rivals(played(nickels), "a", MONEY)[0] == Rival("b", 125, 5)
    twice = played([one.summary for one in nights], lambda _code, seat: "a" if seat == "c" else seat)
    assert rivals(twice, "a", CHIPS)[0] == Rival("b", 33, 5), "25 and what c won from b; nothing from oneself"


def test_the_best_partner_is_at_the_table_of_better_nights_than_all() -> None:
    base = rummy()  # a -21, b -23, c 33, d 11
    without_b = replace(base, seats=tuple(one for one in base.seats if one.seat != "b"))
    worse = replace(without_b, seats=tuple(replace(one, net=-50) for one in without_b.seats))
    nights = played([replace(base, code=f"n{at}") for at in range(5)] + [replace(worse, code="w")])
    assert best_partner(nights, "a", CHIPS) == Rival("b", -21, 5)
    assert best_partner(nights[:4], "a", CHIPS) is None
    assert best_partner(nights[:5], "a", CHIPS) is None, "no better than all nights"
    assert {count: len(some) for count, some in nights_by_players(nights).items()} == {3: 1, 4: 5}
    assert nights_by_players(nights[:4]) == {}


def test_each_pot_has_how_often_it_paid_and_how_big_it_grew() -> None:
    lines = {pot.label: (pot, hands) for pot, hands in pot_lines(played([rummy(), rummy(code="two")]))}
    shown = {label: (hands, one.times, one.chips, one.most) for label, (one, hands) in lines.items()}
    assert shown["10"] == (8, 4, 40, 15)
    assert shown["K"] == (8, 2, 10, 15)  # grew on after it was taken, and stayed
    assert shown["Poker"] == (8, 8, 40, 6)
    assert list(lines)[:2] == ["10", "Q"]


def test_a_night_that_goes_on_or_had_no_hand_counts_nowhere() -> None:
    going_on, empty = replace(rummy(), phase="play"), replace(rummy(), hands=0)
    assert played([going_on, empty]) == []
    given_up = kitty("pqr").hand("p").record("abandon").record("end")
    one = summarize(given_up.preset, given_up.entries, given_up.steps)
    assert (one.hands, one.winners, ladder_nights([one], POINTS), played([one])) == (0, (), [], [])


def test_a_score_game_is_no_night_of_somebody_who_has_played_no_round() -> None:
    nights = played([score_night("hearts-comes-late-and-leaves")])
    assert people_of(nights) == ["a", "b", "c", "d"]
    assert [(one.seat, one.hands, one.score) for one in nights[0].summary.seats][-2:] == [("d", 1, 10), ("e", 0, 0)]
    assert totals_of(nights, "e").nights == 0


def test_a_seat_of_nobody_counts_in_the_nights_and_for_no_person_and_somebody_in_two_seats_is_one_person() -> None:
    nights = played([rummy()], lambda _code, seat: None if seat == "c" else seat)
    assert people_of(nights) == ["a", "b", "d"]
    assert totals_of_all(nights).pots == sum(seat.pots for seat in nights[0].summary.seats)
    assert nights[0].people == ("a", "b", NO_ONE, "d")
    nights = played([rummy()], lambda _code, seat: "a" if seat == "c" else seat)
    assert (totals_of(nights, "a").net, totals_of(nights, "a").won) == ({CHIPS: 33 - 21}, 1)


# Which nights


def test_since_easter_is_since_the_last_one_of_the_calendar_and_both_ends_of_a_season_belong_to_it() -> None:
    sundays = ("1961-04-02", "2000-04-23", "2024-03-31", "2025-04-20", "2026-04-05", "2038-04-25", "2285-03-22")
    assert [easter(int(sunday[:4])).isoformat() for sunday in sundays] == [*sundays]
    for day, in_year in ((date(2026, 4, 4), 2025), (easter(2026), 2026), (date(2026, 12, 31), 2026)):
        assert since_easter(day).first == easter(in_year)
    days = (date(2026, 1, 1), date(2026, 12, 31), date(2025, 12, 31), None)
    assert [year(2026).has(day) for day in days] == [True, True, False, False]
    assert Season().has(None)


def test_a_group_is_the_nights_at_which_all_of_it_sat() -> None:
    nights = played([rummy(), rummy(code="two")], lambda code, seat: None if (code, seat) == ("two", "d") else seat)
    assert [one.summary.code for one in chosen(nights, group="ad")] == ["one"]
    assert len(chosen(nights, "michigan-rummy", "ab")) == 2
    assert chosen(nights, "michigan-kitty") == []


# Several nights


def test_totals_of_several_nights_are_the_sum_of_those_of_each() -> None:
    dated = [(rummy(), 1), (score_night("snake-two-penalties"), 2), (rummy({"money.cents": 5}, "two"), 3)]
    nights = played([replace(one, began_at=f"2026-03-0{day}T20:00:00Z") for one, day in dated])
    for person in people_of(nights):
        whole, *parts = (totals_of(some, person) for some in (nights, *([night] for night in nights)))
        for name in {one.name for one in fields(Totals)} - {"richest"}:
            each = [getattr(part, name) for part in parts]
            if name in ("longest_outs", "longest_wait"):
                assert getattr(whole, name) == max(each), name
            elif isinstance(each[0], Counter):
                together = Counter[Any]()
                for one in each:
                    together.update(one)
                assert getattr(whole, name) == together, name
            elif not name.startswith("longest"):
                assert getattr(whole, name) == sum(each), name
        richest = [part.richest.taken.chips for part in parts if part.richest]
        assert (whole.richest.taken.chips if whole.richest else 0) == max(richest, default=0)


def test_two_seats_of_one_name_are_one_person_with_the_better_place_in_the_ladder() -> None:
    night = CoreNight("hearts", "").record("sit", seat="a", name="Ann").record("sit", seat="b", name="Ben")
    night.record("sit", seat="x", name="ann").record("scores", points={"a": 9, "b": 5, "x": 3}).record("end")
    [found] = ladder_nights([summarize(night.preset, night.entries, night.steps)], POINTS)
    assert {seat.seat: seat.score for seat in found.summary.seats} == {"a": 0, "b": 0, "x": 2}


def with_moments(code: str, *moments: Moment) -> FullSummary:
    night = rummy(code=code)
    return replace(night, figures=replace(night.figures, moments=moments))


def test_a_year_has_the_greatest_of_each_kind() -> None:
    small, great = Moment("pot", ("a",), 1, 30, 30), Moment("pot", ("b",), 2, 45, 45)
    hand, deep = Moment("hand", ("a",), 3, 12, 12), Moment("comeback", ("b",), 4, 20, -20)
    nights = played([with_moments("one", small, deep), with_moments("two", hand, great), with_moments("three", small)])
    found = {moment.kind: (night.summary.code, moment) for night, moment in year_moments(nights)}
    assert found == {"pot": ("two", great), "hand": ("two", hand), "comeback": ("one", deep)}
    assert year_moments([]) == []


# What statistics keep of a night: figures of nights worked out by hand, times, and that no hand given up counts


BEGAN = datetime(2026, 3, 7, 20, tzinfo=UTC)


def named(summary: FullSummary, seat: int) -> str:
    return summary.seats[seat].seat


def test_hands_and_rounds_have_who_dealt_and_won_and_pots_what_they_had_grown_to_for_each_who_shared_them() -> None:
    night = rummy()
    hands = [(one.hand, named(night, one.dealer), named(night, one.winner)) for one in rows_of(night).hands]
    assert hands == [(1, "a", "b"), (2, "b", "c"), (3, "c", "a"), (4, "d", "c")]
    pots = [pot.id for pot in night.figures.pots]
    taken = {(one.hand, pots[one.pot], named(night, one.seat)): one[3:] for one in rows_of(night).taken}
    assert taken[1, "king-clubs", "c"] == (5, 1, 1)
    assert taken[3, "king-queen-hearts", "d"] == (15, 3, 1)
    assert taken[4, "ten-hearts", "c"] == (15, 3, 1)  # emptied in the first hand
    assert taken[2, "poker", "b"] == taken[2, "poker", "d"] == (2, 1, 2)  # and the odd chip stays
    assert taken[3, "poker", "c"] == (6, 1, 1)
    needs("rum")
    snake = score_night("snake-two-penalties")
    assert [(one.hand, one.dealer, named(snake, one.winner)) for one in rows_of(snake).hands] == [(1, NOBODY, "w")]
    assert snake.seats[snake.place_of["w"]].score == 132
    assert {one.seat: one.penalty_cost for one in snake.seats if one.penalties} == {"x": 20, "y": 20}


def test_a_pot_that_was_given_back_in_its_hand_has_grown_through_it() -> None:
    night = rummy_night("abc", bar__scope="whole_hand_refund").hand("a").collect("b", "king-clubs")
    night.withholds("b", "H").out("c", a=1, b=1).hand("b").collect("a", "king-clubs")
    summary = full(summarize(night.preset, night.entries, night.steps))
    pots = [pot.id for pot in summary.figures.pots]
    grown = [(one.hand, one.grown) for one in rows_of(summary).taken if pots[one.pot] == "king-clubs"]
    assert grown == [(2, 2)]
    ends = hand_ends(state for _, _, state in night.steps)
    assert [(one.hand, one.hands_grown) for one in pots_taken(ends) if one.pot == "king-clubs"] == grown


def test_rows_hold_numbers_of_any_size_and_refuse_half_a_row() -> None:
    big = PotShare(1, 2, 3, 2**40, 5, 1)
    assert made(NightRows, plain(NightRows((), (big, big))._asdict())) == NightRows((), (big, big))
    with pytest.raises(ValueError, match="shorter"):
        made(PotShare, [1, 2, 3])


# The best moments


def moments(*hands: tuple[str, str, dict[str, str]]) -> dict[str, Moment]:
    """Return the moments of hands, each told by its dealer, who went out, and who took which pots."""
    night = rummy_night("abc", poker__when="off")
    for dealer, winner, taken in hands:
        night.hand(dealer)
        for pot, seat in taken.items():
            night.collect(seat, pot)
        night.out(winner, **dict.fromkeys({*"abc"} - {winner}, 2))
    return {moment.kind: moment for moment in best_moments((state for _, _, state in night.steps), most=6)}


def test_three_hands_won_in_a_row_are_a_streak() -> None:
    taken = {"ace-hearts": "b", "king-clubs": "b"}
    streak = moments(*((dealer, "b", taken) for dealer in "abc"), ("a", "c", {}))["streak"]
    assert (streak.seats, streak.times, streak.hand, streak.is_in_a_row) == (("b",), 3, 3, True)
    assert streak.weight == 16


def test_the_best_hand_is_left_out_where_it_is_the_richest_pot() -> None:
    hands = [("a", "b", dict[str, str]()), ("b", "c", dict[str, str]())]
    same = moments(*hands, ("c", "a", {"queen-hearts": "a"}))
    assert same["pot"].seats == ("a",)
    assert "hand" not in same
    other = moments(*hands, ("c", "b", {"queen-hearts": "a", "ace-hearts": "b", "king-clubs": "b"}))
    assert (other["pot"].seats, other["hand"].seats) == (("a",), ("b",))
    assert moments() == {}


# How long was played


def timed(recorded: Sequence[Event], seconds: Sequence[int]) -> list[Entry]:
    """Return a log whose entries were recorded so many seconds after BEGAN."""
    times = [(BEGAN + timedelta(seconds=one)).isoformat() for one in seconds]
    return [Entry(at, event, f"e{at}", time) for at, (event, time) in enumerate(zip(recorded, times, strict=True), 1)]


def time_of(preset: Preset, entries: Sequence[Entry]) -> PlayingTime | None:
    return playing_time(entries, log.replay_accepted(preset, entries, amended)[0])


def two_hands() -> tuple[Preset, list[Event]]:
    """Return a night of two hands: three sit, hand 1 has three events, hand 2 two, then the end."""
    night = rummy_night("abc")
    for dealer, winner in (("a", "b"), ("b", "a")):
        night.hand(dealer).out(winner, **{one: 1 for one in "abc" if one != winner}).record("poker", winners=["c"])
    night.record("end")
    return night.preset, [one.event for one in night.entries]


def test_a_hand_lasts_until_the_next_and_a_break_is_no_play() -> None:
    preset, recorded = two_hands()
    sits, hands = [0, 10, 20], [100, 110, 400, 420, 1021, 1030, 1330, 1350]
    found = time_of(preset, timed(recorded, [*sits, *hands, 1940]))
    assert found == PlayingTime((320, 329 + 590), (1, 2), 590)
    assert (found.played, found.longest_hand) == (1239, 2)
    late: list[Event] = [Amend(1, {"name": "Zoe"}), Move("a", "bank", Amount(1), Text("")), Undo(len(recorded) + 1)]
    corrected = [*recorded[:-1], *late, recorded[-1]]
    assert found == time_of(preset, timed(corrected, [*sits, *hands, 999_999, 1_000_000, -9000, 1940])), "however late"

    hands[2] = 60  # a clock that goes back
    given_up = [*recorded[:-1], Hand("c"), NoSale(), Abandon(), recorded[-1]]
    found = time_of(preset, timed(given_up, [*sits, *hands, 1400, 1500, 1600, 1700]))
    assert found == PlayingTime((10 + 360, 9 + 300 + 20 + 50), (1, 2), 360)


def test_a_score_game_begins_with_the_last_who_sat_down_and_a_round_lasts_until_it_is_written_down() -> None:
    preset = built_in("score-sheet")
    recorded: list[Event] = [Sit(SeatId(seat), Name(seat)) for seat in "ab"]
    recorded += [scores({"a": Points(at), "b": Points(3)}) for at in range(3)]
    found = time_of(preset, timed(recorded, [0, 500, 800, 1000, 1600]))
    assert found == PlayingTime((300, 200, 600), (1, 2, 3), 600)


def test_a_log_without_times_of_the_play_says_nothing() -> None:
    preset, recorded = two_hands()
    entries = timed(recorded, [at * 60 for at in range(len(recorded))])
    assert time_of(preset, entries)
    for at in (None, "", "yesterday"):
        assert time_of(preset, [*entries[:-1], replace(entries[-1], at=at)]) is None
    assert time_of(preset, []) is None
    for says, times in {
        "all at once, as a file that was brought in": [0] * 12,
        "faster than anybody plays": [*range(12)],
        "a break in every hand": [at * 700 for at in range(12)],
    }.items():
        assert time_of(preset, timed(recorded, times[: len(recorded)])) is None, says


def test_two_of_five_hands_that_were_given_up_are_no_hands() -> None:
    night = with_two_given_up()
    one = full(summarize(night.preset, night.entries, night.steps))
    quin = one.seats[one.place_of["q"]]
    assert (one.hand, one.hands, [seat.hands for seat in one.seats]) == (5, 3, [3, 3, 3])
    assert (quin.wins, quin.wins_in_a_row) == (3, 3)
    [streak] = [moment for moment in one.figures.moments if moment.kind == "streak"]
    assert (streak.times, streak.is_in_a_row) == (3, True)
