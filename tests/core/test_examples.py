"""The worked examples of the rules, V01 to V17, played event by event with every balance in between."""

from support.core_nights import CoreNight, kitty, rounds, rummy, snake

Row = tuple[int, int, int, int]


def check_chips(night: CoreNight, stacks: Row, board: int, total: int) -> None:
    assert tuple(night.stacks[seat] for seat in sorted(night.stacks)) == stacks
    assert night.board == board
    assert sum(stacks) + board == total


def auction(night: CoreNight, calls: str) -> CoreNight:
    """Record bids such as `b3`, and passes such as `c-`, in turn."""
    for call in calls.split():
        if call.endswith("-"):
            night.record("pass", seat=call[0])
        else:
            night.record("bid", seat=call[0], chips=int(call[1:]))
    return night


def test_v01_to_v05_a_hand_from_the_ante_to_the_poker_pool() -> None:
    night = rummy("abcd", 60).record("hand", dealer="a")
    check_chips(night, (42, 51, 51, 51), 45, 240)

    auction(night, "b1 c- d3 b4 d5 b-")
    check_chips(night, (47, 51, 51, 46), 45, 240)

    night.collect("a", "king-clubs").collect("c", "queen-hearts").collect("c", "king-queen-hearts")
    check_chips(night, (52, 51, 61, 46), 30, 240)

    night.leads_wrongly("c")
    assert night.refusal("collect", seat="c", pot="jack-spades").code == "barred"
    check_chips(night, (53, 52, 58, 47), 30, 240)

    night.out("b", a=3, c=4, d=2).record("poker", winners=["a"])
    check_chips(night, (55, 66, 54, 45), 20, 240)
    assert {pot for pot, chips in night.pots.items() if chips == 5} == {
        *("ten-hearts", "ace-hearts", "jack-spades", "seven-eight-nine"),
    }


def without_antes(seats: str, chips: int, **board: int) -> CoreNight:
    """Return a hand on its way with the pots as given: without antes, the first seat buys what it puts in."""
    night = rummy(seats, chips, ante__each=0, ante__dealer=0).hand("a")
    return night.record("buy", seat=seats[0], chips=sum(board.values())).moves(seats[0], **board)


def test_v06_a_withheld_card_is_matched_at_the_hands_end() -> None:
    night = without_antes("abcd", 50, jack_spades=10, queen_hearts=5, jackpot=5).withholds("b", "S")
    night.out("a", b=2, c=1, d=3).record("held", pot="jack-spades", seat="d", offender="b")
    assert night.stacks == {"a": 61, "b": 38, "c": 49, "d": 57}
    assert (night.pots["jack-spades"], night.pots["queen-hearts"]) == (10, 5)


def test_v07_an_offender_who_is_out_first_takes_nothing() -> None:
    night = without_antes("abcd", 40, jackpot=5, ace_hearts=5, king_clubs=5)
    night.withholds("a", "C").out("a").collect("d", "ace-hearts").out("c", a=0, b=3, d=2)
    assert night.stacks == {"a": 40, "b": 37, "c": 50, "d": 43}
    assert night.pots["king-clubs"] == 5


def test_v08_tied_poker_hands_leave_the_odd_chip() -> None:
    night = without_antes("abcd", 10, poker=5).out("a", b=0, c=0, d=0)
    night.record("poker", winners=["b", "d"])
    assert night.stacks == {"a": 10, "b": 12, "c": 10, "d": 12}
    assert night.pots["poker"] == 1


def test_v09_the_final_split_goes_round_from_the_last_dealers_left() -> None:
    night = rummy("abcd", 0, ante__each=0, ante__dealer=0).hand("d").moves("bank", a=105, b=73, c=119, d=103)
    night.moves("a", queen_hearts=5, king_queen_hearts=5, king_clubs=15, seven_eight_nine=10)
    night.out("a", b=0, c=0, d=0).record("end")
    check_chips(night, (79, 82, 128, 111), 0, 400)


def v10_after_two_hands() -> CoreNight:
    night = rummy("abcd", 100).record("hand", dealer="a")
    check_chips(night, (82, 91, 91, 91), 45, 400)
    auction(night, "b1 c- d2 b3 d4 b-")
    check_chips(night, (86, 91, 91, 87), 45, 400)
    night.collect("c", "king-clubs").collect("c", "ten-hearts")
    check_chips(night, (86, 91, 101, 87), 35, 400)
    night.collect("d", "jack-spades")
    check_chips(night, (86, 91, 101, 92), 30, 400)
    night.out("b", a=4, c=3, d=6)
    check_chips(night, (82, 109, 98, 86), 25, 400)
    night.record("poker", winners=["a"])
    check_chips(night, (87, 109, 98, 86), 20, 400)

    night.record("hand", dealer="b").record("exchange")
    check_chips(night, (78, 91, 89, 77), 65, 400)
    night.leads_wrongly("a")
    check_chips(night, (75, 92, 90, 78), 65, 400)
    assert night.refusal("collect", seat="a", pot="queen-hearts").code == "barred"
    assert night.pots["queen-hearts"] == 10
    night.collect("d", "ace-hearts").collect("c", "seven-eight-nine")
    check_chips(night, (75, 92, 100, 88), 45, 400)
    night.out("c", a=2, b=5, d=3)
    check_chips(night, (73, 87, 115, 85), 40, 400)
    night.record("poker", winners=["b", "d"])
    check_chips(night, (73, 89, 115, 87), 36, 400)
    return night


def test_v10_a_pressman_night_of_four_hands() -> None:
    night = v10_after_two_hands()
    auction(night.record("hand", dealer="c"), "d- a- b-")
    check_chips(night, (64, 80, 97, 78), 81, 400)
    night.collect("d", "queen-hearts").collect("d", "king-queen-hearts")
    check_chips(night, (64, 80, 97, 108), 51, 400)
    night.withholds("b", "S")
    assert night.refusal("collect", seat="b", pot="king-clubs").code == "barred"
    night.out("a", b=3, c=6, d=1)
    check_chips(night, (79, 77, 91, 107), 46, 400)
    night.record("held", pot="jack-spades", seat="c", offender="b")
    check_chips(night, (79, 67, 101, 107), 46, 400)
    night.record("poker", winners=["c"])
    check_chips(night, (79, 67, 107, 107), 40, 400)

    night.record("hand", dealer="d")
    check_chips(night, (70, 58, 98, 89), 85, 400)
    auction(night, "a2 b3 c- a-")
    check_chips(night, (70, 55, 98, 92), 85, 400)
    night.withholds("a", "D").collect("c", "ten-hearts").collect("b", "jack-spades").out("a")
    check_chips(night, (70, 70, 113, 92), 55, 400)
    night.collect("d", "ace-hearts").out("c", a=0, b=2, d=4)
    check_chips(night, (70, 68, 124, 98), 40, 400)
    night.record("poker", winners=["d"])
    check_chips(night, (70, 68, 124, 103), 35, 400)
    night.record("end")
    check_chips(night, (79, 77, 133, 111), 0, 400)
    assert night.nets == {"a": -21, "b": -23, "c": 33, "d": 11}


def test_v11_a_kitty_night_with_an_iou_in_a_pot() -> None:
    night = kitty("pqrs", 20).record("hand", dealer="p").record("pass", seat="q").record("pass", seat="s")
    check_chips(night, (12, 12, 12, 12), 32, 80)
    night.record("bid", seat="r", chips=1)
    check_chips(night, (13, 12, 11, 12), 32, 80)
    night.collect("q", "king-hearts").collect("s", "ace-spades")
    check_chips(night, (13, 16, 11, 16), 24, 80)
    night.out("q", p=4, r=8, s=3)
    check_chips(night, (9, 35, 3, 13), 20, 80)

    night.record("hand", dealer="q", cover={"r": "eight-nine-ten"}).record("no-sale")
    check_chips(night, (1, 27, 0, 5), 47, 80)
    assert night.pots["eight-nine-ten"] == 3
    assert night.notes == {("r", "eight-nine-ten"): 5}
    night.collect("s", "ten-hearts").collect("s", "eight-nine-ten")
    check_chips(night, (1, 27, 0, 16), 36, 80)
    assert night.notes == {("r", "s"): 5}
    night.collect("r", "jack-diamonds")
    night.record("out", seat="r", cards={"p": 6, "q": 4, "s": 2}, cover={"p": "r"})
    check_chips(night, (0, 23, 19, 14), 24, 80)
    assert night.notes == {("r", "s"): 5, ("p", "r"): 5}

    night.record("borrow", seat="p", source="q", chips=8)
    check_chips(night, (8, 15, 19, 14), 24, 80)
    night.record("hand", dealer="r").record("no-sale")
    check_chips(night, (0, 7, 11, 6), 56, 80)
    night.collect("p", "queen-clubs").collect("s", "king-hearts")
    check_chips(night, (12, 7, 11, 14), 36, 80)
    night.out("p", q=3, r=5, s=1)
    check_chips(night, (25, 4, 6, 13), 32, 80)
    night.record("end")
    check_chips(night, (44, 12, 6, 18), 0, 80)
    assert night.notes == {}
    assert (night.nets, night.winners) == ({"p": 24, "q": -8, "r": -14, "s": -2}, ["p"])


def test_v12_ones_own_iou_in_a_pot_cancels() -> None:
    night = kitty("pq", 2, ante__each=0, ante__dealer=0).hand("p").moves("bank", p=9).moves("p", king_queen_diamonds=9)
    night.record("borrow", seat="q", source="king-queen-diamonds", chips=6)
    assert (night.stacks["q"], night.pots["king-queen-diamonds"]) == (8, 3)
    night.collect("q", "king-queen-diamonds")
    assert (night.stacks["q"], night.notes, night.worths["q"]) == (11, {}, 11)


def test_v13_eight_rounds() -> None:
    night = rounds("abc")
    for winner in "abacbca":
        night.record("round", winner=winner)
    night.record("round", winner="b", jokers=1)
    assert night.scores == {"a": 11, "b": 15, "c": 10}
    assert (night.winners, night.night.phase) == (["b"], "ended")


def test_v14_round_eight_without_a_joker_wins_the_game() -> None:
    for jokers, winners in ((0, ["c"]), (1, ["a"])):
        night = rounds("ac")
        for _ in range(7):
            night.record("round", winner="a")
        night.record("round", winner="c", jokers=jokers)
        assert (night.scores, night.winners) == ({"a": 28, "c": 8}, winners)


def test_v15_the_short_game() -> None:
    for rule, jokers, winners in (("shared", 1, ["a", "b"]), ("round_8", 1, ["a"]), ("shared", 0, ["a"])):
        night = rounds("ab", rounds="short", tie=rule)
        night.record("round", winner="a").record("round", winner="b").record("round", winner="b")
        night.record("round", winner="a", jokers=jokers)
        assert (night.scores, night.winners) == ({"a": 10, "b": 10}, winners)


def both_faults(**options: object) -> CoreNight:
    night = snake("wxyz", **options).record("penalty", seat="x", offence="false-rummy")
    night.record("penalty", seat="y", offence="unused-purchase")
    hands = {
        "x": {"cards": ["KH", "AC", "7D"]},
        "y": {"cards": ["QS", "9C"], "sequences": [["AH", "2H", "3H"]]},
        "z": {"cards": ["AS", "AD", "5C"]},
    }
    return night.record("rummy", seat="w", hands=hands)


def test_v16_hands_and_faults_are_paid_to_the_winner() -> None:
    night = both_faults()
    assert night.night.deals[0].hands == {"x": 32, "y": 25, "z": 35}
    assert night.scores == {"w": 132, "x": -52, "y": -45, "z": -35}


def test_v17_the_fewest_points_win_when_the_stock_is_used_up() -> None:
    hands = {"w": 18, "x": 4, "y": 22, "z": 30}
    assert both_faults().record("stock-out", hands=hands).scores == {"w": 114, "x": 18, "y": -67, "z": -65}
    full = snake().record("stock-out", hands=hands)
    assert full.scores == {"w": -18, "x": 70, "y": -22, "z": -30}
    difference = snake(stock_out="difference").record("stock-out", hands=hands)
    assert difference.scores == {"w": -14, "x": 58, "y": -18, "z": -26}
