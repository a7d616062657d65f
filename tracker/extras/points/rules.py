"""A plain score sheet for any card game in rounds: the sums say who has won, money is settled round by round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, cast

from tracker.core import settlement
from tracker.core.apply import EVERY_GAME
from tracker.core.errors import BadEvent, NotAllowed
from tracker.core.events import End, Event, Score
from tracker.core.game import Game, Handler, with_best_points
from tracker.core.house_rules import AT_HOME, END, MONEY, NO_MONEY, OWN, RuleSet, house_rule
from tracker.core.night import LOBBY, PAUSES, PLAY, PLAYS, Night, Settled
from tracker.core.preset import Preset
from tracker.core.settlement import in_money
from tracker.extras._score.deals import require_two_people, returned_after, with_deal, with_late_comers


@dataclass(frozen=True)
class PointRules(RuleSet):
    """The house rules of score sheets alone."""

    points_wins: Literal["high", "low"] = house_rule("points.wins", "high", AT_HOME)
    points_entry: Literal["points", "winner"] = house_rule("points.entry", "points", AT_HOME)
    points_sum: int | Literal["any"] = house_rule(
        "points.sum", "any", AT_HOME, high=10_000, idle={"points.entry": ("winner",)}
    )
    points_dealer: Literal["on", "off"] = house_rule("points.dealer", "off", AT_HOME)
    points_pause: Literal["nobody", "dealer"] = house_rule(
        "points.pause", "nobody", AT_HOME, idle={"points.dealer": ("off",)}
    )
    points_completed: Literal["off", "wins"] = house_rule("points.completed", "off", AT_HOME)
    points_late: Literal["worst", "average", "zero"] = house_rule("points.late", "zero", AT_HOME)
    points_pay: Literal["each", "winner"] = house_rule("points.pay", "each", AT_HOME, idle=NO_MONEY)


class Scores(Event, kind="scores", ends_deal=True):
    """Everybody's points of a round; where only the winner is written down, 1 for that person and 0 for the others."""

    points: Mapping[str, Score]
    sits_out: tuple[str, ...] = ()
    """Who pauses in this round: no points, and no part in what it comes to."""


def rules(night: Night) -> PointRules:
    """Return the house rules of a night of this game."""
    return cast(PointRules, night.house_rules)


_ONE_WINNER = "at this table one person wins the round and gets 1 point, the others 0"


def scores(night: Night, event: Scores) -> Night:
    """Write down a round's points; BadEvent unless exactly those at the table, newcomers aside, have some or pause."""
    night.require_phase(LOBBY, PLAY)
    require_two_people(night)
    for seat in event.points:
        if seat not in night.seats:
            raise BadEvent("{seat} plays no part in this round", seat=night.name(seat), field="points")
    for seat in event.sits_out:
        if seat not in night.seats or seat in event.points:
            name = night.name(seat)
            raise BadEvent("{seat} has points or is not at the table, so does not pause", seat=name, field="sits_out")
    excused = night.newcomers.union(event.sits_out)
    missing = [night.name(seat) for seat in night.seats if seat not in event.points and seat not in excused]
    if missing:
        raise BadEvent("how many points for {names}?", names=", ".join(missing), field="points")
    if len(event.points) < 2:
        raise NotAllowed("a round needs at least two people")
    points: dict[str, int] = {seat: event.points[seat] for seat in night.seats if seat in event.points}
    if rules(night).points_entry == "winner" and sorted(points.values())[-2:] != [0, 1]:
        raise BadEvent(_ONE_WINNER, field="points")
    best = _best(night, list(points.values()))
    paused = tuple(seat for seat in night.seats if seat in event.sits_out)
    round_ = Settled(tuple(seat for seat in points if points[seat] == best), points, (), points, sits_out=paused)
    return with_deal(night, round_, dealer=dealer_now(night), returned=returned_after(night, round_))


def require_one_winner(night: Night, event: Scores) -> None:
    """Raise BadEvent for other points than 1 and 0 where only who won a round is written down."""
    if rules(night).points_entry == "winner" and sorted(set(event.points.values())) != [0, 1]:
        raise BadEvent(_ONE_WINNER, field="points")


def is_odd_sum(night: Night, points: Mapping[str, int]) -> bool:
    """Return whether a round's points don't come to what the house rule `points.sum` says.

    One person may have taken all of them, and then have given them to each other one (0 for oneself), or have them off.
    """
    total, said = rules(night).points_sum, sorted(points.values())
    if not isinstance(total, int):
        return False
    return sum(said) != total and said not in ([-total, *[0] * (len(said) - 1)], [0, *[total] * (len(said) - 1)])


def _best(night: Night, points: Sequence[int]) -> int:
    return min(points) if rules(night).points_wins == "low" else max(points)


def dealer_now(night: Night) -> str | None:
    """Return who deals the present round: the first who sat down, then clockwise; None at an empty table."""
    return night.next_dealer() or next(iter(night.seats), None)


def proposed_pauses(night: Night) -> tuple[str, ...]:
    """Return who pauses in the present round where nothing else is said: the dealer, where the house has it so."""
    dealer = dealer_now(night)
    pauses = rules(night).points_dealer == "on" and rules(night).points_pause == "dealer"
    return (dealer,) if pauses and dealer and len(night.seats) > 2 else ()


def pausing(night: Night, said: Mapping[str, str]) -> tuple[str, ...]:
    """Return who pauses in the present round, by what was said of each (PAUSES or PLAYS), else as it is proposed."""
    proposed = proposed_pauses(night)
    return tuple(seat for seat in night.seats if said.get(seat, PAUSES if seat in proposed else PLAYS) == PAUSES)


def differences(night: Night) -> dict[str, int]:
    """Return what each seat gets (+) or pays (-) in points; these sum to zero.

    Each round is settled among those who played it: everybody has the difference with everybody else. Where everybody
    pays the winner, only the differences with whoever wins the night count.
    """
    if rules(night).points_pay == "winner":
        return _paid_to(night, with_best_points(night))
    nets = dict.fromkeys(night.all_seats, 0)
    for round_ in night.deals:
        total = sum(round_.change.values())
        for seat, points in round_.change.items():
            nets[seat] += _sign(night) * (len(round_.change) * points - total)
    return nets


def _paid_to(night: Night, won: Sequence[str]) -> dict[str, int]:
    """Return the nets where everybody pays the winners in equal parts for rounds of both; odd points go clockwise."""
    nets = dict.fromkeys(night.all_seats, 0)
    for winner in won:
        for seat in nets.keys() - set(won):
            owed = max(0, _ahead(night, winner, seat))
            nets[winner] += owed
            nets[seat] -= owed
    return in_money(nets, chips=max(1, len(won)), cents=1)  # so far each has counted once for each winner


def _ahead(night: Night, seat: str, other: str) -> int:
    """Return how many points `seat` is better than `other` over the rounds that both have played."""
    both = [one.change for one in night.deals if seat in one.change and other in one.change]
    return _sign(night) * sum(points[seat] - points[other] for points in both)


def _sign(night: Night) -> int:
    return -1 if rules(night).points_wins == "low" else 1


def asks_completed(night: Night) -> bool:
    """Return whether the end asks who completed the last task of the game, and so has won."""
    return night.preset["points.completed"] == "wins" if night.players and night.preset.game == "points" else False


def end(night: Night, event: End) -> Night:
    """End the night; where that decides who has won, with who completed the last task of the game."""
    if not asks_completed(night):
        return settlement.end(night, event)
    ended = settlement.end(night, End())
    for seat in event.winners:
        if night.require_seated(seat) not in night.players:
            raise NotAllowed("{name} has played nothing, so can’t win", name=night.name(seat))
    return replace(ended, completed=frozenset(event.winners))


ASKS_ZERO = "asks_zero"
"""The key by which a stored preset says that a round’s points come to 0: earlier that number meant any sum."""


class PointGame(Game):
    """A score sheet."""

    name = "points"
    rules = PointRules
    rule_groups = (END, OWN, MONEY)
    order = 30
    package = __package__
    presets = ("score-sheet", "rummy-500", "contract-rummy", "hearts", "ten-phases")
    nets_are_points = False
    handlers = with_late_comers({**EVERY_GAME, "end": Handler(end), "scores": Handler(scores, require_one_winner)})

    def fewest_win(self, preset: Preset) -> bool:
        return preset["points.wins"] == "low"

    def first_points(self, night: Night, sums: Sequence[int]) -> int:
        """Return what whoever has played no round begins with, by the rule `points.late`.

        Where the most points win, the worst sum is never more than 0.
        """
        if rules(night).points_late == "average":
            return (2 * sum(sums) + len(sums)) // (2 * len(sums))
        if rules(night).points_late == "worst":
            return max(sums) if self.fewest_win(night.preset) else min(0, *sums)
        return 0

    def nets(self, night: Night) -> dict[str, int]:
        return differences(night)

    def has_dealer(self, preset: Preset) -> bool:
        return preset["points.dealer"] == "on"

    def dealer(self, night: Night) -> str | None:
        return dealer_now(night) if self.has_dealer(night.preset) else None

    def to_stored(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**raw, ASKS_ZERO: True} if raw.get("rules", {}).get("points.sum") == 0 else raw

    def from_stored(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        kept, rules = {key: value for key, value in raw.items() if key != ASKS_ZERO}, raw.get("rules", {})
        if rules.get("points.sum") == 0 and not raw.get(ASKS_ZERO):
            return {**kept, "rules": {**rules, "points.sum": "any"}}
        return kept

    def rehearse(self, night: Night, chance: Random) -> Iterator[Event]:
        pauses = proposed_pauses(night)
        players = [seat for seat in night.seats if seat not in pauses]
        winner = chance.choice(players)
        if rules(night).points_entry == "winner":
            points = {seat: int(seat == winner) for seat in players}
        elif self.fewest_win(night.preset):
            points = {seat: 0 if seat == winner else chance.randint(1, 12) * 2 for seat in players}
        else:
            points = {seat: chance.randint(0, 11) * 5 + 20 * (seat == winner) for seat in players}
        yield Scores({seat: Score(one) for seat, one in points.items()}, pauses)


GAME = PointGame()
