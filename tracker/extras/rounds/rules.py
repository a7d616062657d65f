"""8 Round Rummy: one winner a round, the round card's points, and the automatic win (RULES 2.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, cast

from tracker.core.apply import EVERY_GAME
from tracker.core.errors import Fault, NotAllowed, WrongMoment
from tracker.core.events import Chips, Event
from tracker.core.game import Game, Handler, with_best_points
from tracker.core.house_rules import AT_HOME, OWN, RuleSet, house_rule
from tracker.core.night import ENDED, LOBBY, PLAY, Night, Settled
from tracker.core.preset import MOST_POINTS, MOST_ROUNDS, Preset, RoundCard
from tracker.core.preset_faults import repeated
from tracker.extras._score.deals import require_two_people, with_deal

LAST_ROUND = 8


@dataclass(frozen=True)
class RoundRules(RuleSet):
    """The house rules of this game."""

    rounds: Literal["full", "short"] = house_rule("rounds", "full", "the sheet of 8 Round Rummy")
    auto_win: Literal["round_8", "any_round"] = house_rule("auto_win", "round_8", AT_HOME)
    tie: Literal["shared", "round_8", "most_cards"] = house_rule("tie", "shared", AT_HOME)


def rules(preset: Preset) -> RoundRules:
    """Return the house rules of a preset of this game."""
    return cast(RoundRules, preset.house_rules)


class Round(Event, kind="round", ends_deal=True):
    winner: str
    jokers: Chips = Chips(0)
    seven_alike: bool = False
    """The winning hand was seven equal numbers, where the house rule `auto_win` asks for that in every round."""


class Reverse(Event, kind="reverse", is_of_deal=True):
    """The direction of play turns."""


@dataclass(frozen=True, kw_only=True)
class RoundWon(Settled):
    """A round, the number of its card, and how many jokers the winning hand had."""

    number: int
    jokers: int
    is_automatic: bool = False
    """Whether it won the game at once, by the house rules under which it was recorded."""

    @property
    def winner(self) -> str:
        return self.winners[0]

    @property
    def points(self) -> int:
        return self.change[self.winner]


def rounds_won(night: Night) -> tuple[RoundWon, ...]:
    return cast(tuple[RoundWon, ...], night.deals)


def rounds_played(preset: Preset) -> tuple[RoundCard, ...]:
    """Return the rounds that a table plays, in order."""
    return preset.round_cards if rules(preset).rounds == "full" else preset.round_cards[1::2]


def next_round(night: Night) -> RoundCard | None:
    """Return the round to be played now; None when all are won."""
    left = rounds_played(night.preset)[len(night.deals) :]
    return left[0] if left else None


def round_(night: Night, event: Round) -> Night:
    """Give the round card to its winner; a hand without a joker may win the game at once (RULES 2.3, R2)."""
    night.require_phase(LOBBY, PLAY)
    winner, card = night.require_seated(event.winner), next_round(night)
    if card is None:
        raise WrongMoment("all rounds are won: end the night")
    players = tuple(seat for seat in night.seats if seat == winner or seat not in night.newcomers)
    is_automatic = event.jokers == 0 and (
        card.number == LAST_ROUND or (event.seven_alike and asks_seven_alike(night, card.number))
    )
    change = dict.fromkeys(players, 0) | {winner: card.points}
    won = RoundWon((winner,), {}, (), change, number=card.number, jokers=event.jokers, is_automatic=is_automatic)
    after = with_deal(night, won)
    return replace(after, phase=ENDED) if next_round(after) is None or is_automatic else after


def reverse(night: Night, _event: Reverse) -> Night:
    """Reverse & New Hand was played: the direction of play turns; it has no effect on the score."""
    night.require_phase(LOBBY, PLAY)
    return replace(night, phase=PLAY, is_reversed=not night.is_reversed, last_transfers=())


def automatic_winner(night: Night) -> str | None:
    """Return who won a round that won the game at once, regardless of points; None when nobody has."""
    return next((won.winner for won in rounds_won(night) if won.is_automatic), None)


def asks_seven_alike(night: Night, number: int) -> bool:
    """Return whether seven equal numbers without a joker win the game in that round too, which asks for others."""
    return number != LAST_ROUND and rules(night.preset).auto_win == "any_round"


def winners(night: Night) -> list[str]:
    """Return who of the contenders leads, or has won: most points, ties by the house rule (RULES R1)."""
    automatic = automatic_winner(night)
    if automatic:
        return [automatic]
    tied = with_best_points(night)
    if rules(night.preset).tie == "round_8":
        holder = [won.winner for won in rounds_won(night) if won.number == LAST_ROUND and won.winner in tied]
        return holder or tied
    if rules(night.preset).tie == "most_cards":
        cards = {seat: sum(won.winner == seat for won in rounds_won(night)) for seat in tied}
        return [seat for seat in tied if cards[seat] == max(cards.values())]
    return tied


def winning_reason(night: Night) -> str:
    """Return why the winner has won: `automatic`, `shared`, a tie-breaking rule or `points`; empty for nobody."""
    won = winners(night)
    if not won:
        return ""
    if automatic_winner(night):
        return "automatic"
    if len(won) > 1:
        return "shared"
    return str(rules(night.preset).tie) if len(with_best_points(night)) > 1 else "points"


class RoundGame(Game):
    """8 Round Rummy."""

    name = "rounds"
    rules = RoundRules
    rule_groups = (OWN,)
    order = 10
    package = __package__
    presets = ("eight-round-rummy",)
    has_money = False
    handlers: Mapping[str, Handler] = EVERY_GAME | {
        "round": Handler(round_, require_two_people),
        "reverse": Handler(reverse),
    }

    def winners(self, night: Night) -> list[str]:
        return winners(night)

    def check_rules(self, night: Night, changed: Preset) -> None:
        if night.deals and rounds_played(changed) != rounds_played(night.preset):
            raise NotAllowed("rounds have been won already: the list of rounds stays as it is")

    def preset_faults(self, preset: Preset) -> Iterator[Fault]:
        if not preset.round_cards:
            yield Fault("a game of rounds needs its round cards", field="round_cards")
        if len(preset.round_cards) > MOST_ROUNDS:
            yield Fault("a game has at most {most} round cards", most=MOST_ROUNDS, field="round_cards")
        numbers = [one.number for one in preset.round_cards]
        for index in repeated(numbers):
            yield Fault("round {number} stands twice", number=numbers[index], field=f"round.{index}.number")
        for index, one in enumerate(preset.round_cards):
            if one.points > MOST_POINTS:
                facts = {"most": MOST_POINTS, "field": f"round.{index}.points"}
                yield Fault("round {number}: a card has at most {most} points", number=one.number, **facts)

    def rehearse(self, night: Night, chance: Random) -> Iterator[Event]:
        card = next_round(night)
        if card is None:
            return
        if night.is_reversed != (chance.random() < 0.15):
            yield Reverse()
        jokers = chance.choices((0, 1, 2), (2, 5, 2))[0] if card.number == LAST_ROUND else 0
        yield Round(chance.choice(night.seats), Chips(jokers))


GAME = RoundGame()
