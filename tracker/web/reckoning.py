"""The settlement as values: the ranking with its reasons, the payments, the chart, and the chips that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core import settlement, summary
from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.night import SHOWDOWN, Night
from tracker.core.settlement import Payment
from tracker.web.chart import Series
from tracker.web.faces import Face, faces
from tracker.web.history import History
from tracker.web.texts import amount, listed, ngettext
from tracker.web.texts import gettext as _

_WHY: Mapping[str, str] = {
    "hand": "antes",
    "collect": "places",
    "poker": "places",
    "bid": "dummy",
    "pass": "dummy",
    "sale": "dummy",
    "penalty": "penalties",
    "held": "penalties",
    "place": "antes",
    "share": "places",
    "turn-up": "places",
    "sweep": "places",
    "bet": "bets",
    "due": "dues",
    "fine": "penalties",
    "left": "penalties",
    "move": "corrections",
    "end": "board",
}
REASONS = (
    "antes",
    "places",
    "cards",
    "dummy",
    "dues",
    "bets",
    "penalties",
    "corrections",
    "board",
    "won",
    "lost",
    "other",
)


@dataclass(frozen=True)
class Rank:
    """A line of the ranking: chips (or points) at the end, won or lost, and out of what that sum is made."""

    place: int
    face: Face
    worth: int
    net: int
    money: str
    bought: int
    why: tuple[tuple[str, int], ...]
    """(reason, chips), summing to the net."""
    note: str = ""


@dataclass(frozen=True)
class Due:
    """A payment to be made: who to whom, as a sum to read, and whether it is ticked off."""

    debtor: Face | None
    creditor: Face | None
    amount: str
    key: str
    is_paid: bool


@dataclass(frozen=True)
class Reckoning:
    """A night's settlement, as if it ended now or as it has."""

    history: History
    settings: Mapping[str, str]

    @property
    def night(self) -> Night:
        return self.history.night

    @property
    def is_pots(self) -> bool:
        return self.night.preset.game == "pots"

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        return faces(self.night)

    @cached_property
    def nets(self) -> dict[str, int]:
        return summary.nets(self.night)

    @cached_property
    def winners(self) -> list[Face]:
        return [self.faces[seat] for seat in summary.winners(self.night)] if self.night.hand else []

    # The ranking

    @cached_property
    def ranks(self) -> list[Rank]:
        """Everybody, the best first; the same net is the same place."""
        first = summary.winners(self.night)
        order = sorted(self.night.ring, key=lambda seat: (seat not in first, -self.nets[seat]))
        found: list[Rank] = []
        for at, seat in enumerate(order):
            level = bool(found) and found[-1].net == self.nets[seat] and (seat in first) == (order[at - 1] in first)
            found.append(self._rank(seat, found[-1].place if level else at + 1))
        return found

    def _rank(self, seat: str, place: int) -> Rank:
        night = self.night
        reasons = self.why.get(seat, {})
        return Rank(
            place=place,
            face=self.faces[seat],
            worth=night.worth(seat) if self.is_pots else self.nets[seat],
            net=self.nets[seat],
            money=money(self.cents[seat]) if self.cents else "",
            bought=night.ledger.bought.get(seat, 0),
            why=tuple((reason_name(reason), reasons[reason]) for reason in REASONS if reasons.get(reason)),
            note=self._rounds_won(seat),
        )

    def _rounds_won(self, seat: str) -> str:
        won = [str(one.number) for one in self.night.rounds if one.winner == seat]
        return _("won round %(rounds)s", rounds=listed(won)) if won else ""

    @cached_property
    def why(self) -> dict[str, dict[str, int]]:
        """What each seat's net is made of: reason -> chips (or points)."""
        found: dict[str, dict[str, int]] = {}
        for seat, reason, chips in self._parts():
            sums = found.setdefault(seat, {})
            sums[reason] = sums.get(reason, 0) + chips
        return found

    def _parts(self) -> Iterator[tuple[str, str, int]]:
        if not self.is_pots:
            for deal in self.night.deals:
                yield from ((seat, "won" if more > 0 else "lost", more) for seat, more in deal.change.items())
            return
        before = Night(self.night.preset)
        for (_number, event), after in zip(self.history.events, self.history.states, strict=True):
            for seat in after.ring:
                if more := after.net(seat) - before.net(seat):
                    yield from _reasons(event, after, seat, more)
            before = after

    # Payments

    @property
    def has_money(self) -> bool:
        return self.night.preset.game != "rounds" and self.night.preset.number("money.cents") > 0

    @cached_property
    def cents(self) -> dict[str, int]:
        """The nets in cents, rounded to the smallest coin; nothing when chips are worth nothing."""
        if not self.has_money:
            return {}
        rule = self.night.preset.number
        nets = dict(self.nets)
        if house := -sum(nets.values()):
            nets[BANK] = house
        return settlement.in_money(nets, chips=rule("money.chips"), cents=rule("money.cents"), coin=rule("money.coin"))

    @cached_property
    def dues(self) -> list[Due]:
        """The fewest payments that settle the night: in money, or in points, or what IOUs left open in chips."""
        if self.has_money:
            return [self._due(one, money(one.chips)) for one in settlement.payments(self.cents)]
        if self.is_pots:
            claims = {seat: chips for seat, chips in self.night.ledger.claims.items() if chips}
            return [self._due(one, str(one.chips)) for one in settlement.payments(claims)]
        return [self._due(one, str(one.chips)) for one in summary.settling(self.night)]

    def _due(self, one: Payment, amount: str) -> Due:
        key = f"paid.{one.debtor}.{one.creditor}.{one.chips}"
        return Due(self.faces.get(one.debtor), self.faces.get(one.creditor), amount, key, key in self.settings)

    @property
    def rate(self) -> str:
        """What chips are worth, as a tag."""
        chips, cents = self.night.preset.number("money.chips"), self.night.preset.number("money.cents")
        unit = ngettext("%(num)s chip", "%(num)s chips", chips) if self.is_pots else _("%(n)s points", n=chips)
        return f"{unit} = {money(cents)}"

    # Chips

    @property
    def in_play(self) -> int:
        """All chips on the table: what the bank has given out and not taken back."""
        return -self.night.ledger.balance(BANK)

    @property
    def all_there(self) -> str:
        """Where all chips are, as a sentence: what people who left gave back counts in the ranking, too."""
        there = _("%(n)s of %(n)s chips. Nothing missing.", n=self.in_play)
        cashed = sum(self.night.ledger.cashed.values())
        return f"{there} {_('%(n)s more were given back by people who left.', n=cashed)}" if cashed else there

    @property
    def is_bought_unequally(self) -> bool:
        """Whether more chips than somebody else's need not mean more won."""
        return self.is_pots and len({rank.bought for rank in self.ranks}) > 1

    @property
    def counted_off(self) -> int:
        """Chips that the last count had more (or fewer) than the book; 0 without one."""
        return (
            sum(self.night.counted.values()) - sum(self.night.ledger.balance(account) for account in self.night.counted)
            if self.night.counted and not self.night.is_over
            else 0
        )

    # The night hand by hand

    @cached_property
    def hands(self) -> list[int]:
        return [hand for hand in self.history.hands if hand]

    @cached_property
    def moments(self) -> list[str]:
        names = [_("start"), *map(str, self.hands)]
        return [*names, _("end")] if self._has_end else names

    @property
    def _has_end(self) -> bool:
        return self.is_pots and self.night.is_over and bool(self.hands)

    @cached_property
    def series(self) -> list[Series]:
        """Everybody's net after each hand: bought chips are no gain, so lines of late buyers don't jump."""
        states = [self.history.before_end(hand) for hand in self.hands]
        states += [self.night] if self._has_end else []
        points = [summary.nets(state) for state in states]
        return [Series(self.faces[seat], (0, *(one.get(seat, 0) for one in points))) for seat in self.night.ring]


def _reasons(event: Event, after: Night, seat: str, more: int) -> Iterator[tuple[str, str, int]]:
    """Split what one event changed for one seat into its reasons."""
    if event.kind not in ("out", "turn-up") or after.phase != SHOWDOWN:
        yield seat, _WHY.get(event.kind, "other"), more
        return
    deal, won = after.the_deal(), 0
    if seat == deal.winner:
        pots = {pot.id for pot in after.preset.won_by("out")}
        pots |= {deal.turned_up} if event.kind == "turn-up" and deal.turned_up else set()
        won = sum(one.chips for pot, one in deal.taken.items() if pot in pots)
    yield seat, "places", won
    yield seat, "cards", more - won


def reason_name(reason: str) -> str:
    """Return a reason in the reader's language."""
    return {
        "antes": _("antes"),
        "places": _("won from places"),
        "cards": _("cards left"),
        "dummy": _("dummy hand"),
        "dues": _("cards that pay at once"),
        "bets": _("bets"),
        "penalties": _("penalties"),
        "corrections": _("set right by hand"),
        "board": _("share of the board"),
        "won": _("deals won"),
        "lost": _("deals lost"),
    }.get(reason, _("other"))


def money(cents: int) -> str:
    """Return a sum as people write it, without a currency: the tracker does not know which."""
    return amount(cents)
