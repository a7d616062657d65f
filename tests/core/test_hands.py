"""How a hand begins: who plays it, who deals, what goes into the pots, and who may come and go."""

from support.core_nights import kitty, rummy


def test_a_person_who_sits_out_antes_nothing_and_pays_nothing() -> None:
    night = rummy("abcd", 100).hand("a", sits_out=["c"])
    assert night.stacks["c"] == 100
    night.out("b", a=2, d=3)
    assert night.stacks["c"] == 100
    assert night.refusal("collect", seat="c", pot="jack-spades").code == "wrong-moment"


def test_a_hand_needs_two_people_at_the_table_one_of_whom_deals() -> None:
    assert rummy().refusal("hand", dealer="a", sits_out=["a"]).code == "not-allowed"
    assert rummy("a").refusal("hand", dealer="a").code == "not-allowed"
    assert rummy("ab").refusal("hand", dealer="a", sits_out=["b"]).code == "not-allowed"
    assert rummy().refusal("hand", dealer="nobody").code == "unknown"
    assert rummy().refusal("hand", dealer="a", sits_out=["nobody"]).code == "unknown"
    assert rummy().record("leave", seat="b").refusal("hand", dealer="b").code == "unknown"


# Who can't pay the ante


def test_all_seats_short_of_the_ante_are_named_at_once_with_the_missing_chips() -> None:
    refusal = rummy("abc", 12).refusal("hand", dealer="a")
    assert refusal.facts["short"] == {"a": 6}
    assert "A is 6 short" in str(refusal)
    assert rummy("abc", 5).refusal("hand", dealer="a", cover={"b": "bank"}).facts["short"] == {"c": 4, "a": 13}
    assert rummy("abc", 12).refusal("hand", dealer="a", cover={"a": "b"}).facts["short"] == {"b": 3}, "a lender, too"


def test_the_bank_sells_the_missing_chips() -> None:
    night = rummy("abc", 12).record("hand", dealer="a", cover={"a": "bank"})
    assert night.stacks == {"a": 0, "b": 3, "c": 3}
    assert night.night.ledger.bought == {"a": 18, "b": 12, "c": 12}
    assert night.notes == {}


def test_a_neighbour_lends_the_missing_chips_against_an_iou() -> None:
    night = rummy("abc", 12).record("buy", seat="b", chips=10).record("hand", dealer="a", cover={"a": "b"})
    assert night.stacks == {"a": 0, "b": 7, "c": 3}
    assert night.notes == {("a", "b"): 6}


def test_a_pot_lends_after_the_solvent_seats_have_paid() -> None:
    night = kitty("pqrs", 20).moves("r", p=15)
    night.record("hand", dealer="q", cover={"r": "eight-nine-ten"})
    assert night.stacks["r"] == 0
    assert night.pots["eight-nine-ten"] == 3 - 3 + 1
    assert night.notes == {("r", "eight-nine-ten"): 3}


def test_the_short_ones_ante_clockwise_from_the_dealers_left() -> None:
    """C borrows four from the jackpot (one of them its own ante): enough is in there only once D has paid as well."""
    night = rummy("abcd", 0, ante__dealer=1).moves("bank", a=9, b=9, c=5, d=6)
    cover = {"c": "jackpot", "d": "bank"}
    assert night.refusal("hand", dealer="d", cover=cover).facts["short"] == {"jackpot": 1}
    night.record("hand", dealer="c", cover=cover)
    assert night.notes == {("c", "jackpot"): 4}
    assert night.pots["jackpot"] == 0


def test_a_cover_is_only_used_by_somebody_who_is_short() -> None:
    night = rummy("abc", 100).record("hand", dealer="a", cover={"a": "b", "c": "bank"})
    assert night.notes == {}
    assert night.night.ledger.bought == {"a": 100, "b": 100, "c": 100}


def test_a_cover_names_another_present_seat_a_pot_or_the_bank() -> None:
    night = rummy("abc", 12).record("sit", seat="gone", name="Gone").record("leave", seat="gone")
    for source in ("nobody", "a", "gone", "no-pot"):
        assert night.refusal("hand", dealer="a", cover={"a": source}).code in ("unknown", "not-allowed"), source
    assert night.refusal("hand", dealer="a", cover={"a": "bank", "nobody": "bank"}).code == "unknown"


# Who comes, goes and moves


def test_a_person_who_sits_down_gets_the_presets_stack_or_the_chips_they_buy() -> None:
    night = rummy("ab").record("sit", seat="c", name="C", chips=30).record("sit", seat="d", name="D", chips=0)
    assert night.stacks == {"a": 100, "b": 100, "c": 30, "d": 0}
    assert night.night.ledger.bought == night.stacks


def test_a_late_joiner_waits_for_the_next_hand_and_antes_from_then_on() -> None:
    night = rummy("ab").hand("a").record("sit", seat="c", name="C")
    assert night.stacks["c"] == 100
    assert night.refusal("collect", seat="c", pot="jack-spades").code == "wrong-moment"
    assert night.refusal("out", seat="a", cards={"b": 1, "c": 1}).code == "bad-event"
    night.out("a", b=1).record("hand", dealer="b")
    assert night.stacks["c"] == 91


def test_a_seat_is_taken_once() -> None:
    assert rummy().refusal("sit", seat="a", name="Other").code == "already-done"


def test_the_boards_own_names_are_no_seats() -> None:
    for seat in ("bank", "jackpot", "poker", "ten-hearts"):
        for night in (rummy("ab"), rummy("ab", poker__when="off")):
            assert night.refusal("sit", seat=seat, name="Trick").code == "bad-event", seat


def test_seat_ids_are_small_letters_digits_and_dashes() -> None:
    for seat in ("", "Ann", "a b", "é", "x" * 33, "a/b"):
        assert rummy("ab").refusal("sit", seat=seat, name="Ann").facts["field"] == "seat", seat


def test_nobody_leaves_a_hand_they_are_in() -> None:
    night = rummy().record("hand", dealer="a", sits_out=["d"])
    assert night.refusal("leave", seat="b").code == "wrong-moment"
    night.record("leave", seat="d").record("no-sale")
    assert night.refusal("leave", seat="b").code == "wrong-moment"
    night.out("a", b=0, c=0).record("leave", seat="b")
    assert night.night.seats == ("a", "c")


def test_a_person_who_leaves_is_cashed_out_keeps_the_net_and_buys_again_at_the_last_seat() -> None:
    night = rummy("abc").moves("a", b=7).record("leave", seat="b")
    assert night.last == [("b", "bank", 107)]
    assert (night.stacks["b"], night.worths["b"], night.nets["b"]) == (0, 107, 7)
    night.record("sit", seat="b", name="Bea", chips=50)
    assert (night.night.seats, night.night.name("b")) == (("a", "c", "b"), "Bea")
    assert (night.stacks["b"], night.worths["b"], night.nets["b"]) == (50, 157, 7)


def test_the_deal_passes_to_the_left_also_when_the_dealer_has_left() -> None:
    night = rummy("abcd").hand("b").out("a", b=0, c=0, d=0)
    assert night.night.next_dealer() == "c"
    night.record("leave", seat="b")
    assert night.night.next_dealer() == "c"
    night.record("leave", seat="c")
    assert night.night.next_dealer() == "d"


def test_before_the_first_hand_anybody_may_deal() -> None:
    assert rummy().night.next_dealer() is None
    assert rummy().record("hand", dealer="c").night.dealer == "c"


def test_people_sit_in_the_order_in_which_they_sat_down_until_an_order_changes_it() -> None:
    night = rummy("abcd").record("order", seats=["d", "b", "a", "c"])
    assert night.night.seats == ("d", "b", "a", "c")
    assert night.record("hand", dealer="a").night.current_deal().seats == ("c", "d", "b", "a")


def test_an_order_names_everybody_at_the_table_once() -> None:
    for seats in (["a", "b"], ["a", "b", "c", "c"], ["a", "b", "c", "x"], [], ["a", "b", "c", "d", "a"]):
        assert rummy("abcd").refusal("order", seats=seats).code == "bad-event", seats
    left = rummy("abcd").record("leave", seat="b").record("order", seats=["d", "c", "a"])
    assert left.night.seats == ("d", "c", "a")


def test_a_count_moves_nothing() -> None:
    night = rummy("ab")
    before = night.night.ledger
    night.record("count", stacks={"a": 90, "jackpot": 3})
    assert night.night.ledger == before
    assert night.night.counted == {"a": 90, "jackpot": 3}
    assert night.record("hand", dealer="a").night.counted is None


def test_only_places_that_are_there_are_counted() -> None:
    assert rummy("ab").refusal("count", stacks={"a": 1, "nobody": 2}).code == "unknown"
    assert rummy("ab").refusal("count", stacks={"bank": 2}).code == "unknown"
    assert rummy("abc").record("leave", seat="c").refusal("count", stacks={"c": 2}).code == "unknown"
