"""How many taps a hand, and a night of ten hands, cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

import pytest
from support.browser_phones import BrowserNight, BrowserPhone, at_table

PEOPLE = ("Ruth", "Ben", "Mia", "Tom", "Ana")
TAKES = (
    "ten-hearts",
    "queen-hearts",
    "ace-hearts",
    "king-clubs",
    "jack-spades",
    "king-queen-hearts",
    "seven-eight-nine",
)
HANDS = 10

BUDGET = {"Ante": 1, "Dummy": 0, "Money cards": 3.5, "Out": 1, "Cards left": 4, "Pay": 0, "Poker pool": 1}
"""The most taps for each part of a five-person hand on one phone, at 3.5 money cards a hand and a dummy not sold.

A place that is dragged onto a person is one, the first leaves the dummy alone; what is paid by itself is none."""
SALE = 3
"""The taps of a dummy hand that is sold: sold, to whom, for how much."""


@dataclass(frozen=True)
class Plan:
    """What happens in one hand of a night: the deal, the dummy hand and the winners go round the table."""

    number: int
    """The number of the hand, from 1."""

    def person(self, places: int) -> str:
        """Return the seat so many places to the dealer's left."""
        return PEOPLE[(self.number - 1 + places) % len(PEOPLE)].lower()

    @property
    def takes(self) -> tuple[tuple[str, str], ...]:
        """Three pots in odd hands and four in even ones, each with who takes it."""
        count = 3 + (self.number + 1) % 2
        return tuple((self.person(2 + at), TAKES[(self.number - 1 + at) % len(TAKES)]) for at in range(count))

    @property
    def is_sold(self) -> bool:
        return self.number % 2 == 0

    @property
    def winner(self) -> str:
        return self.person(3)

    @property
    def best_poker(self) -> str:
        return self.person(2)


def hand_on_one_phone(host: BrowserPhone, plan: Plan) -> dict[str, float]:
    """Play from the dummy hand to the next antes; return the taps of each part. Every second dummy hand is sold."""
    taps: dict[str, float] = {}

    def done(part: str) -> None:
        taps[part] = host.taps - before - sum(taps.values())

    before = host.taps
    if plan.is_sold:
        host.record("#do-sold", f"#s-{plan.person(1)}", ".a-price [value='sale:1']")
    done("Dummy")
    for seat, pot in plan.takes:
        host.drag(f"#p-{pot}", f"#s-{seat}")
    done("Money cards")
    head = host.head
    host.drag("#p-jackpot", f"#s-{plan.winner}")
    host.see(".pad")
    done("Out")
    host.cards(3, 1, 4)
    host.page.evaluate("() => { window.paysByItself = true; }")
    host.cards(2)
    done("Cards left")
    host.see_head(head + 1)
    done("Pay")
    host.record(f"#s-{plan.best_poker}")
    done("Poker pool")
    host.record_word("Ante for hand")
    done("Ante")
    return taps


def hand_on_own_phones(night: BrowserNight, plan: Plan) -> None:
    """Play from the dummy hand to the next antes: the dealer's phone decides, takers take, the winner is paid."""
    phones, host = night.phones, night.host
    winner, best = phones[plan.winner], phones[plan.best_poker]
    phones[plan.person(0)].record_word("Left alone")
    for seat, pot in plan.takes:
        night.everybody_sees()
        if phones[seat] is host:
            host.collect_for(pot, seat)
        else:
            phones[seat].collect(pot)
    winner.tap_word("Someone is out" if winner is host else "I am out of cards!")
    winner.tap(*([f"#s-{winner.seat}"] if winner is host else []))
    _type_cards_left([phone for phone in phones.values() if phone not in (winner, host)], host)
    if winner is not host:
        host.cards(4)
    winner.see(f"#pay:has-text('{'Pay' if winner is host else 'I get'}')")
    winner.record("#pay")
    best.record(f"#s-{best.seat}" if best is host else "#do-poker")
    phones[plan.person(1)].record_word(f"Ante for hand {plan.number + 1}")


def _type_cards_left(phones: Sequence[BrowserPhone], host: BrowserPhone) -> None:
    """Each types the own cards; return when the host's phone, whose pad asks for whoever is missing, shows them all."""
    for left, phone in enumerate(phones, start=1):
        phone.see(".pad")
        phone.cards(left)
        host.see(f"#c-{phone.seat} .slot:has-text('{left}')")


_night = at_table("night")


def test_one_phone_records_a_hand_of_five_in_11_taps_and_3_more_where_the_dummy_is_sold(
    night: BrowserNight, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    """The short run plays the second hand of the plan, whose dummy is sold."""
    numbers = range(short_or_long(2, 1), short_or_long(2, HANDS) + 1)
    host = night.play(PEOPLE[0], others=PEOPLE[1:])
    hands = []
    for number in numbers:
        plan = Plan(number)
        hands.append(hand_on_one_phone(host, plan))
        dummy = SALE if plan.is_sold else BUDGET["Dummy"]
        assert hands[-1] == BUDGET | {"Money cards": len(plan.takes), "Dummy": dummy}, number
    night.check_chips()
    total = sum(sum(hand.values()) for hand in hands)
    figure(f"taps on one phone in {len(hands)} hands: {total:g}")
    if len(hands) == HANDS:
        assert total == HANDS * 10.5 + 5 * SALE


@pytest.mark.long
def test_with_own_phones_everybody_taps_2_to_4_times_a_hand_and_the_host_twice_more_in_ten_hands(
    night: BrowserNight, figure: Callable[[str], None]
) -> None:
    night.play(*PEOPLE)
    before = {phone.name: phone.taps for phone in night.phones.values()}
    for number in range(1, HANDS + 1):
        hand_on_own_phones(night, Plan(number))
    night.check_chips()
    means = {phone.name: (phone.taps - before[phone.name]) / HANDS for phone in night.phones.values()}
    figure(f"taps of each phone in a hand, of ten hands: {means}")
    assert all(2 <= taps <= 4 for taps in means.values()), means
    host, others = means.pop("Ruth"), mean(means.values())
    assert host <= others + 0.2 + 1e-9
