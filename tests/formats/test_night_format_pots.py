"""The night file of pot games: each row is a sentence of its description, events, and what they make."""

import pytest
from support.night_rows import HAND, NO_SALE, OUT, PLAY, Row, check, event, sentence_of, sit

LEFT = event("out", seat="b", cards={"a": 1, "c": 1})
WITHHELD = event("penalty", seat="c", offence="withheld-card", suit="C")
WRONG_LEAD = event("penalty", seat="c", offence="wrong-lead")
COLLECT = event("collect", seat="b", pot="king-clubs")
POTS = [
    Row("buys from the bank", [*sit("a"), event("buy", seat="a", chips=5)], {"stacks.a": 105, "bought.a": 105}),
    Row(
        "borrow leaves an IOU there",
        [*PLAY, event("borrow", seat="c", source="king-clubs", chips=2)],
        {"notes": [{"debtor": "c", "holder": "king-clubs", "chips": 2}], "pots.king-clubs": 2},
    ),
    Row(
        "repay redeems part of an IOU",
        [*sit("ab"), event("borrow", seat="a", source="b", chips=5), event("repay", seat="a", holder="b", chips=2)],
        {"notes": [{"debtor": "a", "holder": "b", "chips": 3}]},
    ),
    Row("all antes go in at once", [*sit("abc"), HAND], {"stacks": {"a": 82, "b": 91, "c": 91}, "pots.jackpot": 4}),
    Row("sits out pays no ante", [*sit("abc"), event("hand", dealer="a", sits_out=["c"])], {"stacks.c": 100}),
    Row(
        "bids go from the dealer's left",
        [*sit("abc"), HAND, event("bid", seat="c", chips=1)],
        "event 5 (bid): it is B's turn",
    ),
    Row(
        "each bid is above the last",
        [*sit("abc"), HAND, event("bid", seat="b", chips=2), event("bid", seat="c", chips=2)],
        "event 6 (bid): the next bid must be 3 or more",
    ),
    Row(
        "a pass is final, and the bidder who is left buys",
        [*sit("abc"), HAND, event("bid", seat="b", chips=2), event("pass", seat="c")],
        {"phase": "play", "stacks.b": 89, "stacks.a": 84},
    ),
    Row(
        "when all have passed there is no sale",
        [*sit("abc"), HAND, event("pass", seat="b"), event("pass", seat="c")],
        {"phase": "play", "stacks.a": 82},
    ),
    Row(
        "a sale's price goes to the dealer",
        [*sit("abc"), HAND, event("sale", buyer="c", price=3)],
        {"stacks.a": 85, "stacks.c": 88, "phase": "play"},
    ),
    *(
        Row(
            f"{refused['kind']} not once somebody has bid",
            [*sit("abcd"), HAND, event("bid", seat="b", chips=1), refused],
            f"event 7 ({refused['kind']}): B has bid 1",
        )
        for refused in (event("sale", buyer="c", price=3), event("no-sale"), event("exchange"))
    ),
    Row("takes the whole pot", [*PLAY, COLLECT], {"stacks.b": 95, "pots.king-clubs": 0}),
    Row(
        "takes the IOUs in the pot too",
        [*PLAY, event("borrow", seat="c", source="king-clubs", chips=2), COLLECT],
        {"notes": [{"debtor": "c", "holder": "b", "chips": 2}], "stacks.b": 93},
    ),
    Row(
        "one's own IOU is torn up",
        [*PLAY, event("borrow", seat="b", source="king-clubs", chips=2), COLLECT],
        {"notes": [], "stacks.b": 95},
    ),
    Row(
        "a barred seat collects nothing", [*PLAY, WITHHELD, event("collect", seat="c", pot="king-clubs")], "C is barred"
    ),
    Row("an empty pot is not collected", [*PLAY, COLLECT, COLLECT], "event 7 (collect): B took King of clubs"),
    Row(
        "the pot that out wins is not collected", [*PLAY, event("collect", seat="b", pot="jackpot")], "won by going out"
    ),
    Row(
        "the pot that poker wins is not collected",
        [*PLAY, event("collect", seat="b", pot="poker")],
        "won by the best poker hand",
    ),
    Row(
        "after out only where the house rule allows late claims",
        [*PLAY, OUT, COLLECT],
        "event 7 (collect): this hand is over",
        {"options": {"late_claim": "next_card_forfeits"}},
    ),
    Row("late claims are allowed", [*PLAY, OUT, COLLECT], {"pots.king-clubs": 0}),
    Row("a penalty pays and bars", [*PLAY, WRONG_LEAD], {"barred": ["c"], "stacks.a": 83, "stacks.b": 92}),
    Row(
        "out wins the jackpot and a payment from every other seat",
        [*PLAY, event("out", seat="b", cards={"a": 2, "c": 3})],
        {"stacks": {"a": 80, "b": 100, "c": 88}, "phase": "showdown"},
    ),
    Row(
        "who withheld a card goes out without cards, takes nothing, and the hand goes on",
        [*PLAY, WITHHELD, event("out", seat="c")],
        {"phase": "play", "pots.jackpot": 4},
    ),
    Row(
        "who withheld a card is paid no cards",
        [*PLAY, WITHHELD, event("out", seat="c", cards={"a": 1})],
        "event 7 (out): C withheld a card, so takes nothing",
    ),
    Row(
        "who only led wrongly is paid for cards",
        [*PLAY, WRONG_LEAD, event("out", seat="c", cards={"a": 1, "b": 1})],
        {"phase": "showdown"},
    ),
    Row(
        "held pays as much as the pot holds, and the pot stays",
        [*PLAY, WITHHELD, OUT, event("held", pot="king-clubs", seat="a", offender="c")],
        {"stacks.a": 86, "stacks.c": 87, "pots.king-clubs": 4},
    ),
    Row(
        "held once per pot and offender",
        [*PLAY, WITHHELD, OUT, *[event("held", pot="king-clubs", seat="a", offender="c")] * 2],
        "event 9 (held): C has matched King of clubs already",
    ),
    Row(
        "held only after out",
        [*PLAY, WITHHELD, event("held", pot="king-clubs", seat="a", offender="c")],
        "event 7 (held): the hand is being played",
    ),
    Row(
        "several share the poker pool equally, the rest stays",
        [*PLAY, event("move", source="a", target="poker", chips=1), LEFT, event("poker", winners=["a", "c"])],
        {"pots.poker": 1},
    ),
    Row(
        "a correction moves chips between a seat and the bank",
        [*sit("ab"), event("move", source="a", target="bank", chips=5)],
        {"stacks.a": 95},
    ),
    Row(
        "a payment that a seat can't cover is refused, naming who is short and by how much",
        [*sit("ab"), *sit("c", chips=4), HAND],
        "event 4 (hand): C is 5 short",
    ),
    Row(
        "the shortfall is borrowed from the seat that covers",
        [*sit("ab"), *sit("c", chips=4), {**HAND, "cover": {"c": "b"}}],
        {"notes": [{"debtor": "c", "holder": "b", "chips": 5}], "stacks": {"a": 82, "b": 86, "c": 0}},
    ),
    Row(
        "the shortfall is bought from the bank",
        [*sit("ab"), *sit("c", chips=4), {**HAND, "cover": {"c": "bank"}}],
        {"notes": [], "bought.c": 9, "stacks.c": 0},
    ),
    Row(
        "a payee may cover his own payer",
        [*sit("ab"), *sit("c", chips=9), HAND, NO_SALE, {**OUT, "cards": {"a": 0, "c": 3}, "cover": {"c": "b"}}],
        {"notes": [{"debtor": "c", "holder": "b", "chips": 3}], "stacks.b": 95, "stacks.c": 0},
    ),
    Row(
        "every IOU is redeemed at the end, and nets sum to zero",
        [*sit("abc"), event("borrow", seat="a", source="b", chips=5), event("end")],
        {"notes": [], "net": {"a": 0, "b": 0, "c": 0}},
    ),
]
ANY_PHASE = [
    Row(f"{kind} may happen in {phase}", [*before, event(kind, **fields)], {"phase": phase})
    for phase, before in {
        "lobby": sit("abc"),
        "dummy": [*sit("abc"), HAND],
        "play": PLAY,
        "showdown": [*PLAY, OUT],
    }.items()
    for kind, fields in {
        "buy": {"seat": "a", "chips": 5},
        "borrow": {"seat": "a", "source": "b", "chips": 5},
        "move": {"source": "a", "target": "b", "chips": 5},
    }.items()
] + [
    Row(f"{kind} does not follow the end", [*sit("abc"), event("end"), event(kind, **fields)], f"event 5 ({kind})")
    for kind, fields in {
        "buy": {"seat": "a", "chips": 5},
        "borrow": {"seat": "a", "source": "b", "chips": 5},
        "move": {"source": "a", "target": "b", "chips": 5},
    }.items()
]


@pytest.mark.parametrize("row", [*POTS, *ANY_PHASE], ids=sentence_of)
def test_pot_games(row: Row) -> None:
    check(row)
