"""Refusals that once misled: each says what is so, and names what can be done about it."""

from typing import Any

from support.core_nights import CoreNight, board, rummy, rummy_at


def test_a_combination_is_not_said_to_be_of_a_suit_that_nobody_withheld() -> None:
    night = rummy().hand().withholds("a", "H").out("b", a=1, c=2, d=1)
    run = "Seven, eight, nine of one suit is no place of cards of one named suit, so nothing is paid for it"
    assert str(night.refusal("held", pot="seven-eight-nine", seat="c", offender="a")) == run
    assert (
        str(night.refusal("held", pot="jack-spades", seat="c", offender="a"))
        == "A withheld no card of Jack of spades’s suit"
    )


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


def test_the_winner_is_said_to_be_out_and_somebody_who_sits_out_to_pay_nothing() -> None:
    night = rummy().hand("a", sits_out=["d"])
    for cards, said in (
        ({"a": 1, "b": 1, "c": 0}, "B is out of cards, so pays for none"),
        ({"a": 1, "c": 0, "d": 2}, "D does not pay for cards in this hand"),
    ):
        assert str(night.refusal("out", seat="b", cards=cards)) == said


def test_people_of_one_name_are_told_apart_by_their_seats() -> None:
    night = CoreNight("michigan-rummy", "", 100)
    for seat, chips in (("x", 100), ("y", 3), ("z", 100)):
        night.record("sit", seat=seat, name="Ann", chips=chips)
    assert str(night.refusal("hand", dealer="x")).startswith("Ann (y) is 6 short:")


def test_chips_of_a_pool_that_nobody_can_win_any_more_are_not_to_be_won() -> None:
    night = rummy("abc").hand().out("a", b=2, c=1).record("rule", change={"poker.when": "off"})
    assert "let somebody win them first" in str(night.refusal("hand", dealer="b"))
    night.moves("a", poker=1).record("poker", winners=["b", "c"])
    assert night.pots["poker"] == 1
    assert "that nobody can win any more: move them by hand" in str(night.refusal("hand", dealer="b"))
    assert night.moves("poker", b=1).record("hand", dealer="b").night.hand == 2


def test_on_a_board_with_stakes_of_ones_own_a_dummy_not_yet_open_is_no_decided_one() -> None:
    night = board("newmarket", "abc", 20).record("hand", dealer="a")
    assert str(night.refusal("no-sale")).startswith("the stakes are still being placed")


def test_a_refusal_says_what_stands_in_the_way() -> None:
    bid = rummy("abcd").record("hand", dealer="a").record("bid", seat="b", chips=1)
    withheld = rummy("abc").hand().withholds("c", "C")
    matched = rummy("abc").hand().withholds("c", "C").out("b", a=0, c=0)
    matched.record("held", pot="king-clubs", seat="a", offender="c")
    late = rummy("abc", late_claim="next_card_forfeits").hand().out("b", a=0, c=0)
    undone = rummy("ab").undo()
    for night, kind, fields, said in (
        (rummy_at("play"), "order", {"seats": ["b", "a", "c"]}, "seats change places between hands"),
        (rummy_at("play"), "leave", {"seat": "a"}, "A is in this hand"),
        (rummy_at("play"), "end", {}, "the hand is being played"),
        (rummy_at("lobby"), "end", {"winners": ["a"]}, "at this table no poker hand decides"),
        (rummy_at("lobby"), "paid", {"source": "a", "target": "b", "cents": 5}, "the night is not over yet"),
        (rummy_at("ended"), "sit", {"seat": "d", "name": "D"}, "the night is over"),
        (undone, "amend", {"event": 3, "change": {"event": 1}}, "event 3 is a correction itself: take it back instead"),
        (undone, "undo", {"event": 2}, "taken back already"),
        (undone, "undo", {"event": 9}, "there is no event"),
        (rummy_at("dummy"), "bid", {"seat": "c", "chips": 1}, "it is B’s turn"),
        (bid, "bid", {"seat": "c", "chips": 1}, "the next bid must be 2 or more"),
        (bid, "sale", {"buyer": "c", "price": 3}, "B has bid 1"),
        (bid, "no-sale", {}, "B has bid 1"),
        (bid, "exchange", {}, "B has bid 1"),
        (withheld, "out", {"seat": "c", "cards": {"a": 1}}, "C withheld a card, so takes nothing"),
        (withheld, "held", {"pot": "king-clubs", "seat": "a", "offender": "c"}, "the hand is being played"),
        (matched, "held", {"pot": "king-clubs", "seat": "a", "offender": "c"}, "C has matched King of clubs already"),
        (late, "collect", {"seat": "b", "pot": "king-clubs"}, "this hand is over"),
    ):
        assert said in str(night.refusal(kind, **fields))
