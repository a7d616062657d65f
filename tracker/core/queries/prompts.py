"""The one question that the table asks just now: what the dock offers follows from it and from nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracker.core import pot_game
from tracker.core.apply import apply
from tracker.core.cards import PACK
from tracker.core.errors import TableError
from tracker.core.events import Hand
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.night import DUMMY, ENDED, HELD, PLAY, POKER, SHOWDOWN, STAKES, Night
from tracker.core.payments import caps_payments
from tracker.core.stages import is_passed_round, least_bid, whose_bid

AFTER_HAND = ("hand_end_left", "hand_end_all")


@dataclass(frozen=True)
class Prompt:
    """Where the night is: `ante stakes dummy auction held poker play count match` or `ended`."""

    name: str
    dealer: str | None = None
    """Before a hand: who deals it."""
    needs: Mapping[str, int] = field(default_factory=dict)
    """Before a hand: each seat's whole ante, in chips. While stakes are placed: each seat's budget."""
    short: Mapping[str, int] = field(default_factory=dict)
    """Before a hand: seats that can't pay it, and how many chips they lack."""
    winner: str | None = None
    """While cards are counted: who is out."""
    payers: tuple[str, ...] = ()
    """While cards are counted: everybody who is asked, clockwise."""
    pot: str | None = None
    offender: str | None = None
    """At the question about a withheld card: whose pot, and who withheld."""
    calls: Mapping[str, int] = field(default_factory=dict)
    """While the poker hand is bet for: what each player lacks to the highest bet, in chips."""
    turn: str | None = None
    """At the dummy hand whose bid it is or would be; while stakes are placed, who is next."""
    least: int = 0
    """At the dummy hand: the least that the next bid must be, in chips."""
    is_offer: bool = False
    """At the dummy hand: it has one price, `least`, and goes to the first who pays it."""
    ends_night: bool = False
    """Before a hand: somebody can't pay, and by the house rule the night is over then."""
    is_stage: bool = False
    """The question is a stage of the hand of its own, which goes on when nobody has an answer."""

    @property
    def stage(self) -> str:
        """The word of the rail that this moment belongs to."""
        if self.name == "poker" and not self.is_stage:
            return "count"
        named = {"auction": "dummy", "match": "count", "ended": "count"}
        return named.get(self.name, self.name)

    @property
    def each(self) -> int:
        """Before a hand: what most people but the dealer put in."""
        others = [chips for seat, chips in self.needs.items() if seat != self.dealer]
        return max(set(others), key=others.count) if others else 0


def stages(night: Night) -> tuple[str, ...]:
    """Return the stages that a hand of this preset goes through, for the rail."""
    return ("ante", *night.preset.stages, "count")


def prompt_of(
    night: Night,
    out: str | None = None,
    plan: Mapping[str, str] | None = None,
    waived: frozenset[str] = frozenset(),
    *,
    is_last: bool = False,
) -> Prompt:
    """Return the question that the table asks now; in a score game it is `play` until the night has ended."""
    if night.phase == ENDED:
        return Prompt("ended")
    if not night.preset.is_pot_game:
        return Prompt("play")
    if night.phase in _IN_HAND:
        return _IN_HAND[night.phase](night)
    if night.phase == PLAY:
        return _count(night, out) if out in pot_game.players(night) else Prompt("play")
    if night.phase == SHOWDOWN and (question := _showdown(night, waived, is_last=is_last)):
        return question
    return ante_prompt(night, plan or {})


def _stakes(night: Night) -> Prompt:
    budgets = pot_game.stakes_due(night)
    return Prompt("stakes", needs=budgets, turn=next(iter(budgets), None))


def _dummy(night: Night) -> Prompt:
    bids, turn = night.current_deal().auction, whose_bid(night)
    if is_passed_round(night):
        return Prompt("auction", turn=turn, least=least_bid(night), is_offer=True)
    if bids.bidder is None and not bids.passed:
        return Prompt("dummy", turn=turn, least=least_bid(night))
    return Prompt("auction", turn=turn, least=least_bid(night))


def _poker(night: Night) -> Prompt:
    is_bet_for = night.house_rules.poker_when == "before_betting"
    missing_chips = calls(night) if is_bet_for else {}
    return Prompt("poker", pot=night.preset.won_by("poker")[0].id, is_stage=True, calls=missing_chips)


def calls(night: Night) -> dict[str, int]:
    """Return what each player who has not folded lacks to the highest bet on the poker hand, in chips."""
    deal = night.current_deal()
    pools = {pool.id for pool in night.preset.won_by("poker")}
    bets = {seat: sum(deal.bets.get((seat, pool), 0) for pool in pools) for seat in deal.seats}
    missing_chips = {seat: max(bets.values()) - chips for seat, chips in bets.items() if seat not in deal.folded}
    if caps_payments(night):
        missing_chips = {seat: min(chips, night.stack(seat)) for seat, chips in missing_chips.items()}
    return {seat: chips for seat, chips in missing_chips.items() if chips}


_IN_HAND = {STAKES: _stakes, DUMMY: _dummy, HELD: lambda _night: Prompt("held", is_stage=True), POKER: _poker}


def _count(night: Night, out: str | None) -> Prompt:
    payers = tuple(seat for seat in night.clockwise_from(out) if seat in pot_game.players(night) and seat != out)
    return Prompt("count", winner=out, payers=payers)


def _showdown(night: Night, waived: frozenset[str], *, is_last: bool) -> Prompt | None:
    deal = night.current_deal()
    for offender, suit in deal.withheld:
        for pot in pot_game.card_pots_of(night, suit):
            if (pot, offender) not in deal.matched_cards and f"match/{pot}/{offender}" not in waived:
                return Prompt("match", pot=pot, offender=offender)
    pools = [pool.id for pool in night.preset.won_by("poker") if night.ledger.holds(pool.id)]
    asks = [*([] if deal.is_abandoned else AFTER_HAND), *(["session_end"] if is_last else [])]
    if night.house_rules.poker_when in asks and pools and deal.poker is None and "poker" not in waived:
        return Prompt("poker", pot=pools[0])
    return None


def ante_prompt(night: Night, plan: Mapping[str, str]) -> Prompt:
    """Return what the next hand's antes need; `plan` says who deals, who sits out (`out`), and who lends whom."""
    dealer = plan.get("dealer") if plan.get("dealer") in night.seats else night.next_dealer()
    if dealer is None:
        return Prompt("ante")
    seats = tuple(seat for seat in night.clockwise_from(dealer) if plan.get(seat) != "out" or seat == dealer)
    night = pot_game.with_new_rules(night)
    lent = {seat: source for seat, source in plan.items() if seat in seats and source != "out"}
    needs = dict.fromkeys(seats, 0)
    for due in pot_game.payable_antes(night, seats, lent)[0]:
        needs[due.payer] += due.chips
    if night.house_rules.shortage == "cap":
        needs = {seat: chips if seat in lent else min(chips, night.stack(seat)) for seat, chips in needs.items()}
    stakes = pot_game.stakes_ahead(night, seats)
    owing = {seat: chips + stakes.get(seat, 0) for seat, chips in needs.items()}
    short = {seat: chips - night.stack(seat) for seat, chips in owing.items() if chips > night.stack(seat)}
    ends_night = bool(short) and night.house_rules.shortage == "end_session"
    return Prompt("ante", dealer=dealer, needs=needs, short=short, ends_night=ends_night)


def planned_hand(night: Night, plan: Mapping[str, str]) -> Hand:
    """Return the hand that begins by this plan: without those who sit out, or can't pay and have nobody to lend."""
    prompt = ante_prompt(night, plan)
    lent = {seat: plan[seat] for seat in prompt.short if plan.get(seat) and plan[seat] != "out"}
    out = [seat for seat in night.seats if plan.get(seat) == "out" or (seat in prompt.short and seat not in lent)]
    return Hand(prompt.dealer or "", tuple(seat for seat in out if seat != prompt.dealer), lent)


def ante_fault(night: Night, plan: Mapping[str, str]) -> TableError | None:
    """Return why the next hand can't begin by this plan; None when it can."""
    try:
        apply(night, planned_hand(night, plan))
    except TableError as fault:
        return fault
    return None


def most_cards(night: Night) -> int:
    """Return how many cards a player can hold at most, for the number pad; of points as many as an event may hold."""
    if night.preset.is_pot_game and night.house_rules.out_count == "points":
        return MOST_CHIPS
    players = len(night.deal.seats) if night.deal else len(night.seats)
    hands = players + (night.house_rules.dummy not in ("unused", "none"))
    return -(-PACK // max(hands, 1))


def asked_seats(night: Night, prompt: Prompt) -> frozenset[str]:
    """Return the seats whose own answer the question waits for: who deals, bids, places chips or has cards left."""
    if prompt.name == "count" and not is_asked_for_cards(night, prompt.winner or ""):
        return frozenset()
    dealer = night.dealer if prompt.name == "dummy" else prompt.dealer
    bidder = prompt.turn if prompt.name == "auction" else None
    placers = prompt.needs if prompt.name == "stakes" else ()
    return frozenset(seat for seat in (dealer, bidder, *placers, *prompt.calls, *prompt.payers) if seat)


def is_asked_for_cards(night: Night, winner: str) -> bool:
    """Return whether others are asked for cards left: not where these cost nothing, nor when an offender goes out."""
    return night.house_rules.out_per_card > 0 and not pot_game.takes_nothing(night, winner)
