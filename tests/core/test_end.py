"""The end of a night: what is left on the board is shared, IOUs are redeemed, and nets sum to zero."""

from support.core_nights import CoreNight, kitty, rummy, snake

from tracker.core import events
from tracker.core.log import Entry, replay_accepted
from tracker.core.payment_list import settling
from tracker.core.queries.summary import Ranked, leaders, ranking, summary
from tracker.core.settlement import leftover, leftover_shares
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


def test_a_hand_that_nobody_won_leaves_an_equal_split() -> None:
    night = rummy("abc", end="last_hand_winner").hand()
    for seat in "abc":
        night.withholds(seat, "C").out(seat)
    assert leftover_shares(night.night) == {"b": 12, "c": 12, "a": 12}


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


def test_fewer_chips_than_people_go_to_the_first_ones() -> None:
    night = rummy("abcd").hand("d").out("a", b=0, c=0, d=0)
    for pot in [pot for pot, chips in night.pots.items() if chips]:
        night.record("move", source=pot, target="a", chips=night.pots[pot])
    night.record("move", source="a", target="jackpot", chips=3)
    assert leftover_shares(night.night) == {"a": 1, "b": 1, "c": 1, "d": 0}


def test_a_night_may_end_before_its_first_hand() -> None:
    assert summary(rummy("abc").record("end").night)["payments"] == []
    assert rummy("").record("end").night.phase == "ended"


def test_ious_in_a_pot_are_shared_too() -> None:
    night = with_board(rummy("abc"), "b", 15).record("borrow", seat="c", source="ten-hearts", chips=10)
    assert leftover(night.night) == 15
    worths = night.worths
    night.record("end")
    assert night.notes == {}
    assert {seat: night.worths[seat] - worths[seat] for seat in "abc"} == {"a": 5, "b": 5, "c": 5}
    assert night.night.ledger.claims == {}


def test_worth_and_net_stand_without_the_leftover_until_the_end() -> None:
    night = with_board(rummy("abc"), "b", 15)
    assert sum(night.nets.values()) == -15
    assert settling(night.night) == []
    assert sum(night.record("end").nets.values()) == 0


def test_winners_have_the_highest_net_and_may_be_several_or_have_left() -> None:
    assert rummy("abc").winners == ["a", "b", "c"]
    night = rummy("abc").moves("a", b=10).record("leave", seat="b")
    assert night.winners == ["b"]
    assert night.moves("a", c=10).winners == ["b", "c"]


def test_payments_settle_the_nets_also_of_somebody_who_has_left() -> None:
    night = rummy("abc").moves("a", b=10, c=5).record("leave", seat="b").record("end")
    assert summary(night.night)["payments"] == [
        {"debtor": "a", "creditor": "b", "chips": 10},
        {"debtor": "a", "creditor": "c", "chips": 5},
    ]


def test_the_last_one_does_not_leave_chips_or_ious_behind_on_the_board() -> None:
    night = with_board(rummy("abc"), "b", 15).record("leave", seat="a").record("leave", seat="b")
    assert night.refusal("leave", seat="c").code == "not-allowed"
    assert sum(night.record("end").nets.values()) == 0
    paper = (
        kitty("pq").moves("q", kitty=5).record("borrow", seat="p", source="kitty", chips=5).record("leave", seat="p")
    )
    assert paper.refusal("leave", seat="q").code == "not-allowed"
    assert paper.record("end").nets == {"p": 0, "q": 0}


def test_everybody_may_leave_an_empty_board() -> None:
    night = rummy("ab").moves("a", b=10).record("leave", seat="a").record("leave", seat="b").record("end")
    assert night.nets == {"a": -10, "b": 10}


def test_claims_are_paid_in_chips_as_far_as_they_go() -> None:
    night = rummy("abc", 20).record("borrow", seat="a", source="b", chips=15).moves("a", c=30).record("end")
    assert night.stacks == {"a": 0, "b": 10, "c": 50}
    assert night.night.ledger.claims == {"a": -10, "b": 10}
    assert night.nets == {"a": -30, "b": 0, "c": 30}


def test_winners_are_named_only_where_a_poker_hand_decides_the_remaining_chips() -> None:
    assert rummy("ab").refusal("end", winners=["a"]).code == "not-allowed"
    assert snake("ab").refusal("end", winners=["a"]).code == "not-allowed"
    assert rummy("ab", end="poker_hand").record("end", winners=["a"]).night.is_over
