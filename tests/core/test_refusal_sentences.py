"""Refusals: each says what stands in the way, and names what can be done about it."""

from collections.abc import Callable
from typing import Any

import pytest
from support.core_nights import CoreNight, board, kitty, rummy, rummy_at


def test_once_the_dummy_is_decided_nobody_is_told_to_wait() -> None:
    fields: dict[str, dict[str, Any]] = {
        "bid": {"seat": "b", "chips": 2},
        "pass": {"seat": "b"},
        "no-sale": {},
        "exchange": {},
    }
    for kind, said in (fields | {"sale": {"buyer": "b", "price": 2}}).items():
        refused = rummy().hand().refusal(kind, **said)
        told = "the dummy hand is decided already: take that back to change it"
        assert (refused.code, str(refused)) == ("wrong-moment", told), kind
        refused = rummy(dummy="unused").hand().refusal(kind, **said)
        assert (refused.code, str(refused)) == ("not-allowed", "on this board no dummy hand is dealt"), kind


def test_chips_of_a_pool_that_nobody_can_win_any_more_are_not_to_be_won() -> None:
    night = rummy("abc").hand().out("a", b=2, c=1).record("rule", change={"poker.when": "off"})
    assert "let somebody win them first" in str(night.refusal("hand", dealer="b"))
    night.moves("a", poker=1).record("poker", winners=["b", "c"])
    assert night.pots["poker"] == 1
    assert "that nobody can win any more: move them by hand" in str(night.refusal("hand", dealer="b"))
    assert night.moves("poker", b=1).record("hand", dealer="b").night.hand == 2


def people_of_one_name() -> CoreNight:
    night = CoreNight("michigan-rummy", "")
    for seat, chips in (("x", 100), ("y", 3), ("z", 100)):
        night.record("sit", seat=seat, name="Ann", chips=chips)
    return night


def after_withheld_cards() -> CoreNight:
    """Return a hand that A won: B withheld a club and D a heart, D took the jack of spades, and E waits."""
    night = rummy().hand().collect("d", "jack-spades").withholds("b", "C").withholds("b", "S").withholds("d", "H")
    return night.out("a", b=1, c=1, d=1).record("sit", seat="e", name="E")


LOBBY, DUMMY, PLAY, OVER, SHOWN, OWES = "lobby", "dummy", "D sits out", "ended", "after withheld cards", "P owes Q"
PASSED, BID, LEFT, UNDONE = "B has passed", "B has bid", "Q left owing", "a seat taken back"
SPUN, SWEPT = "a card was paid for by everybody", "the whole board was taken"
NIGHTS: dict[str, Callable[[], CoreNight]] = {
    LOBBY: lambda: rummy_at("lobby").record("sit", seat="gone", name="Gone").record("leave", seat="gone"),
    UNDONE: lambda: rummy("ab").undo(),
    "people of one name": people_of_one_name,
    "stakes are laid": lambda: board("newmarket", "abc", 20).record("hand", dealer="a"),
    DUMMY: lambda: rummy_at("dummy").record("sit", seat="e", name="E"),
    PASSED: lambda: rummy_at("dummy").record("pass", seat="b"),
    BID: lambda: rummy_at("dummy").record("bid", seat="b", chips=1),
    PLAY: lambda: rummy().hand("a", sits_out=["d"]).withholds("c", "C"),
    "no antes": lambda: rummy(ante__each=0, ante__dealer=0).hand(),
    SHOWN: after_withheld_cards,
    "a card was matched": lambda: after_withheld_cards().record("held", pot="king-clubs", seat="c", offender="b"),
    "claims are forfeited": lambda: rummy("abc", late_claim="next_card_forfeits").hand().out("b", a=0, c=0),
    OWES: lambda: kitty("pqr", 20).record("borrow", seat="p", source="q", chips=8).moves("p", r=25),
    LEFT: lambda: kitty("pqr", 20).record("borrow", seat="q", source="p", chips=8).record("leave", seat="q"),
    OVER: lambda: rummy_at("ended"),
    SPUN: lambda: board("spinado", "abc", 60).record("hand", dealer="a").record("due", seat="b", due="spin"),
    SWEPT: lambda: board("nain-jaune", "abc", 60).record("hand", dealer="a").record("sweep", seat="b"),
}
REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    (LOBBY, "end", {"winners": ["a"]}, "at this table no poker hand decides"),
    (LOBBY, "paid", {"source": "a", "target": "b", "cents": 5}, "the night is not over yet"),
    (LOBBY, "sit", {"seat": "a", "name": "Other"}, "A sits at 'a' already"),
    (LOBBY, "hand", {"dealer": "a", "sits_out": ["a"]}, "A deals, so can’t sit this hand out"),
    (LOBBY, "hand", {"dealer": "a", "sits_out": ["b", "c"]}, "a hand needs at least two people"),
    (LOBBY, "hand", {"dealer": "nobody"}, "nobody sits at 'nobody': the seats are a, b, c"),
    (LOBBY, "hand", {"dealer": "a", "sits_out": ["nobody"]}, "nobody sits at 'nobody'"),
    (LOBBY, "hand", {"dealer": "gone"}, "Gone has left the table"),
    (LOBBY, "order", {"seats": ["a", "b"]}, "the order must name everybody at the table once: a, b, c"),
    (LOBBY, "order", {"seats": ["a", "b", "c", "c"]}, "the order must name everybody at the table once"),
    (LOBBY, "order", {"seats": ["a", "b", "gone"]}, "the order must name everybody at the table once"),
    (LOBBY, "count", {"stacks": {"a": 1, "nobody": 2}}, "nobody sits at 'nobody'"),
    (LOBBY, "count", {"stacks": {"bank": 2}}, "nobody sits at 'bank'"),
    (LOBBY, "count", {"stacks": {"gone": 2}}, "Gone has left the table"),
    (LOBBY, "rule", {"change": {"ante.all": 1}}, "there is no house rule 'ante.all' in this kind of game"),
    (LOBBY, "rule", {"change": {"ante.each": -1}}, "ante.each must be a whole number from 0 to 1000, not -1"),
    (LOBBY, "move", {"source": "a", "target": "a", "chips": 1}, "chips move between two different places"),
    (LOBBY, "move", {"source": "bank", "target": "bank", "chips": 1}, "chips move between two different places"),
    (LOBBY, "move", {"source": "a", "target": "nobody", "chips": 1}, "nobody sits at 'nobody'"),
    (LOBBY, "move", {"source": "nobody", "target": "a", "chips": 1}, "nobody sits at 'nobody'"),
    (LOBBY, "move", {"source": "a", "target": "gone", "chips": 1}, "Gone has left the table"),
    (LOBBY, "move", {"source": "a", "target": "b", "chips": 101}, "A is 1 short"),
    (LOBBY, "move", {"source": "jackpot", "target": "b", "chips": 1}, "no chips lie there"),
    (UNDONE, "amend", {"event": 3, "change": {"event": 1}}, "event 3 is a correction itself: take it back instead"),
    (UNDONE, "undo", {"event": 2}, "taken back already"),
    (UNDONE, "undo", {"event": 9}, "there is no event"),
    ("people of one name", "hand", {"dealer": "x"}, "Ann (y) is 6 short:"),
    ("stakes are laid", "no-sale", {}, "the stakes are still being placed"),
    (DUMMY, "bid", {"seat": "c", "chips": 1}, "it is B’s turn"),
    (DUMMY, "bid", {"seat": "a", "chips": 1}, "A deals and gets the price, so can’t bid"),
    (DUMMY, "pass", {"seat": "a"}, "A deals and sells, so has no pass to make"),
    (DUMMY, "sale", {"buyer": "a", "price": 1}, "A deals and gets the price, so can’t buy"),
    (DUMMY, "bid", {"seat": "e", "chips": 1}, "E is not in this hand"),
    (DUMMY, "sale", {"buyer": "e", "price": 1}, "E is not in this hand"),
    (PASSED, "bid", {"seat": "b", "chips": 5}, "B has passed, and a pass is final"),
    (PASSED, "pass", {"seat": "b"}, "B has passed already, and a pass is final"),
    (PASSED, "sale", {"buyer": "b", "price": 5}, "B has passed, and a pass is final"),
    (BID, "bid", {"seat": "c", "chips": 1}, "the next bid must be 2 or more"),
    (BID, "pass", {"seat": "b"}, "B holds the highest bid and can’t pass"),
    (BID, "sale", {"buyer": "c", "price": 3}, "B has bid 1"),
    (BID, "sale", {"buyer": "b", "price": 2}, "B has bid 1"),
    (BID, "no-sale", {}, "B has bid 1"),
    (BID, "exchange", {}, "B has bid 1"),
    (PLAY, "order", {"seats": ["b", "a", "c", "d"]}, "seats change places between hands"),
    (PLAY, "leave", {"seat": "a"}, "A is in this hand"),
    (PLAY, "end", {}, "the hand is being played"),
    (PLAY, "out", {"seat": "c", "cards": {"a": 1}}, "C withheld a card, so takes nothing"),
    (PLAY, "out", {"seat": "b"}, "how many cards are left with C, A?"),
    (PLAY, "out", {"seat": "b", "cards": {"a": 1}}, "how many cards are left with C?"),
    (PLAY, "out", {"seat": "b", "cards": {"a": 1, "b": 1, "c": 0}}, "B is out of cards, so pays for none"),
    (PLAY, "out", {"seat": "b", "cards": {"a": 1, "c": 0, "d": 2}}, "D does not pay for cards in this hand"),
    (PLAY, "out", {"seat": "b", "cards": {"a": 1, "c": 0, "x": 1}}, "x does not pay for cards in this hand"),
    (PLAY, "held", {"pot": "king-clubs", "seat": "a", "offender": "c"}, "the hand is being played"),
    (PLAY, "collect", {"seat": "b", "pot": "king-spades"}, "this board has no pot 'king-spades': it has ten-hearts"),
    (PLAY, "penalty", {"seat": "b", "offence": "withheld-card"}, "a withheld card has a suit (C, D, H or S)"),
    (PLAY, "penalty", {"seat": "b", "offence": "withheld-card", "suit": "X"}, "a withheld card has a suit"),
    (PLAY, "penalty", {"seat": "b", "offence": "wrong-lead", "suit": "S"}, "a wrong lead has none"),
    (PLAY, "penalty", {"seat": "b", "offence": "false-rummy"}, "the offence is wrong-lead or withheld-card, not"),
    ("no antes", "collect", {"seat": "b", "pot": "jack-spades"}, "Jack of spades is empty"),
    (SHOWN, "held", {"pot": "king-clubs", "seat": "b", "offender": "b"}, "nobody pays for a money card that the"),
    (SHOWN, "held", {"pot": "jack-spades", "seat": "c", "offender": "b"}, "so there is nothing to match"),
    (SHOWN, "held", {"pot": "king-clubs", "seat": "c", "offender": "d"}, "D withheld no card of King of clubs’s suit"),
    (
        SHOWN,
        "held",
        {"pot": "seven-eight-nine", "seat": "c", "offender": "d"},
        "is no place of cards of one named suit",
    ),
    (SHOWN, "poker", {"winners": []}, "name who has the best poker hand, each once"),
    (SHOWN, "poker", {"winners": ["b", "b"]}, "name who has the best poker hand, each once"),
    (SHOWN, "poker", {"winners": ["x"]}, "nobody sits at 'x'"),
    (SHOWN, "poker", {"winners": ["e"]}, "E is not in this hand"),
    ("a card was matched", "held", {"pot": "king-clubs", "seat": "c", "offender": "b"}, "B has matched King of clubs"),
    ("claims are forfeited", "collect", {"seat": "b", "pot": "king-clubs"}, "this hand is over"),
    (SHOWN, "move", {"source": "poker", "target": "bank", "chips": 1}, "Poker pool and the bank exchange no chips"),
    (SHOWN, "move", {"source": "bank", "target": "poker", "chips": 1}, "Poker pool and the bank exchange no chips"),
    (OWES, "borrow", {"seat": "p", "source": "p", "chips": 1}, "P can’t borrow from themself"),
    (OWES, "borrow", {"seat": "p", "source": "bank", "chips": 1}, "nobody sits at 'bank'"),
    (OWES, "borrow", {"seat": "p", "source": "poker", "chips": 1}, "nobody sits at 'poker'"),
    (OWES, "repay", {"seat": "p", "holder": "q", "chips": 5}, "P is 2 short"),
    (OWES, "repay", {"seat": "p", "holder": "q", "chips": 9}, "Q holds 8 of P’s IOUs, not 9"),
    (OWES, "repay", {"seat": "p", "holder": "p", "chips": 1}, "P holds 0 of P’s IOUs, not 1"),
    (OWES, "repay", {"seat": "p", "holder": "kitty", "chips": 1}, "Kitty holds 0 of P’s IOUs, not 1"),
    (OWES, "repay", {"seat": "p", "holder": "nobody", "chips": 1}, "nobody holds 0 of P’s IOUs, not 1"),
    (LEFT, "repay", {"seat": "q", "holder": "p", "chips": 8}, "Q has left the table"),
    (LEFT, "borrow", {"seat": "p", "source": "q", "chips": 1}, "Q has left the table"),
    (LEFT, "borrow", {"seat": "q", "source": "p", "chips": 1}, "Q has left the table"),
    (LEFT, "buy", {"seat": "q", "chips": 1}, "Q has left the table"),
    (SPUN, "due", {"seat": "c", "due": "spin"}, "was paid in this hand already"),
    (SWEPT, "sweep", {"seat": "b"}, "the board is empty"),
    (OVER, "sit", {"seat": "d", "name": "D"}, "the night is over"),
    (OVER, "paid", {"source": "x", "target": "b", "cents": 5}, "nobody of this night is called 'x'"),
    (OVER, "paid", {"source": "a", "target": "jackpot", "cents": 5}, "nobody of this night is called 'jackpot'"),
    (OVER, "paid", {"source": "a", "target": "a", "cents": 5}, "a payment goes from one person to another"),
    (OVER, "paid", {"source": "a", "target": "b", "cents": 0}, "must be a whole number from 1 to 1,000,000,000,000"),
    (
        OVER,
        "paid",
        {"source": "a", "target": "b", "cents": 10**12 + 1},
        "from 1 to 1,000,000,000,000, not 1000000000001",
    ),
]


@pytest.mark.parametrize("moment", NIGHTS)
def test_a_refusal_says_what_stands_in_the_way(moment: str) -> None:
    night, refused = NIGHTS[moment](), [row[1:] for row in REFUSED if row[0] == moment]
    said = [(kind, str(night.refusal(kind, **fields)), expected) for kind, fields, expected in refused]
    assert said
    assert [one for one in said if one[2] not in one[1]] == []
