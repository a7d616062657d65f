"""Payments of the settlement: which there are, noting one as made, and taking that back."""

from support.core_nights import CoreNight, rounds, rummy, snake

from tracker.core.payment_list import payment_list
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, night_to, states

PENCE = {"money__chips": 1, "money__cents": 5}


def ended() -> CoreNight:
    """Return a night in cents that has ended: A has lost 15 chips, B won 10 and C 5."""
    return rummy("abc", **PENCE).moves("a", b=10, c=5).record("end")


def listed(night: CoreNight) -> list[tuple[str, str, int, bool]]:
    return [(one.event.source, one.event.target, one.event.cents, one.is_made) for one in payment_list(night.night)]


def test_a_payment_is_noted_once_after_the_end_and_taken_back_like_any_entry() -> None:
    night = ended()
    assert listed(night) == [("a", "b", 50, False), ("a", "c", 25, False)]
    night.record("paid", source="a", target="b", cents=50)
    assert listed(night) == [("a", "b", 50, True), ("a", "c", 25, False)]
    assert (night.night.phase, night.last) == ("ended", [])
    assert night.refusal("paid", source="a", target="b", cents=50).code == "already-done"
    assert listed(night.undo()) == [("a", "b", 50, False), ("a", "c", 25, False)]


def test_a_payment_is_a_sum_between_two_people_of_the_night() -> None:
    for source, target, cents, code in (
        ("x", "b", 5, "unknown"),
        ("a", "jackpot", 5, "unknown"),
        ("a", "a", 5, "bad-event"),
        ("a", "b", 0, "bad-event"),
        ("a", "b", 10**12 + 1, "bad-event"),
    ):
        refusal = ended().refusal("paid", source=source, target=target, cents=cents)
        assert refusal.code == code, (source, target, cents)


def test_people_may_pay_otherwise_than_the_settlement_says_then_the_rest_is_settled() -> None:
    night = ended().record("paid", source="a", target="b", cents=75)
    assert listed(night) == [("a", "b", 75, True), ("b", "c", 25, False)]


def test_the_end_is_taken_back_only_when_no_payment_was_made() -> None:
    night = ended().record("paid", source="a", target="b", cents=50)
    assert "event 7 (paid) would no longer fit" in str(night.refusal("undo", event=6))
    night.undo(7).undo(6)
    assert night.night.phase == "lobby"


def test_a_correction_after_a_payment_settles_what_is_open() -> None:
    night = ended().record("paid", source="a", target="c", cents=25).amend(4, chips=20)
    assert listed(night) == [("a", "b", 100, False), ("a", "c", 25, True)]
    night.amend(5, chips=2)
    assert listed(night) == [("a", "c", 25, True), ("a", "b", 85, False), ("c", "b", 15, False)]


def test_payments_travel_with_the_file() -> None:
    night = ended().record("paid", source="a", target="b", cents=50)
    read = night_from(night_to("michigan-rummy", {"money.cents": 5}, night.entries), built_in)
    assert [*states(read)][-1].payments_made == night.night.payments_made


def test_without_money_points_and_open_ious_are_paid() -> None:
    assert listed(snake("wx").record("rummy", seat="w", hands={"x": 7}).record("end")) == [("x", "w", 7, False)]
    assert listed(rounds("ab").record("round", winner="a").record("end")) == []
    owing = rummy("abc", 20).record("borrow", seat="a", source="b", chips=15).moves("a", c=30).record("end")
    assert listed(owing) == [("a", "b", 10, False)]


def test_without_money_parts_of_a_net_are_paid_as_often_as_the_state_says_that_they_are_owed() -> None:
    night = rummy("abc").hand("c").out("a", b=3, c=0).record("end")
    [first, *_] = summary(night.night)["payments"]
    source, target, half = first["debtor"], first["creditor"], first["chips"] // 2
    night.record("paid", source=source, target=target, cents=half)
    night.record("paid", source=source, target=target, cents=half)
    refused = night.refusal("paid", source=source, target=target, cents=half)
    assert refused.code == "already-done"
