"""Statistics over nights: figures worked out by hand, and what holds for any nights, however they were recorded."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import date
from typing import Any

from extras.statistics.played_nights import played, rummy, score_night
from support.core_nights import CoreNight, kitty

from tracker.extras._night_summaries.summarize import summarize
from tracker.extras.statistics.details import FullSummary
from tracker.extras.statistics.ladder import POINTS, ladder_nights
from tracker.extras.statistics.moments import Moment
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


def test_since_easter_is_since_the_last_one_of_the_calendar() -> None:
    sundays = ("1961-04-02", "2000-04-23", "2024-03-31", "2025-04-20", "2026-04-05", "2038-04-25", "2285-03-22")
    assert [easter(int(sunday[:4])).isoformat() for sunday in sundays] == [*sundays]
    for day, in_year in ((date(2026, 4, 4), 2025), (easter(2026), 2026), (date(2026, 12, 31), 2026)):
        assert since_easter(day).first == easter(in_year)


def test_both_ends_of_a_season_belong_to_it() -> None:
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
    night.record("sit", seat="x", name="ann").record("scores", points={"a": 3, "b": 5, "x": 9}).record("end")
    [found] = ladder_nights([summarize(night.preset, night.entries, night.steps)], POINTS)
    assert {seat.seat: seat.score for seat in found.summary.seats} == {"a": 2, "b": 0, "x": 0}


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
