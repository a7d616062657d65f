"""Yaniv: one person calls a round, everybody takes points, and whoever has more than 100 is out.

Who calls with the least points takes none, else the own hand and a penalty; all others take their hands. A sum of
exactly 50 or 100 is halved. The last one left wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, cast

from tracker.core.apply import EVERY_GAME
from tracker.core.errors import BadEvent, NotAllowed
from tracker.core.events import Chips, Event
from tracker.core.game import Game, Handler
from tracker.core.house_rules import AT_HOME, OWN, RuleSet, house_rule
from tracker.core.night import ENDED, LOBBY, PLAY, Night, Settled
from tracker.core.preset import Preset
from tracker.extras._score.deals import require_two_people, returned_after, with_deal, with_late_comers

LIMIT = 100
HALVED = (50, 100)


@dataclass(frozen=True)
class YanivRules(RuleSet):
    """The house rules of this game."""

    yaniv_penalty: int = house_rule("yaniv.penalty", 30, AT_HOME, high=100)
    yaniv_halved: Literal["on", "off"] = house_rule("yaniv.halved", "on", AT_HOME)
    yaniv_equal: Literal["caller", "others"] = house_rule("yaniv.equal", "caller", AT_HOME)


class Yaniv(Event, kind="yaniv", ends_deal=True):
    """A round was called: by whom, and what everybody held, the caller too."""

    seat: str
    hands: Mapping[str, Chips]


def players(night: Night) -> tuple[str, ...]:
    """Return who at the table plays the present round, clockwise: nobody who is out."""
    return tuple(seat for seat in night.seats if night.points.get(seat, 0) <= LIMIT)


def yaniv(night: Night, event: Yaniv) -> Night:
    """Give everybody the points of a round; the night is over when no two are left."""
    night.require_phase(LOBBY, PLAY)
    for seat in (event.seat, *event.hands):
        if seat not in players(night):
            raise BadEvent("{seat} plays no part in this round", seat=night.name(seat), field="seat")
    excused = night.newcomers - {event.seat}
    missing = [seat for seat in players(night) if seat not in event.hands and seat not in excused]
    if missing:
        raise BadEvent("how many points for {names}?", names=", ".join(map(night.name, missing)), field="hands")
    if len(event.hands) < 2:
        raise NotAllowed("a round needs at least two people")
    hands = {seat: int(event.hands[seat]) for seat in players(night) if seat in event.hands}
    winners = _winners(night, event.seat, hands)
    taken = hands | {event.seat: 0 if event.seat in winners else hands[event.seat] + _rules(night).yaniv_penalty}
    sums = {seat: night.points.get(seat, 0) + points for seat, points in taken.items()}
    halved = HALVED if _rules(night).yaniv_halved == "on" else ()
    change = {seat: (sum_ // 2 if sum_ in halved else sum_) - night.points.get(seat, 0) for seat, sum_ in sums.items()}
    round_ = Settled(winners, hands, (), change)
    after = with_deal(night, round_, returned=returned_after(night, round_))
    return replace(after, phase=ENDED) if len(players(after)) < 2 else after


def _rules(night: Night) -> YanivRules:
    return cast(YanivRules, night.house_rules)


def _winners(night: Night, caller: str, hands: Mapping[str, int]) -> tuple[str, ...]:
    """Return the caller who has the least points; else all others who have them."""
    least = [seat for seat in hands if hands[seat] == min(hands.values())]
    if caller in least and (least == [caller] or _rules(night).yaniv_equal == "caller"):
        return (caller,)
    return tuple(seat for seat in least if seat != caller)


class YanivGame(Game):
    """Yaniv."""

    name = "yaniv"
    rules = YanivRules
    rule_groups = (OWN,)
    order = 40
    package = __package__
    presets = ("yaniv",)
    has_money = False
    handlers = with_late_comers({**EVERY_GAME, "yaniv": Handler(yaniv, require_two_people)})

    def fewest_win(self, _preset: Preset) -> bool:
        return True

    def first_points(self, _night: Night, sums: Sequence[int]) -> int:
        return max(sums)

    def is_out(self, night: Night, seat: str) -> bool:
        return night.points.get(seat, 0) > LIMIT

    def rehearse(self, night: Night, chance: Random) -> Iterator[Event]:
        playing = players(night)
        if len(playing) > 1:  # others may have left, or be out
            yield Yaniv(chance.choice(playing), {seat: Chips(chance.randint(1, 25)) for seat in playing})


GAME = YanivGame()
