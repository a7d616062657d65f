"""Random nights really reach every kind of event and every mechanism of the rules, shown by what an event did."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from support.random_nights import end_event, full_pots, legal_event, playing_seats, random_night, random_options

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import KINDS
from tracker.core.ledger import BANK
from tracker.core.night import HELD, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.preset import Preset, ante_sums
from tracker.core.settlement import leftover
from tracker.formats.built_in import all_built_in, built_in

CORRECTIONS = {"undo", "amend"}  # the property tests make these themselves
SEEDS, LENGTH = 7, 110


@dataclass(frozen=True)
class Step:
    """One event of a night: the state before it and after it."""

    before: Night
    event: Any
    after: Night

    @property
    def rules(self) -> Any:
        return self.after.house_rules

    def moved(self, source: str = "", target: str = "") -> int:
        """Return the chips that this event moved from, or to, an account."""
        ours = (one for one in self.after.last_transfers if source in ("", one.source) and target in ("", one.target))
        return sum(one.chips for one in ours)

    def into(self, won_by: str) -> int:
        return sum(self.moved(target=pot.id) for pot in self.after.preset.won_by(won_by))

    def out_of(self, won_by: str) -> int:
        return sum(self.moved(source=pot.id) for pot in self.after.preset.won_by(won_by))

    @property
    def antes(self) -> tuple[int, int]:
        """What the first player and the dealer put in by a hand's antes."""
        others, dealer = ante_sums(self.after.preset, len(self.after.current_deal().seats))
        return max(others), dealer

    def each_ante(self, *, is_dealer: bool) -> set[int]:
        """Return the antes of the places, as the first player or the dealer puts them in."""
        preset = self.after.preset
        return {preset.ante(pot, 1, is_dealer=is_dealer) for pot in preset.board.values()}


def spares_winner(step: Step) -> bool:
    winner, deal = step.before.last_winner, step.after.current_deal()
    is_asked = step.rules.ante_exempt == "last_winner" and winner in deal.seats and winner != deal.dealer
    return bool(is_asked and winner and step.moved() and not step.moved(source=winner))


def forfeits(step: Step) -> bool:
    """A money card forgotten until the hand is paid is refused, and its chips stay."""
    pots, seats = full_pots(step.after, "card"), playing_seats(step.after)
    if step.rules.late_claim != "next_card_forfeits" or step.after.phase != SHOWDOWN or not pots or not seats:
        return False
    with pytest.raises(TableError):
        apply(step.after, events.Collect(seats[0], pots[0]))
    return True


Shows = Callable[[Step], object]
MECHANISMS: dict[str, tuple[str, Shows]] = {
    "everybody puts in": ("hand", lambda s: s.antes[0] > 0),
    "the dealer puts in more": ("hand", lambda s: s.antes[1] > s.antes[0] > 0),
    "the dealer alone dresses the board": ("hand", lambda s: s.antes[1] > s.antes[0] == 0),
    "antes differ by place": ("hand", lambda s: len(s.each_ante(is_dealer=False) - {0}) > 1),
    "a place has no ante": ("hand", lambda s: {0} < s.each_ante(is_dealer=True)),
    "places are fed in turn": ("hand", lambda s: any(pot.fed_by for pot in s.after.preset.board.values())),
    "the last winner is spared": ("hand", spares_winner),
    "chips stay for the next hand": ("hand", lambda s: leftover(s.before) > 0),
    "chips have colours": ("hand", lambda s: s.after.preset.chips),
    "stakes are laid freely": ("place", lambda s: s.moved()),
    "won by holding a card": ("collect", lambda s: s.before.phase == HELD),
    "won by playing it": ("collect", lambda s: s.before.phase == PLAY),
    "a combination": ("collect", lambda s: len(s.after.preset.pot(s.event.pot).cards) > 1),
    "the first in turn has it": ("collect", lambda s: s.rules.claim_tie == "forehand"),
    "a side bet that only a bettor wins": ("collect", lambda s: s.out_of("side")),
    "turned up for the dealer": ("turn-up", lambda s: s.out_of("card")),
    "turned up, it ends the hand": ("turn-up", lambda s: s.after.phase == SHOWDOWN),
    "several share": ("share", lambda s: s.moved()),
    "equal poker hands": ("poker", lambda s: len(s.event.winners) > 1),
    "poker after a hand": ("poker", lambda s: s.before.phase == SHOWDOWN),
    "poker before the play": ("poker", lambda s: s.before.phase == "poker"),
    "a bet on the pool": ("bet", lambda s: s.into("poker")),
    "forgotten chips stay": ("", forfeits),
    "the dummy is sold": ("sale bid pass", lambda s: s.moved(target=s.after.current_deal().dealer)),
    "everybody pays at once": ("due", lambda s: s.moved()),
    "a fine": ("fine", lambda s: s.moved()),
    "cards left are paid": ("out", lambda s: s.out_of("out") < s.moved()),
    "points left are paid": ("out", lambda s: s.rules.out_count == "points" and s.moved()),
    "somebody is excused": ("out", lambda s: s.event.excused),
    "the hand goes on after an out": ("out", lambda s: s.after.phase == PLAY),
    "the whole board at once": ("sweep", lambda s: s.moved()),
    "a penalty bars": ("penalty", lambda s: s.after.deal and s.after.deal.barred),
    "as much as lies there, which stays": ("held", lambda s: s.moved()),
    "the rest is shared": ("end", lambda s: leftover(s.before) and s.rules.end == "equal"),
    "the last winner has the rest": ("end", lambda s: leftover(s.before) and s.rules.end == "last_hand_winner"),
    "a poker hand has the rest": ("end", lambda s: leftover(s.before) and s.rules.end == "poker_hand"),
    "an IOU": ("", lambda s: len(s.after.ledger.iou) > len(s.before.ledger.iou)),
    "bought when short": ("", lambda s: BANK in dict(getattr(s.event, "cover", {})).values()),
}
"""Mechanisms of pot games by what they are: the kinds of events (any where there is none), and what shows them."""


def boards() -> list[Preset]:
    """Return every board that comes with the tracker, and one whose places are fed in turn."""
    kitty = built_in("michigan-kitty")
    fed = replace(kitty, pots=tuple(replace(pot, fed_by=at % 4) for at, pot in enumerate(kitty.pots)))
    return [*all_built_in(), replace(fed, id="fed-in-turn")]


def steps(preset: Preset, chance: Random) -> Iterator[Step]:
    """Play a random night to its end and a payment, under house rules drawn by lot, and yield every step."""
    night = Night(preset.with_options(random_options(preset, chance)))
    for event in random_night(night.preset, chance, LENGTH):
        before, night = night, apply(night, event)
        yield Step(before, event, night)
    while not night.is_over:
        is_played = night.is_between_hands and night.phase != LOBBY
        following = end_event(night, chance) if is_played else legal_event(night, chance, may_end=False)
        assert following
        before, night = night, apply(night, following)
        yield Step(before, following, night)
    payment = legal_event(night, chance)
    yield Step(night, payment, apply(night, payment))


def test_random_nights_over_all_boards_reach_every_mechanism_and_every_kind_of_event() -> None:
    kinds, hit = Counter[str](), Counter[str]()
    for seed in range(3 * SEEDS):
        for preset in boards() if seed < SEEDS else [one for one in boards() if one.game != "pots"]:
            for step in steps(preset, Random(f"{preset.id} {seed}")):
                kinds[step.event.kind] += 1
                for name, (words, is_shown) in MECHANISMS.items() if preset.is_pot_game else ():
                    if not words or step.event.kind in words.split():
                        hit[name] += bool(is_shown(step))
        if set(+hit) == MECHANISMS.keys() and kinds.keys() == KINDS.keys() - CORRECTIONS:
            break
    assert MECHANISMS.keys() - +hit == set()
    assert set(KINDS) - CORRECTIONS - set(kinds) == set()
