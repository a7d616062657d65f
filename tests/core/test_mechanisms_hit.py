"""Random nights really reach every mechanism of the rules, by name; `pytest -s` prints how often until all are reached.

The numbers are those of the rules collection: each mechanism is shown by what an event did under a house rule, not by
the kind of event alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

import click
import pytest
from support.random_nights import end_event, full_pots, legal_event, playing_seats, random_night, random_options

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import KINDS, Event
from tracker.core.game import GAMES
from tracker.core.ledger import BANK
from tracker.core.night import HELD, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.preset import Pot, Preset
from tracker.core.settlement import leftover
from tracker.formats.built_in import all_built_in, built_in

CORRECTIONS = {"undo", "amend"}  # the property tests make these themselves
SEEDS, LENGTH = 7, 110


@dataclass(frozen=True)
class Step:
    """One event of a night: the state before it and after it."""

    before: Night
    event: Event
    after: Night

    @property
    def preset(self) -> Preset:
        return self.after.preset

    @property
    def pot(self) -> Pot | None:
        return self.preset.board.get(getattr(self.event, "pot", ""))

    def moved(self, source: str = "", target: str = "") -> int:
        """Return the chips that this event moved from, or to, an account."""
        ours = (one for one in self.after.last_transfers if source in ("", one.source) and target in ("", one.target))
        return sum(one.chips for one in ours)

    def into(self, won_by: str) -> int:
        return sum(self.moved(target=pot.id) for pot in self.preset.won_by(won_by))

    def out_of(self, won_by: str) -> int:
        return sum(self.moved(source=pot.id) for pot in self.preset.won_by(won_by))


def is_kind(step: Step, *kinds: str) -> bool:
    return step.event.kind in kinds


def antes(step: Step) -> dict[str, list[int]]:
    """Return what the dealer, and the others, put in each place by a hand's antes."""
    pots, others = list(step.preset.board.values()), range(1, len(step.after.current_deal().seats))
    return {
        "dealer": [step.preset.ante(pot, len(others) + 1, is_dealer=True) for pot in pots],
        "others": [step.preset.ante(pot, place, is_dealer=False) for pot in pots for place in others],
        "first": [step.preset.ante(pot, 1, is_dealer=False) for pot in pots],
    }


def is_spared(step: Step) -> bool:
    winner = step.before.deal.winner if step.before.deal else None
    deal = step.after.current_deal()
    is_asked = step.preset["ante.exempt"] == "last_winner" and winner in deal.seats and winner != deal.dealer
    return bool(is_asked and winner and step.moved() and not step.moved(source=winner))


def forfeits(step: Step) -> bool:
    """A money card forgotten until the hand is paid is refused, and its chips stay."""
    late = step.preset["late_claim"] == "next_card_forfeits" and step.after.phase == SHOWDOWN
    pots, seats = full_pots(step.after, "card"), playing_seats(step.after)
    if not late or not pots or not seats:
        return False
    with pytest.raises(TableError):
        apply(step.after, events.Collect(seats[0], pots[0]))
    return True


def is_dummy(step: Step) -> bool:
    return is_kind(step, "exchange", "no-sale", "sale", "bid", "pass")


def is_hand(step: Step) -> bool:
    return is_kind(step, "hand")


def is_end(step: Step) -> bool:
    return is_kind(step, "end") and leftover(step.before) > 0


MECHANISMS: dict[str, tuple[str, Callable[[Step], bool]]] = {
    "M1": ("places that cards, going out, poker and bets win", lambda s: is_kind(s, "collect") and s.pot is not None),
    "M2": ("antes by place", lambda s: is_hand(s) and sum(antes(s)["others"]) > 0),
    "M3": (
        "the dealer puts in another sum",
        lambda s: is_hand(s) and sum(antes(s)["dealer"]) > sum(antes(s)["first"]) > 0,
    ),
    "M4": (
        "the dealer alone dresses",
        lambda s: is_hand(s) and sum(antes(s)["dealer"]) > sum(antes(s)["others"]) == 0,
    ),
    "M5": ("different antes by place", lambda s: is_hand(s) and len({*antes(s)["first"]} - {0}) > 1),
    "M6": ("places without ante", lambda s: is_hand(s) and 0 in antes(s)["dealer"] and any(antes(s)["dealer"])),
    "M7": ("own stakes, freely placed", lambda s: is_kind(s, "place") and s.moved() > 0),
    "M8": ("places fed in turn", lambda s: is_hand(s) and any(pot.fed_by for pot in s.preset.board.values())),
    "M9": ("the last winner is spared", lambda s: is_hand(s) and is_spared(s)),
    "M10": ("held before the play", lambda s: is_kind(s, "collect") and s.before.phase == HELD),
    "M10 turned up": ("turned up for the dealer", lambda s: is_kind(s, "turn-up") and s.out_of("card") > 0),
    "M10 played": ("won by playing", lambda s: is_kind(s, "collect") and s.before.phase == PLAY),
    "M10 by hand": ("any other way, by hand", lambda s: is_kind(s, "move")),
    "M11": ("a combination to one player", lambda s: is_kind(s, "collect") and bool(s.pot and len(s.pot.cards) > 1)),
    "M12": ("several share, the rest stays", lambda s: is_kind(s, "share") and s.moved() > 0),
    "M12 first": ("the first in turn", lambda s: is_kind(s, "collect") and s.preset["claim.tie"] == "forehand"),
    "M12 poker": ("equal poker hands", lambda s: is_kind(s, "poker") and len(getattr(s.event, "winners", ())) > 1),
    "M13": ("a late claim forfeits", forfeits),
    "M14": ("the dummy is exchanged", lambda s: is_kind(s, "exchange")),
    "M14 auction": ("the dummy is sold", lambda s: is_dummy(s) and s.moved(target=s.after.current_deal().dealer) > 0),
    "M15": ("poker at the end of a hand", lambda s: is_kind(s, "poker") and s.before.phase == SHOWDOWN),
    "M15 before": ("poker before the play", lambda s: is_kind(s, "poker") and s.before.phase == "poker"),
    "M15 betting": ("bets for the pool", lambda s: is_kind(s, "bet") and s.into("poker") > 0),
    "M16": ("a side bet that only a bettor wins", lambda s: is_kind(s, "collect") and s.out_of("side") > 0),
    "M17": ("everybody pays at once", lambda s: is_kind(s, "due") and s.moved() > 0),
    "M18": ("a chip for not being able to play", lambda s: is_kind(s, "fine") and s.moved() > 0),
    "M19": ("out takes its place and cards are paid", lambda s: is_kind(s, "out") and s.out_of("out") < s.moved()),
    "M19 points": ("by points", lambda s: is_kind(s, "out") and s.preset["out.count"] == "points" and s.moved() > 0),
    "M20": ("somebody is excused", lambda s: is_kind(s, "out") and bool(getattr(s.event, "excused", ()))),
    "M21": ("paid double", lambda s: is_kind(s, "rummy") and bool(getattr(s.event, "one_turn", False))),
    "M22": ("the whole board at once", lambda s: is_kind(s, "sweep") and s.moved() > 0),
    "M22 last": ("the last winner sweeps", lambda s: is_end(s) and s.preset["end"] == "last_hand_winner"),
    "M23": ("still in the hand", lambda s: is_kind(s, "left")),
    "M24": ("penalty and bar", lambda s: is_kind(s, "penalty") and bool(s.after.deal and s.after.deal.barred)),
    "M25": ("as much as the place holds, which stays", lambda s: is_kind(s, "held") and bool(s.pot) and s.moved() > 0),
    "M26": ("the hand goes on after an out", lambda s: is_kind(s, "out") and s.after.phase == PLAY),
    "M27": ("chips stay for the next hand", lambda s: is_hand(s) and leftover(s.before) > 0),
    "M28": ("the rest is shared", lambda s: is_end(s) and s.preset["end"] == "equal"),
    "M28 poker": ("one poker hand has the rest", lambda s: is_end(s) and s.preset["end"] == "poker_hand"),
    "M29": ("an IOU", lambda s: len(s.after.ledger.iou) > len(s.before.ledger.iou)),
    "M29 bank": ("bought when short", lambda s: BANK in dict(getattr(s.event, "cover", {})).values()),
    "M30": ("colours of chips", lambda s: is_hand(s) and bool(s.preset.chips)),
    "M31": ("a list of rounds, one winner each", lambda s: is_kind(s, "round") and bool(s.after.deals)),
    "M31 short": ("a part of the rounds", lambda s: is_kind(s, "round") and s.preset["rounds"] == "short"),
    "M32": ("hands counted by cards", lambda s: is_kind(s, "rummy", "stock-out") and bool(s.after.deals)),
    "M32 fault": ("a fault in the score", lambda s: is_kind(s, "penalty") and bool(s.after.faults)),
    "M33": ("the hand is over at once", lambda s: is_kind(s, "turn-up") and s.after.phase == SHOWDOWN),
}


def boards() -> list[Preset]:
    """Every board that comes with the tracker, the ready-made tables, and one whose places are fed in turn."""
    kitty = built_in("michigan-kitty")
    fed = replace(kitty, pots=tuple(replace(pot, fed_by=at % 4) for at, pot in enumerate(kitty.pots)))
    return [*all_built_in(), replace(fed, id="fed-in-turn")]


def steps(preset: Preset, chance: Random) -> Iterator[Step]:
    """Play a random night to its end, under house rules drawn by lot, and yield every step."""
    night = Night(preset.with_options(random_options(preset, chance)))
    for event in random_night(night.preset, chance, LENGTH):
        before, night = night, apply(night, event)
        yield Step(before, event, night)
    while not night.is_over and (not night.is_between_hands or night.phase == LOBBY):
        event = legal_event(night, chance, may_end=False)
        before, night = night, apply(night, event)
        yield Step(before, event, night)
    while not night.is_over:
        end = end_event(night, chance)
        assert end
        before, night = night, apply(night, end)
        yield Step(before, end, night)
    payment = legal_event(night, chance)
    yield Step(night, payment, apply(night, payment))


def test_every_mechanism_has_a_name_here() -> None:
    assert {name.split()[0] for name in MECHANISMS} == {f"M{number}" for number in range(1, 34)}


def test_random_nights_over_all_boards_reach_every_mechanism_and_every_kind_of_event() -> None:
    here = {name: one for name, one in MECHANISMS.items() if _game(name) in GAMES}
    hit: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(3 * SEEDS):
        for preset in boards() if seed < SEEDS else [one for one in boards() if one.game != "pots"]:
            for step in steps(preset, Random(f"{preset.id} {seed}")):
                kinds[step.event.kind] += 1
                hit.update(name for name, (_, is_shown) in here.items() if _asks(name, step) and is_shown(step))
        if hit.keys() == here.keys() and kinds.keys() == KINDS.keys() - CORRECTIONS:
            break
    for name, (what, _) in here.items():
        click.echo(f"{hit[name]:6} {name:<13} {what}")
    for kind, times in kinds.most_common():
        click.echo(f"{times:6} {kind}")
    assert [name for name in here if not hit[name]] == []
    assert set(KINDS) - CORRECTIONS - set(kinds) == set()


def _asks(name: str, step: Step) -> bool:
    return step.preset.game == _game(name)


def _game(name: str) -> str:
    """The score games have house rules of their own: only their mechanisms are looked for there."""
    return {"M21": "rum", "M31": "rounds", "M32": "rum"}.get(name.split(maxsplit=1)[0], "pots")
