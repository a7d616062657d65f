"""Money cards and their pots, and what a wrong lead or a withheld card costs."""

from support.core_nights import CoreNight, board, kitty, rummy

from tracker.core.queries.options import place_question


def test_a_pot_is_taken_once() -> None:
    night = rummy().hand().collect("b", "jack-spades")
    assert night.refusal("collect", seat="b", pot="jack-spades").code == "already-done"
    assert "B took" in str(night.refusal("collect", seat="c", pot="jack-spades"))


def test_a_pot_that_was_shared_is_taken_though_an_odd_chip_lies_in_it() -> None:
    night = rummy().hand().record("share", pot="seven-eight-nine", seats=["b", "c", "a"])
    assert night.pots["seven-eight-nine"] == 2
    taken = night.night.current_deal().taken
    for kind, fields in (("collect", {"seat": "d"}), ("share", {"seats": ["c", "d"]})):
        refused = night.refusal(kind, pot="seven-eight-nine", **fields)
        assert str(refused).startswith("B, C, A took Seven, eight, nine of one suit in this")
    assert place_question(night.night, "seven-eight-nine") == ""
    night.out("d", a=1, b=1, c=1)
    assert night.night.current_deal().taken["seven-eight-nine"] == taken["seven-eight-nine"]
    night.record("hand", dealer="b").record("no-sale").collect("d", "seven-eight-nine")
    assert night.last == [("seven-eight-nine", "d", 2 + 5)]


def test_a_stored_night_in_which_an_odd_chip_was_collected_still_opens() -> None:
    night = rummy().hand().record("share", pot="seven-eight-nine", seats=["b", "c"])
    fields = {"seat": "d", "pot": "seven-eight-nine"}
    assert night.refusal("collect", **fields).code == "already-done"
    night.opened_with("collect", reason="already-done", **fields)
    assert night.last == [("seven-eight-nine", "d", 1)]
    night.amend(1, name="Ann")
    assert night.pots["seven-eight-nine"] == 0


def test_a_bet_is_not_made_on_a_corner_that_was_taken() -> None:
    night = board("royal-rummy").hand().record("bet", seat="b", chips=2, pot="corner-ace-spades")
    night.collect("b", "corner-ace-spades")
    assert night.refusal("bet", seat="c", chips=1, pot="corner-ace-spades").code == "already-done"


def test_an_empty_pot_is_not_collected() -> None:
    empty = rummy(ante__each=0, ante__dealer=0).hand()
    assert empty.refusal("collect", seat="b", pot="jack-spades").code == "not-allowed"


def test_a_pot_that_is_not_on_this_board_is_named() -> None:
    assert "no pot 'king-spades'" in str(rummy().hand().refusal("collect", seat="b", pot="king-spades"))
    assert kitty().hand("p").refusal("collect", seat="q", pot="jack-spades").code == "unknown"


# Penalties


def test_a_person_who_sits_out_or_waits_gets_nothing_of_a_wrong_lead() -> None:
    night = rummy("abcd").hand("a", sits_out=["d"]).record("sit", seat="e", name="E")
    night.leads_wrongly("b")
    assert night.last == [("b", "c", 1), ("b", "a", 1)]


def test_p6b_a_wrong_lead_with_too_few_chips_pays_clockwise_and_owes_the_rest() -> None:
    night = rummy("abcd", 10, ante__each=1, ante__dealer=1).hand().record("buy", seat="d", chips=5)
    refusal = night.refusal("penalty", seat="c", offence="wrong-lead")
    assert refusal.facts["short"] == {"c": 2}
    night.record("penalty", seat="c", offence="wrong-lead", cover={"c": "d"})
    assert night.stacks == {"a": 2, "b": 2, "c": 0, "d": 5}
    assert night.notes == {("c", "d"): 2}


def test_a_penalty_may_be_covered_by_a_payee_the_bank_or_a_pot() -> None:
    def fined(source: str) -> CoreNight:
        night = rummy("abcd", 9, ante__dealer=1).hand().moves("bank", b=5)
        return night.record("penalty", seat="c", offence="wrong-lead", cover={"c": source})

    by_payee = fined("b")
    assert by_payee.stacks == {"a": 1, "b": 3, "c": 0, "d": 1}
    assert by_payee.notes == {("c", "b"): 3}
    by_bank = fined("bank")
    assert by_bank.stacks == {"a": 1, "b": 6, "c": 0, "d": 1}
    assert by_bank.nets["c"] == -12
    by_pot = fined("jackpot")
    assert (by_pot.pots["jackpot"], by_pot.notes) == (1, {("c", "jackpot"): 3})


def test_several_may_be_barred_and_the_dealer_too_and_a_withheld_card_costs_nothing_yet() -> None:
    night = rummy().hand().leads_wrongly("a").withholds("b", "S")
    assert night.last == []
    for seat in "ab":
        assert night.refusal("collect", seat=seat, pot="jack-spades").code == "barred"
    night.collect("c", "jack-spades")


def test_a_penalty_names_the_offence_and_a_suit_only_for_a_withheld_card() -> None:
    withheld = [{"offence": "withheld-card", **suit} for suit in ({}, {"suit": "X"}, {"suit": ""})]
    for fields in (*withheld, {"offence": "wrong-lead", "suit": "S"}, {"offence": "false-rummy"}, {"offence": ""}):
        assert rummy().hand().refusal("penalty", seat="b", **fields).code == "bad-event", fields
