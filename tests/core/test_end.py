"""The end of a night: what is left is shared or kept, IOUs are redeemed, and nets sum to zero."""

from hypothesis import given, strategies as st
from support.core_nights import CoreNight, kitty, rummy

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.log import Entry, replay_accepted
from tracker.core.queries.summary import Ranked, leaders, ranking
from tracker.core.settlement import leftover_shares, refill
from tracker.formats.codec import amended


def with_board(night: CoreNight, dealer: str, chips: int) -> CoreNight:
    """Put so many of everybody's chips on the board, spread over three pots; `dealer` dealt the last hand."""
    night.hand(dealer)
    night.record("out", seat=night.night.seats[0], cards=dict.fromkeys(night.night.seats[1:], 0))
    for pot in night.pots:
        if night.pots[pot]:
            night.record("move", source=pot, target=dealer, chips=night.pots[pot])
    night.record("move", source=dealer, target="ten-hearts", chips=chips - 2)
    return night.record("move", source=dealer, target="jackpot" if "jackpot" in night.pots else "kitty", chips=2)


def test_a_last_winner_who_has_left_takes_nothing_more() -> None:
    night = with_board(kitty("pqr"), "q", 15).record("leave", seat="p")
    assert leftover_shares(night.night) == {"r": 8, "q": 7}


def test_the_split_is_for_those_at_the_table_who_were_dealt_into_a_hand() -> None:
    night = with_board(rummy("abcd"), "b", 16).record("leave", seat="c").record("sit", seat="e", name="E")
    assert leftover_shares(night.night) == {"d": 6, "a": 5, "b": 5}
    night.record("hand", dealer="b", sits_out=["d"]).record("abandon")
    assert "e" not in leftover_shares(night.night)  # a hand that was given up is none
    assert "d" in leftover_shares(night.night)  # who sat out the last one was dealt in before


def test_who_was_dealt_into_no_hand_is_no_winner_and_has_no_place() -> None:
    night = rummy("abc").hand("c").out("a", b=1, c=2).record("sit", seat="e", name="E", chips=1).record("end").night
    assert (leaders(night), night.net("e")) == (["a"], 0)
    assert ranking(night)[-1] == Ranked(0, "e")
    kept = rummy("abc", end="leave").hand("c").record("sit", seat="e", name="E")
    kept.out("a", b=0, c=0).record("move", source="a", target="jackpot", chips=kept.stacks["a"])
    assert kept.record("end").winners == ["b"]  # below zero, and above e who has won and lost nothing


def test_of_hands_that_were_all_given_up_those_share_who_were_dealt_in() -> None:
    night = rummy("abc").record("hand", dealer="a", sits_out=["c"]).record("abandon")
    assert set(leftover_shares(night.night)) == {"a", "b"}
    assert leaders(night.night) == []
    assert set(leftover_shares(rummy("abc").moves("a", jackpot=5).night)) == {"a", "b", "c"}


def test_who_was_dealt_into_no_hand_has_not_the_best_hand_of_the_night() -> None:
    night = rummy("abc", end="poker_hand").hand("c").out("a", b=0, c=0).record("sit", seat="e", name="E")
    assert str(night.refusal("end", winners=["e"])) == "E was dealt no hand, so has no part in it"
    stored = [*night.entries, Entry(len(night.entries) + 1, events.End(("e",)))]
    steps, replayed = replay_accepted(night.preset, stored, amended)
    assert (replayed.failure, steps.night.is_over) == (None, True)  # as it was stored by an earlier version


def test_the_pool_of_the_whole_night_is_won_before_its_end() -> None:
    night = rummy("abc", poker__when="session_end").hand("c").out("a", b=0, c=0)
    said = "nobody has won Poker pool yet: say who has the best hand of all, or who share it"
    assert str(night.refusal("end")) == said
    assert night.record("poker", winners=["a", "b", "c"]).record("end").night.is_over
    gone = rummy("ab", poker__when="session_end").hand("b").out("a", b=0)
    for seat in "cd":
        gone.record("sit", seat=seat, name=seat)
    for seat in "ab":
        gone.record("leave", seat=seat)
    assert gone.record("end").night.is_over  # nobody of the hand is there any more


def test_the_last_one_does_not_leave_chips_or_ious_behind_on_the_board() -> None:
    night = with_board(rummy("abc"), "b", 15).record("leave", seat="a").record("leave", seat="b")
    assert night.refusal("leave", seat="c").code == "not-allowed"
    assert sum(night.record("end").nets.values()) == 0
    paper = (
        kitty("pq").moves("q", kitty=5).record("borrow", seat="p", source="kitty", chips=5).record("leave", seat="p")
    )
    assert paper.refusal("leave", seat="q").code == "not-allowed"
    assert paper.record("end").nets == {"p": 0, "q": 0}
    empty = rummy("ab").moves("a", b=10).record("leave", seat="a").record("leave", seat="b").record("end")
    assert empty.nets == {"a": -10, "b": 10}


# A board left for the next night is filled again


@given(
    st.integers(1, 8),
    st.dictionaries(st.sampled_from(["ten-hearts", "king-clubs", "poker", "jackpot"]), st.integers(0, 90)),
)
def test_the_board_lies_there_as_before_and_every_stack_is_as_bought_without_it(
    people: int, board: dict[str, int]
) -> None:
    night = rummy("abcdefgh"[:people]).night
    for event in refill(board, night.seats, "left on the board"):
        night = apply(night, event)
    assert {pot: night.pot(pot) for pot in night.preset.board} == dict.fromkeys(night.preset.board, 0) | board
    assert {night.stack(seat) for seat in night.seats} == {100}
    assert -sum(night.net(seat) for seat in night.seats) == sum(board.values())
