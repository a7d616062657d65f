"""The night file: each row is a sentence of its description, events that it speaks of, and what they make."""

import pytest
from support.night_rows import HAND, NO_SALE, OUT, PLAY, Row, check, event, sentence_of, sit

COLLECT = event("collect", seat="b", pot="king-clubs")
SNAKE, ROUNDS = "michigan-rummy-snake", "eight-round-rummy"


EVERY_GAME = [
    Row("a seat buys the preset's stack by default", sit("a"), {"stacks": {"a": 100}, "bought": {"a": 100}}),
    Row("a seat buys that many chips", sit("a", chips=7), {"stacks": {"a": 7}, "bought": {"a": 7}}),
    Row("sits down during a hand to wait for the next", [*PLAY, *sit("d"), OUT], {"stacks.d": 100, "worth.d": 100}),
    Row("seats sit clockwise in the order of their sit events", sit("cab"), {"seats": ["c", "a", "b"]}),
    Row(
        "an order event changes the seats",
        [*sit("abc"), event("order", seats=["b", "a", "c"])],
        {"seats": ["b", "a", "c"]},
    ),
    Row(
        "order between hands",
        [*PLAY, event("order", seats=["b", "a", "c"])],
        "event 6 (order): seats change places between hands",
    ),
    Row("not while in a hand", [*PLAY, event("leave", seat="a")], "event 6 (leave): A is in this hand"),
    Row(
        "what was cashed out counts in the seat's worth",
        [*sit("abc"), event("leave", seat="c")],
        {"worth.c": 100, "net.c": 0},
    ),
    Row(
        "IOUs of somebody who left count in the worth",
        [*sit("abc"), event("borrow", seat="c", source="a", chips=9), event("leave", seat="c")],
        {"worth.c": 100, "worth.a": 100, "net.c": 0},
    ),
    Row(
        "who left plays no part in later splits",
        [*sit("abc"), HAND, NO_SALE, OUT, event("leave", seat="c"), event("end")],
        {"net.c": -9 + 0, "phase": "ended"},
    ),
    Row("an undo strikes the event", [*sit("ab"), event("undo", event=2)], {"seats": ["a"]}),
    Row(
        "an undo of an undo lets what it struck hold again",
        [*sit("ab"), event("undo", event=2), event("undo", event=3)],
        {"seats": ["a", "b"]},
    ),
    Row(
        "an undo names the first event that no longer fits",
        [*PLAY, COLLECT, event("undo", event=4)],
        "event 7 (undo): event 5 (no-sale) would no longer fit",
    ),
    Row("amend corrects fields", [*sit("a"), event("amend", event=1, change={"chips": 5})], {"stacks.a": 5}),
    Row(
        "null takes a field away",
        [*sit("a", chips=5), event("amend", event=1, change={"chips": None})],
        {"stacks.a": 100},
    ),
    Row(
        "an undo is not amended but taken back",
        [*sit("ab"), event("undo", event=2), event("amend", event=3, change={"event": 1})],
        "event 4 (amend): event 3 is a correction itself: take it back instead",
    ),
    Row(
        "house rules change from the next hand on",
        [*PLAY, event("rule", change={"ante.each": 2}), OUT, event("poker", winners=["a"]), event("hand", dealer="b")],
        {"pots.king-clubs": 4 + 6},
    ),
    Row("end not in mid-hand", [*PLAY, event("end")], "event 6 (end): the hand is being played"),
    Row(
        "winners only where the preset asks, else refused",
        [*sit("ab"), event("end", winners=["a"])],
        "event 3 (end): at this table no poker hand decides",
    ),
    Row("nothing else follows an end", [*sit("ab"), event("end"), *sit("c")], "event 4 (sit): the night is over"),
    Row("undo follows an end", [*sit("ab"), event("end"), event("undo", event=3)], {"phase": "lobby"}),
    Row(
        "paid only after end",
        [*sit("ab"), event("paid", source="a", target="b", cents=5)],
        "event 3 (paid): the night is not over yet",
    ),
    Row(
        "a count moves nothing",
        [*sit("ab"), event("count", stacks={"a": 3})],
        {"stacks": {"a": 100, "b": 100}, "phase": "lobby"},
    ),
]
WON = event("round", winner="a")
ROUND_GAME = [
    Row("a round is won", [*sit("ab"), WON], {"phase": "play", "payments": [], "direction": 1}),
    Row("the direction of play turns", [*sit("ab"), event("reverse")], {"direction": -1}),
    Row(
        "round 8 without a joker wins the game at once",
        [*sit("ab"), *[WON] * 7, event("round", winner="b")],
        {"phase": "ended", "winners": ["b"]},
    ),
    Row(
        "round 8 with a joker is a round like any other",
        [*sit("ab"), *[WON] * 7, event("round", winner="b", jokers=1)],
        {"phase": "ended", "winners": ["a"]},
    ),
]
FAULT = event("penalty", seat="a", offence="false-rummy")
SNAKE_GAME = [
    Row("20 points wait for this deal's settlement", [*sit("abc"), FAULT], {"scores": {"a": 0, "b": 0, "c": 0}}),
    Row(
        "every other seat's hand is paid to whoever is out",
        [*sit("abc"), event("rummy", seat="a", hands={"b": 10, "c": 5})],
        {"scores": {"a": 15, "b": -10, "c": -5}},
    ),
    Row(
        "the penalty is paid with the deal's settlement",
        [*sit("abc"), FAULT, event("rummy", seat="b", hands={"a": 10, "c": 0})],
        {"scores.a": -30, "scores.b": 30},
    ),
    Row(
        "fewest points win when the stock is used up",
        [*sit("abc"), event("stock-out", hands={"a": 3, "b": 10, "c": 3 + 2})],
        {"winners": ["a"]},
    ),
    Row(
        "a tie is shared",
        [*sit("abc"), event("stock-out", hands={"a": 3, "b": 10, "c": 3})],
        {"winners": ["a", "c"]},
    ),
    Row(
        "an ace in a sequence counts 1, any other 15; K, Q, J 10; a sequence that is still held counts, too",
        [
            *sit("ab"),
            event("rummy", seat="a", hands={"b": {"cards": ["AC", "KH", "7C"], "sequences": [["AH", "2H", "3H"]]}}),
        ],
        {"scores.b": -(15 + 10 + 7 + 1 + 2 + 3)},
    ),
]
STATE = [
    Row("the lobby is before the first hand", sit("abc"), {"phase": "lobby", "hand": 0, "dealer": None}),
    Row("a hand begins with the dummy", [*sit("abc"), HAND], {"phase": "dummy", "hand": 1, "dealer": "a"}),
    Row("showdown is from out to the next hand", [*PLAY, OUT], {"phase": "showdown", "winners": ["b"]}),
    Row("a file may carry the night's name", sit("a"), {"name": "Friday", "names": {"a": "A"}}, {"name": "Friday"}),
    Row(
        "payments settle the nets with as few as possible",
        [*sit("abc"), event("move", source="a", target="b", chips=3), event("move", source="b", target="c", chips=3)],
        {"payments": [{"debtor": "a", "creditor": "c", "chips": 3}], "net": {"a": -3, "b": 0, "c": 3}},
    ),
    Row("the same id twice is one event", [*sit("a", id="x"), *sit("a", id="x")], {"bought.a": 100}),
    Row(
        "a repeated id's line is counted",
        [*sit("a", id="x"), *sit("a", id="x"), event("sit", seat="A")],
        "event 3 (sit): seat: must be 1 to 32 of a-z, 0-9 and -",
    ),
    Row("options change single house rules", [*PLAY[:3], HAND], {"pots.king-clubs": 6}, {"options": {"ante.each": 2}}),
]


@pytest.mark.parametrize("row", [*EVERY_GAME, *STATE], ids=sentence_of)
def test_every_game(row: Row) -> None:
    check(row)


@pytest.mark.parametrize("row", ROUND_GAME, ids=sentence_of)
def test_eight_round_rummy(row: Row) -> None:
    check(row._replace(more={"preset": ROUNDS}))


@pytest.mark.parametrize("row", SNAKE_GAME, ids=sentence_of)
def test_rummy_with_the_snake(row: Row) -> None:
    check(row._replace(more={"preset": SNAKE}))
