"""The sentences of the rule card of the snake game, each played."""

from typing import Any

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, KEPT_OF_GAMES, WORDS, Table, says, scripted

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


WORDS["FAULT"] = lambda preset: int(preset["fault.points"])
STOCK_OUT = "stock-out hands=a4,b10,c20,d7 ->"
FAULTS = "penalty seat=b offence=false-rummy; penalty seat=b offence=unused-purchase; rummy seat"
A_WINS, OFFENDER_WINS = f"{FAULTS}=a hands=b0,c0,d0 ->", f"{FAULTS}=b hands=a0,c0,d0 ->"
scripted(
    {
        "Going out in one turn is paid double.": "rummy seat=a hands=b7,c1,d0 one_turn=yes -> a+16 b-14 c-2",
        "When the stock is used up, fewest points win, and the others pay their whole hand.": (
            f"{STOCK_OUT} a+37 b-10 c-20 d-7"
        ),
        "When the stock is used up, fewest points win, and the others pay the difference.": (
            f"{STOCK_OUT} a+25 b-6 c-16 d-3"
        ),
        "A wrong Rummy or an unused purchase costs %(n)s; the winner of the deal gets it.": f"{A_WINS} a+2n b-2n",
        "A wrong Rummy or an unused purchase costs %(n)s; the winner of the deal gets them.": f"{A_WINS} a+2n b-2n",
        "A wrong Rummy or an unused purchase costs %(n)s to every other player.": f"{A_WINS} a+2n b-6n c+2n d+2n",
        "A wrong Rummy or an unused purchase costs %(n)s, off the sheet.": f"{A_WINS} b-2n",
        "If the offender wins, the fault stays on the sheet.": f"{OFFENDER_WINS} b-2FAULT",
        "If the offender wins, the fault is forgiven.": f"{OFFENDER_WINS} nothing",
    }
)


@says("If the offender wins, the others pay that much less.")
def _own_reduce(preset: Preset) -> None:
    table = Table(preset)
    for offence in ("false-rummy", "unused-purchase"):
        table.record("penalty", seat="b", offence=offence)
    table.record("rummy", seat="b", hands=dict.fromkeys("acd", 0))
    assert table.scores["b"] == -2 * int(preset["fault.points"])
    assert sum(table.scores.values()) == 0
