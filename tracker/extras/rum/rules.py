"""Michigan Rummy with the snake: what a deal pays, hand by hand (RULES 2.4, G1 to G9)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, cast

from tracker.core import settlement
from tracker.core.apply import EVERY_GAME
from tracker.core.errors import BadEvent, NotAllowed
from tracker.core.events import Chips, End, Event, Penalty
from tracker.core.game import Game, Handler
from tracker.core.house_rules import AT_HOME, RuleSet, house_rule
from tracker.core.night import LOBBY, PLAY, Night, Settled
from tracker.core.preset import RANKS, SUITS, Preset, is_card
from tracker.extras._score.deals import share, with_deal

FAULTS = ("false-rummy", "unused-purchase")
_SNAKE = "the German sheet with the snake"
_ORDER = {rank: place for place, rank in enumerate(RANKS, start=2)}
JOKER = "JK"


@dataclass(frozen=True)
class RumRules(RuleSet):
    """The house rules of this game alone."""

    ace_high_seq: Literal[1, 15] = house_rule("ace_high_seq", 1, _SNAKE)
    fault_points: int = house_rule("fault.points", 20, _SNAKE, high=1000)
    fault_to: Literal["winner", "each", "sheet"] = house_rule(
        "fault.to", "winner", AT_HOME, idle={"fault.points": (0,)}
    )
    fault_own: Literal["reduce", "sheet", "ignore"] = house_rule(
        "fault.own", "reduce", AT_HOME, idle={"fault.points": (0,), "fault.to": ("each", "sheet")}
    )
    stock_out: Literal["full", "difference"] = house_rule("stock_out", "full", _SNAKE)
    joker: Literal[0, 20, 25] = house_rule("joker", 0, AT_HOME)
    one_turn: Literal[1, 2] = house_rule("one_turn", 1, AT_HOME)


def rules(night: Night) -> RumRules:
    """Return the house rules of a night of this game."""
    return cast(RumRules, night.house_rules)


# What a hand of cards counts


def card(text: str) -> str:
    """Return a card such as `10H` or `KC`, or JOKER; BadEvent for a text that is none."""
    if text == JOKER or (text not in RANKS and is_card(text)):
        return text
    raise BadEvent("{text!r} is not a card: write a rank and a suit, such as 10H or KC", text=text, field="cards")


@dataclass(frozen=True)
class Holding:
    """What somebody still holds: single cards, and the sequences among them."""

    cards: tuple[str, ...] = ()
    sequences: tuple[tuple[str, ...], ...] = ()


def points(held: Holding, *, ace_high_in_sequence: int = 1, joker: int = 0) -> int:
    """Return the points that a hand costs; an ace in a sequence counts 1, any other 15 (RULES 2.4)."""
    loose = sum(_single(card(text), joker) for text in held.cards)
    laid = sum(_sequence([card(text) for text in cards], ace_high_in_sequence, joker) for cards in held.sequences)
    return loose + laid


def _single(one: str, joker: int) -> int:
    if one == JOKER:
        if not joker:
            raise BadEvent("this table plays without jokers", field="cards")
        return joker
    rank = one[:-1]
    if rank == "A":
        return 15
    return int(rank) if rank.isdigit() else 10


def _sequence(cards: Sequence[str], ace_high: int, joker: int) -> int:
    is_high = _check_sequence(cards)
    ace = ace_high if is_high else 1
    return sum(ace if one[:-1] == "A" else _single(one, joker) for one in cards)


def _check_sequence(cards: Sequence[str]) -> bool:
    """Return whether the ace stands above the king; BadEvent when the cards are no sequence."""
    shown = [one for one in cards if one != JOKER]  # a joker stands for whatever is missing
    if 3 <= len(cards) <= len(RANKS) and len({one[-1] for one in shown}) == 1:
        for ace, is_high in ((1, False), (_ORDER["A"], True)):
            places = {ace if one[:-1] == "A" else _ORDER[one[:-1]] for one in shown}
            if len(places) == len(shown) and max(places) - min(places) < len(cards):
                return is_high
    raise BadEvent("a sequence is three or more cards of one suit in a row", field="sequences")


HeldHand = Chips | Holding


# The events


class Rummy(Event, kind="rummy", ends_deal=True):
    seat: str
    hands: Mapping[str, HeldHand]
    one_turn: bool = False
    """All cards laid down in one turn, where the house doubles that (RULES G9)."""


class StockOut(Event, kind="stock-out", ends_deal=True):
    hands: Mapping[str, HeldHand]


def penalty(night: Night, event: Penalty) -> Night:
    """Note a fault; its points are paid with this deal's settlement."""
    night.require_phase(LOBBY, PLAY)
    if event.offence not in FAULTS:
        known = " or ".join(FAULTS)
        raise BadEvent("the offence is {known}, not {what!r}", known=known, what=event.offence, field="offence")
    if event.suit is not None or event.cover:
        raise BadEvent("this game’s faults have neither a suit nor a cover", field="suit" if event.suit else "cover")
    fault = (night.require_seated(event.seat), event.offence)
    return replace(night, phase=PLAY, faults=(*night.faults, fault), last_transfers=())


def rummy(night: Night, event: Rummy) -> Night:
    """Whoever goes out is paid every other hand in full, figures still held included (RULES G2)."""
    night.require_phase(LOBBY, PLAY)
    winner = night.require_seated(event.seat)
    if event.one_turn and not may_pay_double(night):
        raise NotAllowed("this table does not double for going out in one turn")
    others = [seat for seat in night.clockwise_from(winner) if seat != winner]
    counted = _counted(night, event.hands, others)
    paid = {seat: owed_for(night, points, one_turn=event.one_turn) for seat, points in counted.items()}
    return _settled(night, [winner], counted, paid, is_stock_out=False)


def may_pay_double(night: Night) -> bool:
    """Return whether everybody pays more at this table when somebody goes out in one turn (RULES G9)."""
    return rules(night).one_turn > 1


def owed_for(night: Night, points: int, *, one_turn: bool) -> int:
    """Return what `points` cost, in points, when somebody goes out, in one turn or not (RULES G2, G9)."""
    return points * (rules(night).one_turn if one_turn else 1)


def stock_out(night: Night, event: StockOut) -> Night:
    """Nobody went out: fewest points win, a tie is shared; losers pay in full or the difference (RULES G6)."""
    night.require_phase(LOBBY, PLAY)
    counted = _counted(night, event.hands, night.seats)
    least = min(counted.values())
    winners = [seat for seat in counted if counted[seat] == least]
    off = least if rules(night).stock_out == "difference" else 0
    paid = {seat: points - off for seat, points in counted.items() if seat not in winners}
    return _settled(night, winners, counted, paid, is_stock_out=True)


def _counted(night: Night, hands: Mapping[str, HeldHand], expected: Sequence[str]) -> dict[str, int]:
    """Return the points of each hand, newcomers without one aside; BadEvent when one is missing, or pays nobody."""
    offenders = [offender for offender, _ in night.faults]
    if len({*night.seats, *offenders}) < 2:
        raise NotAllowed("a deal needs at least two people")
    for seat in hands:
        if seat not in expected:
            raise BadEvent("{seat} has no hand to count in this deal", seat=night.name(seat), field="hands")
    missing = [night.name(seat) for seat in expected if seat not in hands and seat not in night.newcomers]
    if missing:
        raise BadEvent("cards or points are missing: {names}", names=", ".join(missing), field="hands")
    if not hands and set(offenders) <= set(night.seats):
        raise NotAllowed("a deal needs at least two people")
    return {seat: hand_points(night, hands[seat]) for seat in expected if seat in hands}


def hand_points(night: Night, held: HeldHand) -> int:
    """Return what a hand costs by this table's rules (RULES G3, G7)."""
    if not isinstance(held, Holding):
        return held
    return points(held, ace_high_in_sequence=rules(night).ace_high_seq, joker=rules(night).joker)


@dataclass(frozen=True)
class CardPoints:
    """What a card of one rank counts, in points: alone, in a sequence, in one that holds the rank `high_with` too."""

    rank: str
    alone: int
    in_sequence: int
    in_high_sequence: int
    high_with: str = ""


def card_points(night: Night) -> tuple[CardPoints, ...]:
    """Return what each rank counts at this table, the ace first (RULES G3, G7)."""
    alone = {
        rank: hand_points(night, Holding((f"{rank}H",))) for rank in ("A", *(rank for rank in RANKS if rank != "A"))
    }
    low = hand_points(night, Holding(sequences=(("AH", "2H", "3H"),))) - alone["2"] - alone["3"]
    high = hand_points(night, Holding(sequences=(("QH", "KH", "AH"),))) - alone["Q"] - alone["K"]
    ace = CardPoints("A", alone.pop("A"), low, high, high_with="K")
    return (ace, *(CardPoints(rank, points, points, points) for rank, points in alone.items()))


def _settled(
    night: Night, winners: list[str], counted: Mapping[str, int], paid: Mapping[str, int], *, is_stock_out: bool
) -> Night:
    players = [seat for seat in night.seats if seat in counted or seat in winners]
    change = dict.fromkeys(players, 0)
    for seat, lost in paid.items():
        change[seat] -= lost
    share(change, winners, sum(paid.values()))
    for offender, _ in night.faults:
        _pay_fault(night, change, offender, winners, players)
    return with_deal(night, Settled(tuple(winners), dict(counted), night.faults, change, is_stock_out))


def _pay_fault(night: Night, change: dict[str, int], offender: str, winners: list[str], players: Sequence[str]) -> None:
    """Pay one fault, also of somebody who has left: to the winner, to all others, or on the sheet (RULES G4, G5)."""
    cost, to = rules(night).fault_points, rules(night).fault_to
    others = [seat for seat in night.clockwise_from(offender) if seat != offender and seat in players]
    change.setdefault(offender, 0)
    if to == "each":
        change[offender] -= cost * len(others)
        for seat in others:
            change[seat] += cost
    elif to == "sheet":
        change[offender] -= cost
    elif offender not in winners:
        change[offender] -= cost
        share(change, winners, cost)
    elif rules(night).fault_own != "ignore":
        change[offender] -= cost
        if rules(night).fault_own == "reduce":
            share(change, [seat for seat in others if seat not in winners] or others, cost)


def waiting_faults(night: Night) -> tuple[str, ...]:
    """Return the offenders whose points wait for a deal, once for each fault; none with nobody left to settle with."""
    parties = {*fault_payees(night), *(offender for offender, _ in night.faults)}
    is_owed = rules(night).fault_points and fault_payees(night) and len(parties) > 1
    return tuple(offender for offender, _ in night.faults) if is_owed else ()


def fault_payees(night: Night) -> tuple[str, ...]:
    """Return who plays the present deal, clockwise: the points of its faults can go to nobody else."""
    return tuple(seat for seat in night.seats if seat not in night.newcomers)


def require_faults_paid(night: Night, _: End) -> None:
    """Raise NotAllowed for an end while points of faults wait for a deal."""
    if waiting := dict.fromkeys(waiting_faults(night)):
        names = ", ".join(map(night.name, waiting))
        raise NotAllowed("points of {names} still wait for a deal: enter them, or take them back", names=names)


def fault_booking(night: Night, seat: str) -> Rummy | StockOut:
    """Return the deal without points that books faults still waiting; BadEvent for a paid winner that is not named."""
    players = fault_payees(night)
    if rules(night).fault_to != "winner":
        return StockOut(dict.fromkeys(players, Chips(0)))
    if seat not in players:
        raise BadEvent("who gets the points that wait?", field="seat")
    return Rummy(seat, {other: Chips(0) for other in players if other != seat})


class RumGame(Game):
    """Michigan Rummy with the snake."""

    name = "rum"
    rules = RumRules
    order = 20
    package = __package__
    presets = ("michigan-rummy-snake",)
    settles_points = True
    handlers: Mapping[str, Handler] = EVERY_GAME | {
        "end": Handler(settlement.end, require_faults_paid),
        "penalty": Handler(penalty),
        "rummy": Handler(rummy),
        "stock-out": Handler(stock_out),
    }

    def fault_cost(self, preset: Preset) -> int:
        return int(preset["fault.points"])

    def before_end(self, night: Night) -> Event | None:
        return fault_booking(night, fault_payees(night)[0]) if waiting_faults(night) else None

    def rehearse(self, night: Night, chance: Random) -> Iterator[Event]:
        if chance.random() < 0.06:
            yield Penalty(chance.choice(night.seats), chance.choice(FAULTS))
        pack = chance.sample([rank + suit for suit in SUITS for rank in RANKS], 52)
        held = {seat: Holding(tuple(pack[at * 6 :][: chance.randint(1, 6)])) for at, seat in enumerate(night.seats)}
        if chance.random() < 0.12:
            yield StockOut(held)
        winner = chance.choice(night.seats)
        yield Rummy(winner, {seat: hand for seat, hand in held.items() if seat != winner})


GAME = RumGame()
