"""The sentences of the rule card of 8 Round Rummy, each played."""

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, Table, says

from tracker.core.night import ENDED, PLAY
from tracker.core.preset import Preset
from tracker.extras.rounds.rules import rounds_played, rounds_won

ABOUT_OF_GAMES |= {
    "Eight rounds, one winner each.": ("All eight rounds are played; the most points win.",),
    "Round 8 without a joker wins the game at once.": (
        "Whoever wins round 8 without a joker wins the game at once, whatever the points.",
    ),
}


def _won(preset: Preset, winners: str, last_jokers: int = 1) -> Table:
    """Return a table at which these people won the rounds, one after the other, each with a joker but the last."""
    table = Table(preset, "abc")
    for at, winner in enumerate(winners, start=1):
        table.record("round", winner=winner, jokers=last_jokers if at == len(winners) else 1)
    return table


@says("Round %(n)s: %(goal)s, %(points)s.")
def _round(preset: Preset, n: int, goal: str, points: int) -> None:
    numbers = [card.number for card in rounds_played(preset)]
    before = _won(preset, "b" * numbers.index(n))
    assert before.record("round", winner="a", jokers=1).scores["a"] == points
    assert next(card.goal for card in rounds_played(preset) if card.number == n) == goal


@says("A round card counts its number; whoever wins the round gets it.")
def _round_card(preset: Preset) -> None:
    first = rounds_played(preset)[0]
    assert _won(preset, "b").scores == {"a": 0, "b": first.number, "c": 0}


@says("Reverse & New Hand changes the direction of play; it costs no points.")
def _reverse(preset: Preset) -> None:
    table = _won(preset, "b")
    before = table.scores
    assert (table.record("reverse").night.is_reversed, table.scores) == (True, before)


@says("All eight rounds are played; the most points win.", count=8)
@says("Rounds 2, 4, 6 and 8 are played; the most points win.", count=4)
def _rounds(preset: Preset, count: int) -> None:
    assert _won(preset, "a" * (count - 1)).night.phase == PLAY
    ended = _won(preset, "a" * (count - 1) + "b")
    assert (ended.night.phase, ended.winners) == (ENDED, ["a"])
    assert (
        [won.number for won in rounds_won(ended.night)] == [1 + at for at in range(8)] if count == 8 else [2, 4, 6, 8]
    )


@says("Whoever wins round 8 without a joker wins the game at once, whatever the points.")
def _win_in_round_8(preset: Preset) -> None:
    count = len(rounds_played(preset))
    assert _won(preset, "a" * (count - 1) + "b", last_jokers=0).winners == ["b"]
    assert _won(preset, "ab", last_jokers=0).night.phase == PLAY


@says(
    "Whoever wins round 8 without a joker, or any other with seven equal numbers and no joker, wins the game at once, "
    "whatever the points."
)
def _win_in_any_round(preset: Preset) -> None:
    _win_in_round_8(preset)
    for jokers, phase in ((0, ENDED), (1, PLAY)):
        table = _won(preset, "aa")
        table.record("round", winner="b", jokers=jokers, seven_alike=True)
        assert table.night.phase == phase
        assert (table.winners == ["b"]) == (phase == ENDED)


@says("With equal points, both have won.", winners="ab")
@says("With equal points, whoever won round 8 wins.", winners="b")
@says("With equal points, more rounds win.", winners="a")
def _equal_points(preset: Preset, winners: str) -> None:
    """Let `a` and `b` have 18 points each: `a` of five rounds, `b` of rounds 4, 6 and 8."""
    table = _won(preset, "".join("b" if card.number in (4, 6, 8) else "a" for card in rounds_played(preset)))
    assert table.scores["a"] == table.scores["b"] == 18
    assert table.winners == [*winners]
