"""The sentences of the rule card of the snake game, each played."""

from typing import Any

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, KEPT_OF_GAMES, Table, says

from tracker.core.preset import Preset

KEPT_OF_GAMES |= {
    "game:0": {"To buy is to draw a card: it costs no points.": "that a card was drawn: no entry says it"},
    "game:1": {"What lies on the table does not count.": "which cards lie on the table"},
}

ABOUT_OF_GAMES |= {
    "The winner is paid what the others still hold.": ("Whoever goes out is paid every other hand in full",),
    "Twenty points for a fault.": (
        "A wrong Rummy or an unused purchase costs 20 points; the winner of the deal gets them.",
    ),
}


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
