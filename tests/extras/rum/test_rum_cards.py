"""What cards and sequences count, and which cards are none."""

import re
from random import Random

import pytest
from hypothesis import given, strategies as st

from tracker.core.cards import RANKS, SUITS
from tracker.core.errors import BadEvent
from tracker.extras.rum.rules import Card, Holding, card, points

PACK = [rank + suit for rank in RANKS for suit in SUITS]


def test_a_pack_has_fifty_two_cards() -> None:
    assert len({card(text) for text in PACK}) == 52
    assert card("10H") == Card("10", "H")


def test_a_malformed_card_is_refused_by_name() -> None:
    wrong = ["", "H", "10", "1H", "11H", "0H", "KX", "kh", "Kh", "HK", "10 H", " KH", "KHH", "KH ", "AJ", "JOKER"]
    for text in (*wrong, "jk", "♥K"):
        with pytest.raises(BadEvent, match=re.escape(repr(text))) as caught:
            card(text)
        assert caught.value.field == "cards"


def test_figures_count_ten_pips_their_number_and_a_loose_ace_fifteen() -> None:
    assert [points(Holding((rank + "S",))) for rank in RANKS] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15]
    assert points(Holding()) == 0
    assert points(Holding(("KH", "AC", "7D"))) == 32


def test_an_ace_in_a_sequence_counts_one_in_any_order_of_the_cards() -> None:
    counts = {"AH 2H 3H": 6, "7S 8S 9S 10S": 34, "10D JD QD KD": 40, "QC KC AC": 21, "3H AH 2H": 6, "9S 8S 7S": 24}
    counts |= {"AC KC QC": 21, " ".join(rank + "H" for rank in RANKS): 54 + 30 + 1}
    for sequence, expected in counts.items():
        assert points(Holding((), (tuple(sequence.split()),))) == expected, sequence


def test_a_malformed_sequence_is_refused() -> None:
    wrong = ["", "AH", "AH 2H", "2H 3S 4H", "2H 3H 5H", "2H 2H 3H", "7H 7S 7D", "KH AH 2H", "AH AH 2H"]
    for sequence in (*wrong, "JK JK JK", "2H JK 5H"):
        with pytest.raises(BadEvent) as caught:
            points(Holding((), (tuple(sequence.split()),)), joker=20)
        assert caught.value.field == "sequences", sequence


@pytest.mark.parametrize("sequence", ["7H JK 9H", "JK 7H 8H", "QH KH JK", "JK JK 4C"])
def test_a_joker_stands_for_a_missing_card_and_counts_as_a_joker(sequence: str) -> None:
    cards = tuple(sequence.split())
    held = Holding((), (cards,))
    shown = sum(points(Holding((text,))) for text in cards if text != "JK")
    assert points(held, joker=20) == shown + 20 * cards.count("JK")
    with pytest.raises(BadEvent):
        points(held)


def test_a_joker_may_stand_between_king_and_ace_or_two_and_ace() -> None:
    assert points(Holding((), (("QH", "JK", "AH"),)), ace_high_in_sequence=15, joker=20) == 45
    assert points(Holding((), (("AH", "JK", "3H"),)), ace_high_in_sequence=15, joker=20) == 24


@given(st.lists(st.sampled_from(PACK), max_size=14))
def test_a_hand_counts_what_its_cards_count(cards: list[str]) -> None:
    assert points(Holding(tuple(cards))) == sum(points(Holding((text,))) for text in cards)


@given(st.sampled_from(list(SUITS)), st.integers(0, 11), st.integers(3, 13), st.randoms(use_true_random=False))
def test_a_run_of_a_suit_counts_the_same_however_it_is_shuffled(
    suit: str, lowest: int, length: int, chance: Random
) -> None:
    ranks = ["A", *RANKS][lowest : lowest + length]
    cards = [rank + suit for rank in dict.fromkeys(ranks)]
    if len(cards) >= 3:
        straight = points(Holding((), (tuple(cards),)))
        chance.shuffle(cards)
        assert points(Holding((), (tuple(cards),))) == straight
