"""The sentences of a rule card about the score games, each played."""

from typing import Any

from support.rule_card_plays import Table, says, scored

from tracker.core.events import Name, SeatId, Sit
from tracker.core.night import ENDED, LOBBY, PLAY
from tracker.core.payment_list import nets
from tracker.core.preset import Preset, RoundCard
from tracker.extras.points.rules import dealer_now, is_odd_sum, proposed_pauses

# 8 Round Rummy


def _cards(preset: Preset) -> tuple[RoundCard, ...]:
    return preset.round_cards if preset["rounds"] == "full" else preset.round_cards[1::2]


def _won(preset: Preset, winners: str, last_jokers: int = 1) -> Table:
    """Return a table at which these people won the rounds, one after the other, each with a joker but the last."""
    table = Table(preset, "abc")
    for at, winner in enumerate(winners, start=1):
        table.record("round", winner=winner, jokers=last_jokers if at == len(winners) else 1)
    return table


@says("Round %(n)s: %(goal)s, %(points)s.")
def _round(preset: Preset, n: int, goal: str, points: int) -> None:
    numbers = [card.number for card in _cards(preset)]
    before = _won(preset, "b" * numbers.index(n))
    assert before.record("round", winner="a", jokers=1).scores["a"] == points
    assert next(card.goal for card in _cards(preset) if card.number == n) == goal


@says("A round card counts its number; whoever wins the round gets it.")
def _round_card(preset: Preset) -> None:
    first = _cards(preset)[0]
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
        [getattr(won, "number", 0) for won in ended.night.deals] == [1 + at for at in range(8)]
        if count == 8
        else [2, 4, 6, 8]
    )


@says("Whoever wins round 8 without a joker wins the game at once, whatever the points.")
def _win_in_round_8(preset: Preset) -> None:
    count = len(_cards(preset))
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
    table = _won(preset, "".join("b" if card.number in (4, 6, 8) else "a" for card in _cards(preset)))
    assert table.scores["a"] == table.scores["b"] == 18
    assert table.winners == [*winners]


# The snake


def _rummy(preset: Preset, **hand: Any) -> dict[str, int]:
    table = Table(preset)
    table.record("rummy", seat="a", hands={"b": hand, "c": 0, "d": 0})
    return table.scores


@says("Whoever goes out is paid every other hand in full, figures still held included.")
def _whole_hands(preset: Preset) -> None:
    scores = _rummy(preset, cards=["KH"], sequences=[["5H", "6H", "7H"]])
    assert (scores["a"], scores["b"]) == (28, -28)


@says("King, queen and jack count 10, the ace 15, the others their number.")
def _values(preset: Preset) -> None:
    for card, points in (("KH", 10), ("QS", 10), ("JD", 10), ("AC", 15), ("10H", 10), ("2S", 2), ("9D", 9)):
        assert _rummy(preset, cards=[card])["a"] == points


@says("In a sequence the ace counts 1.")
def _low_ace(preset: Preset) -> None:
    assert _rummy(preset, sequences=[["AH", "2H", "3H"]])["a"] == 6


@says("The ace counts %(n)s in queen, king, ace.")
def _high_ace(preset: Preset, n: int) -> None:
    assert _rummy(preset, sequences=[["QH", "KH", "AH"]])["a"] == 20 + n


@says("A joker left in the hand counts %(n)s.")
def _joker(preset: Preset, n: int) -> None:
    assert _rummy(preset, cards=["JK"])["a"] == n


@says("There are no jokers.")
def _no_jokers(preset: Preset) -> None:
    Table(preset).refusal("rummy", seat="a", hands={"b": {"cards": ["JK"]}, "c": 0, "d": 0})


@says("Going out in one turn is paid double.")
def _double(preset: Preset) -> None:
    table = Table(preset)
    table.record("rummy", seat="a", hands={"b": 7, "c": 1, "d": 0}, one_turn=True)
    assert table.scores == {"a": 16, "b": -14, "c": -2, "d": 0}


@says("When the stock is used up, fewest points win, and the others pay their whole hand.", won=37, less=0)
@says("When the stock is used up, fewest points win, and the others pay the difference.", won=25, less=4)
def _stock(preset: Preset, won: int, less: int) -> None:
    table = Table(preset)
    table.record("stock-out", hands={"a": 4, "b": 10, "c": 20, "d": 7})
    assert table.scores == {"a": won, "b": less - 10, "c": less - 20, "d": less - 7}


def _fault(preset: Preset, winner: str) -> dict[str, int]:
    """Return what a deal without points brings, in which `b` made two different faults and `winner` went out."""
    table = Table(preset)
    for offence in ("false-rummy", "unused-purchase"):
        table.record("penalty", seat="b", offence=offence)
    table.record("rummy", seat=winner, hands={seat: 0 for seat in "abcd" if seat != winner})
    return table.scores


@says("A wrong Rummy or an unused purchase costs %(n)s; the winner of the deal gets it.", shares=(2, -2, 0, 0))
@says("A wrong Rummy or an unused purchase costs %(n)s; the winner of the deal gets them.", shares=(2, -2, 0, 0))
@says("A wrong Rummy or an unused purchase costs %(n)s to every other player.", shares=(2, -6, 2, 2))
@says("A wrong Rummy or an unused purchase costs %(n)s, off the sheet.", shares=(0, -2, 0, 0))
def _price_of_fault(preset: Preset, n: int, shares: tuple[int, ...]) -> None:
    assert _fault(preset, "a") == dict(zip("abcd", (n * share for share in shares), strict=True))


@says("If the offender wins, the others pay that much less.")
def _own_reduce(preset: Preset) -> None:
    scores = _fault(preset, "b")
    assert scores["b"] == -2 * int(preset["fault.points"])
    assert sum(scores.values()) == 0


@says("If the offender wins, the fault stays on the sheet.", faults=2)
@says("If the offender wins, the fault is forgiven.", faults=0)
def _own_fault(preset: Preset, faults: int) -> None:
    assert _fault(preset, "b") == {"a": 0, "b": -faults * int(preset["fault.points"]), "c": 0, "d": 0}


# Score sheets, and when the night is over


def _round_of(table: Table, best: int = 2) -> None:
    """Record a round that `a` wins with `best` points of a kind that this table writes down."""
    if table.preset.game == "rum":
        table.record("rummy", seat="a", hands={"b": best, "c": 0, "d": 0})
    elif table.preset["points.entry"] == "winner":
        table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0})
    else:
        table.record("scores", points={"a": best, "b": 0, "c": 0, "d": 0})


@says("The night ends after %(n)s.")
def _ends_after(preset: Preset, n: int) -> None:
    table = Table(preset)
    for number in range(n):
        assert (number, table.night.phase) in ((0, LOBBY), (number, PLAY))
        _round_of(table)
    assert table.night.phase == ENDED


@says("The night ends when somebody has %(n)s.")
def _ends_at(preset: Preset, n: int) -> None:
    table = Table(preset)
    if n > 1:
        _round_of(table, n - 1)
        assert table.night.phase == PLAY
    _round_of(table, 1)
    assert table.night.phase == ENDED


@says("The night ends when the table says so.")
def _open_end(preset: Preset) -> None:
    table = Table(preset)
    for _ in range(12):
        _round_of(table, 900)
    assert table.night.phase == PLAY
    assert table.record("end").night.phase == ENDED


@says("After each round everybody says their points; they are added up.")
def _added_up(preset: Preset) -> None:
    table = Table(preset)
    if preset["points.entry"] == "winner":
        return
    table.refusal("scores", points={"a": 1, "b": 2, "c": 3})
    for _ in range(2):
        table.record("scores", points={"a": 1, "b": -2, "c": 3, "d": 0})
    assert table.scores == {"a": 2, "b": -4, "c": 6, "d": 0}


@says("Only the winner of a round is written down: 1 point.")
def _winner_only(preset: Preset) -> None:
    table = Table(preset)
    table.refusal("scores", points={"a": 2, "b": 0, "c": 0, "d": 0})
    assert table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0}).scores["a"] == 1


@says("The most points win.", winner="a")
@says("The fewest points win.", winner="b")
def _wins(preset: Preset, winner: str) -> None:
    assert scored(preset).winners == [winner]


@says("The deal passes to the left after each round.")
def _deal_passes(preset: Preset) -> None:
    table = Table(preset)
    for dealer in "abcda":
        assert dealer_now(table.night) == dealer
        table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0})


@says("Who joins later begins with the average sum of the table.", first=3, of_one_winner=0)
@says("Who joins later begins with the worst sum of the table.", first=5, of_one_winner=1)
@says("Who joins later begins with 0 points.", first=0, of_one_winner=0)
@says(
    "Who joins later begins with 0 points, or with the worst sum of the table if that is below 0.",
    first=0,
    of_one_winner=0,
    below=-6,
)
def _joined(preset: Preset, first: int, of_one_winner: int, below: int | None = None) -> None:
    """Let somebody join after a round of 5, 1, 3 and 4 points, or of one winner."""
    table, has_one_winner = Table(preset), preset["points.entry"] == "winner"
    points = (1, 0, 0, 0) if has_one_winner else (5, 1, 3, 4)
    table.record("scores", points=dict(zip("abcd", points, strict=True))).record("sit", seat="e", name="E")
    assert table.scores["e"] == (of_one_winner if has_one_winner else first)
    if below is not None and not has_one_winner:
        sunk = Table(preset).record("scores", points={"a": -6, "b": -1, "c": -2, "d": -3})
        assert sunk.record("sit", seat="e", name="E").scores["e"] == below


@says("Who stops for some rounds and comes back begins with that too, if the own sum is better.")
def _comes_back(preset: Preset) -> None:
    """Let somebody who has the best sum, and somebody who has the worst one, miss a round and come back."""
    points = dict(zip("abcd", (1, 0, 0, 0) if preset["points.entry"] == "winner" else (9, 1, 3, 4), strict=True))
    is_low = preset["points.wins"] == "low"
    for seat in "ab":
        table = Table(preset).record("scores", points=points).record("leave", seat=seat)
        others = {one: 0 for one in "abcd" if one != seat}
        table.record("scores", points={**others, "d": 1})
        newcomer = table.preview(Sit(SeatId("e"), Name("E"))).points["e"]
        back = table.record("sit", seat=seat, name=seat).scores[seat]
        assert back == (max if is_low else min)(points[seat], newcomer)


@says("From three people on, whoever deals a round pauses in it.")
def _dealer_pauses(preset: Preset) -> None:
    table = Table(preset, "abc")
    for dealer in "abc":
        assert proposed_pauses(table.night) == (dealer,)
        others = [seat for seat in "abc" if seat != dealer]
        table.record("scores", points={others[0]: 1, others[1]: 0}, sits_out=[dealer])
        assert dealer not in table.night.deals[-1].change
    assert proposed_pauses(Table(preset, "ab").night) == ()


@says("Whoever completes the last task of the game has won; of several, by the points.")
def _completed(preset: Preset) -> None:
    assert scored(preset).record("end", winners=["c"]).winners == ["c"]
    best = "b" if preset["points.wins"] == "low" else "a"
    assert scored(preset).record("end", winners=["c", best]).winners == [best]
    assert scored(preset).record("end").winners == [best]


@says("The points of a round come to %(n)s.")
def _sum(preset: Preset, n: int) -> None:
    night = Table(preset, "abc").night
    assert is_odd_sum(night, {"a": n, "b": n, "c": n + 1})
    assert not is_odd_sum(night, {"a": n, "b": 0, "c": 0})


def _with_newcomer(preset: Preset) -> dict[str, int]:
    """Return the nets after a round of 5, 1, 3 and 3 points, and one in which a newcomer has 2 and the others 0."""
    table = scored(preset)
    table.record("sit", seat="e", name="E").record("scores", points={"a": 0, "b": 0, "c": 0, "d": 0, "e": 2})
    return nets(table.night)


@says("In money, everybody settles each round’s difference in points with everybody who played it.")
def _settle_all(preset: Preset) -> None:
    sign = -1 if preset["points.wins"] == "low" else 1
    assert nets(scored(preset).night) == {"a": 8 * sign, "b": -8 * sign, "c": 0, "d": 0}
    assert _with_newcomer(preset) == {"a": 6 * sign, "b": -10 * sign, "c": -2 * sign, "d": -2 * sign, "e": 8 * sign}


@says("In money, everybody pays the winner the difference in points of the rounds that both have played.")
def _pay_winner(preset: Preset) -> None:
    expected = {"a": 8, "b": -4, "c": -2, "d": -2}
    if preset["points.wins"] == "low":
        expected = {"a": -4, "b": 8, "c": -2, "d": -2}
    assert nets(scored(preset).night) == expected
    late = 2 if preset["points.wins"] == "low" else 0  # who is better in that one round owes nothing for it
    winner = "b" if late else "a"
    assert _with_newcomer(preset) == {**expected, winner: 8 + late, "e": -late}
