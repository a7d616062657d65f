"""Betting on the poker hand: bets, calls and folds, made of the events `bet` and `pass`."""

from support.core_nights import CoreNight, board

from tracker.core.queries.prompts import prompt_of


def betting(*seats: str) -> CoreNight:
    return board("hearts-three-stages", seats or "abcd", 50).record("hand", dealer="a").record("go-on")


def test_a_seat_below_the_highest_bet_gets_the_price_of_a_call() -> None:
    night = betting()
    assert prompt_of(night.night).calls == {}
    night.record("bet", seat="b", chips=2).record("bet", seat="c", chips=5)
    assert prompt_of(night.night).calls == {"b": 3, "d": 5, "a": 5}
    night.record("bet", seat="b", chips=3).record("pass", seat="d")
    assert prompt_of(night.night).calls == {"a": 5}


def test_v18_a_fold_wins_nothing_and_the_best_of_the_others_takes_the_pool() -> None:
    night = betting().record("bet", seat="a", chips=2).record("pass", seat="a")
    night.record("bet", seat="b", chips=4).record("bet", seat="c", chips=4)
    assert "has folded" in str(night.refusal("poker", winners=["a"]))
    assert "has folded" in str(night.refusal("bet", seat="a", chips=1))
    assert "has folded" in str(night.refusal("pass", seat="a"))
    night.record("poker", winners=["c"])
    assert night.last == [("pot", "c", 14)]
    assert night.night.phase == "play"


def test_the_last_one_left_takes_the_pool_without_showing() -> None:
    night = betting().record("bet", seat="c", chips=3)
    for seat in "dab":
        night.record("pass", seat=seat)
    assert (night.last, night.night.phase) == ([("pot", "c", 7)], "play")
    assert night.night.current_deal().poker == ("c",)
    assert sum(night.stacks.values()) + night.board == 200


def test_the_last_one_left_goes_on_where_the_pool_is_empty() -> None:
    night = betting("a", "b", "c")
    night.moves("pot", a=night.pots["pot"]).record("pass", seat="b").record("pass", seat="c")
    assert (night.night.phase, night.night.current_deal().poker) == ("play", None)


def test_nobody_folds_where_nobody_bets_and_a_pass_in_the_auction_is_no_fold() -> None:
    shown = board("nine-pots", dummy="unused").record("hand", dealer="a")
    assert "nobody bets" in str(shown.refusal("pass", seat="b"))
    sold = board("nine-pots", poker__when="before_betting").record("hand", dealer="a").record("pass", seat="b")
    assert sold.night.current_deal().folded == frozenset()
    assert betting().refusal("pass", seat="b", cover={"b": "bank"}).code == "bad-event"


def test_an_undone_fold_is_in_again() -> None:
    night = betting().record("pass", seat="b").undo().record("poker", winners=["b"])
    assert night.last == [("pot", "b", 4)]


def test_the_last_one_left_wins_no_pool_that_no_ante_of_theirs_lies_in() -> None:
    night = board("hearts-three-stages", "ab", 50, shortage="partial_ante").moves("b", a=49)
    night.record("hand", dealer="a").record("go-on").record("bet", seat="a", chips=2).record("pass", seat="a")
    assert (night.last, night.night.phase, night.pots["pot"]) == ([], "play", 3)
