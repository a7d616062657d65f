"""Score sheets: points added up, ends, winners and money, also for people who come late, leave and come back."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import floor
from random import Random
from typing import Any

import pytest
from extras._shared.score_nights import score_sheet, snake
from hypothesis import example, given, strategies as st
from support.core_nights import CoreNight, keys_of

from tracker.core import events, log
from tracker.core.payment_list import nets, nets_in_cents
from tracker.core.queries.summary import leaders, ranking, summary
from tracker.extras.points.rules import is_odd_sum
from tracker.formats.codec import amended, entry_from


def round_(night: CoreNight, *points: int) -> CoreNight:
    return night.record("scores", points=dict(zip(night.night.seats, points, strict=True)))


@pytest.mark.parametrize("points", [{"w": 1, "x": 0, "y": -5}, {"w": 1, "x": -1, "y": -1}])
def test_where_only_the_winner_is_written_down_the_others_get_nothing_else(points: dict[str, int]) -> None:
    night = score_sheet("wxy", **{"points.entry": "winner"})
    assert "gets 1 point, the others 0" in str(night.refusal("scores", points=points))
    entry = entry_from({"kind": "scores", "points": points}, 4)
    _, opened = log.replay_accepted(night.preset, [*night.entries, entry], amended)  # a stored night opens
    assert (opened.failure is None) == (points["x"] == 0)  # the second was never taken


@pytest.mark.parametrize(
    ("points", "is_odd"),
    [((20, 6, 0), False), ((0, 26, 26), False), ((-26, 0, 0), False), ((26, 0, 0), False), ((20, 7, 0), True),
     ((26, 26, 0), False), ((26, 26, 26), True), ((26, 0, -26), True), ((0, 0, 0), True)],
)  # fmt: skip
def test_a_sum_is_odd_unless_one_took_it_all_or_it_is_the_houses(points: tuple[int, ...], *, is_odd: bool) -> None:
    said = dict(zip("wxy", points, strict=True))
    assert is_odd_sum(score_sheet("wxy", **{"points.sum": 26}).night, said) == is_odd
    assert not is_odd_sum(score_sheet("wxy").night, said)


def test_tied_winners_share_the_payments_odd_points_clockwise() -> None:
    night = round_(score_sheet("wxy", **MONEY, **{"points.pay": "winner"}), 12, 12, 5).night
    assert nets_in_cents(night) == {"w": 40, "x": 30, "y": -70}


def test_whoever_completes_the_tenth_phase_wins_and_of_several_the_fewest_points() -> None:
    night = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
    assert night.preview(events.End(("b",))).completed == {"b"}
    for winners, won, places in (
        ([], ["a"], {"a": 1, "b": 2, "c": 3}),
        (["b"], ["b"], {"b": 1, "a": 2, "c": 3}),
        (["c", "b"], ["b"], {"b": 1, "c": 2, "a": 3}),
    ):
        ended = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
        ended.record("end", winners=winners)
        assert (ended.winners, {one.seat: one.place for one in ranking(ended.night)}) == (won, places)
        assert nets(ended.night) == {"a": 90, "b": -30, "c": -60}
    late = night.record("sit", seat="d", name="D")
    assert str(late.refusal("end", winners=["d"])) == "D has played nothing, so can’t win"
    assert str(score_sheet("wx").refusal("end", winners=["w"])) == "at this table the points alone decide who has won"


# People come late, leave and come back: who wins, and what is paid, against a second computation


PEOPLE = "abcdef"
CHANCE = st.integers(0, 2**16).map(Random)
MONEY = {"money.chips": 1, "money.cents": 10}


def hearts(*rounds_played: dict[str, int], people: str = "abc", **rules: Any) -> CoreNight:
    """Return a night of Hearts, a point worth 0.10, with these rounds."""
    night = CoreNight("hearts", people, options=MONEY | keys_of(rules))
    for points in rounds_played:
        night.record("scores", points=points)
    return night


# The second computation


@dataclass
class Sheet:
    """A score sheet kept by hand."""

    wins: str
    pay: str
    late: str
    here: list[str] = field(default_factory=list)
    began: dict[str, int] = field(default_factory=dict)
    played: list[dict[str, int]] = field(default_factory=list)
    paused: list[set[str]] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    left_at: dict[str, int] = field(default_factory=dict)
    """How many rounds there had been when somebody stopped playing, and has not played again."""

    def sum(self, seat: str) -> int:
        if not self.has_played(seat):
            return 0 if self.is_in_time(seat) else self.begins()
        worse = max if self.wins == "low" else min
        return worse(self.own(seat), self.begins()) if self.is_back(seat) else self.own(seat)

    def own(self, seat: str) -> int:
        return self.began[seat] + sum(points.get(seat, 0) for points in self.played)

    def is_in_time(self, seat: str) -> bool:
        """Return whether somebody was there in the first round: paused in it, if not played."""
        return bool(self.played) and seat in (*self.played[0], *self.paused[0])

    def is_back(self, seat: str) -> bool:
        """Return whether somebody at the table has stopped for some rounds, and has not played since."""
        is_here = seat in self.here and self.has_played(seat)
        return is_here and self.left_at.get(seat, len(self.played)) < len(self.played)

    def has_played(self, seat: str) -> bool:
        return any(seat in points for points in self.played)

    def sit(self, seat: str) -> None:
        self.here.append(seat)
        if self.played:
            self.waiting.add(seat)
            self.left_at.setdefault(seat, len(self.played))

    def leave(self, seat: str) -> None:
        self.here.remove(seat)
        self.left_at.setdefault(seat, len(self.played))

    def begins(self) -> int:
        sums = [self.own(other) for other in self.here if self.has_played(other) and not self.is_back(other)]
        if sums and self.late == "average":
            return floor(Fraction(sum(sums), len(sums)) + Fraction(1, 2))
        if sums and self.late == "worst":
            return max(sums) if self.wins == "low" else min(0, *sums)
        return 0

    def round(self, points: dict[str, int], paused: set[str]) -> None:
        began = {seat: self.sum(seat) for seat in points if not self.has_played(seat)}
        began |= {seat: self.began[seat] + self.sum(seat) - self.own(seat) for seat in points if self.is_back(seat)}
        self.began |= began
        for seat in points:
            self.left_at.pop(seat, None)
        for seat, rounds_before in self.left_at.items():
            if seat in paused and rounds_before == len(self.played):
                self.left_at[seat] += 1  # a pause is no stop
        self.played.append(points)
        self.paused.append(paused)
        self.waiting.clear()

    def better(self, seat: str, other: str) -> int:
        """Return by how many points one is better than another in the rounds that both have played."""
        both = [points for points in self.played if seat in points and other in points]
        ahead = sum(points[seat] for points in both) - sum(points[other] for points in both)
        return -ahead if self.wins == "low" else ahead

    def winners(self) -> set[str]:
        sums = {seat: self.sum(seat) for seat in self.here if self.has_played(seat)}
        best = (min if self.wins == "low" else max)(sums.values(), default=0)
        return {seat for seat in sums if sums[seat] == best}

    def nets(self) -> dict[str, Fraction]:
        """Return what everybody gets or pays, before odd points are given to whole people."""
        found = dict.fromkeys(PEOPLE, Fraction(0))
        won = self.winners()
        for one, other in combinations(PEOPLE, 2):
            points = Fraction(self.better(one, other))
            if self.pay == "winner" and (one in won) == (other in won):
                continue
            if self.pay == "winner":
                points = (max(points, Fraction(0)) if one in won else min(points, Fraction(0))) / len(won)
            found[one] += points
            found[other] -= points
        return found


def play(chance: Random) -> tuple[CoreNight, Sheet]:
    """Play a random night at which people come, leave and come back."""
    sheet = Sheet(
        chance.choice(("low", "high")), chance.choice(("each", "winner")), chance.choice(("worst", "average", "zero"))
    )
    rules = {"points.wins": sheet.wins, "points.pay": sheet.pay, "points.late": sheet.late, **MONEY}
    night = CoreNight("score-sheet", "", options=rules)
    coming = chance.sample(PEOPLE, chance.randint(2, 4))
    for _ in range(chance.randint(1, 12)):
        for seat in coming:
            night.record("sit", seat=seat, name=seat.upper())
            sheet.sit(seat)
        must = [seat for seat in sheet.here if seat not in sheet.waiting]
        there = [seat for seat in sorted(sheet.here) if seat in must or chance.random() < 0.5]
        paused = {seat for seat in there if chance.random() < 0.15}
        players = [seat for seat in there if seat not in paused]
        if len(players) > 1:
            points = {seat: chance.randint(-20, 30) for seat in players}
            night.record("scores", points=points, **({"sits_out": sorted(paused)} if paused else {}))
            sheet.round(points, paused)
        for seat in sorted(sheet.here):
            if chance.random() < 0.15:
                night.record("leave", seat=seat)
                sheet.leave(seat)
        coming = [seat for seat in PEOPLE if seat not in sheet.here and chance.random() < 0.25]
    return night, sheet


@given(CHANCE)
@example(Random(22793))  # somebody comes back, pauses, and leaves and comes back again
def test_a_score_sheet_is_settled_and_won_as_a_second_computation_has_it(chance: Random) -> None:
    night, sheet = play(chance)
    found, expected = nets(night.night), sheet.nets()
    if not sheet.here:
        return  # nobody is left: what then holds is a test of its own
    assert sum(found.values()) == 0
    assert set(leaders(night.night)) == sheet.winners()
    assert {seat: night.scores[seat] for seat in sheet.here} == {seat: sheet.sum(seat) for seat in sheet.here}
    for seat, net in found.items():
        assert abs(net - expected[seat]) < 1
        if sheet.pay == "each" or len(sheet.winners()) == 1:
            assert net == expected[seat]
        if not sheet.has_played(seat):
            assert (net, nets_in_cents(night.night)[seat]) == (0, 0)
            assert seat not in leaders(night.night)


# Worked by hand


def test_everybody_at_the_table_has_points_or_pauses_and_two_play() -> None:
    with_all, part, pause = {"a": 1, "b": 2, "c": 3}, "plays no part in this round", "so does not pause"
    for points, sits_out, said in (
        ({}, "", "how many points for A, B, C?"),
        ({"a": 1, "b": 2}, "", "how many points for C?"),
        ({**with_all, "d": 4}, "", f"d {part}"),
        ({"a": 1, "b": 2}, "d", f"d has points or is not at the table, {pause}"),
        (with_all, "c", f"C has points or is not at the table, {pause}"),
        ({"a": 1}, "bc", "a round needs at least two people"),
    ):
        assert str(hearts().refusal("scores", points=points, sits_out=[*sits_out])) == said


def test_of_a_table_that_everybody_has_left_those_who_played_are_settled() -> None:
    night = hearts({"a": 10, "b": 12, "c": 4}, points__pay="winner").record("sit", seat="d", name="D")
    for seat in "abcd":
        night.record("leave", seat=seat)
    assert (night.winners, nets(night.night)) == (["c"], {"a": -6, "b": -8, "c": 14, "d": 0})


# The snake


def test_in_the_snake_each_deal_is_settled_among_those_who_played_it() -> None:
    night = snake("wxy").record("rummy", seat="w", hands={"x": 10, "y": 20})
    night.record("leave", seat="w").record("sit", seat="z", name="Z")
    night.record("rummy", seat="y", hands={"x": 5}).record("rummy", seat="z", hands={"x": 1, "y": 1}).record("end")
    assert night.scores == {"w": 30, "x": -16, "y": -16, "z": 2}
    assert night.winners == ["z"]
    assert sum(one["chips"] for one in summary(night.night)["payments"] if one["creditor"] == "w") == 30
