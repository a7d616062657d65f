"""A list that settles several nights, as values for its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tracker.app.settle_up import NightCost, SettleUp
from tracker.archive.night_summary import NightSummary
from tracker.archive.people import People
from tracker.archive.summaries import Summaries
from tracker.core.ledger import BANK
from tracker.core.settlement import Owed
from tracker.formats.table_text import safe
from tracker.web.wording.dates import day_of, evening_of, short_day
from tracker.web.wording.texts import amount, listed
from tracker.web.wording.texts import gettext as _

PERSON = "person:"


@dataclass(frozen=True)
class PartyName:
    """Somebody in the list."""

    name: str
    day: str = ""
    """The evening, of somebody who is told apart from the same name at others by it."""

    def __str__(self) -> str:
        return _("%(name)s (%(day)s)", name=self.name, day=self.day) if self.day else self.name


@dataclass(frozen=True)
class PaymentLine:
    """A payment of the list."""

    place: int
    owed: Owed
    debtor: PartyName
    creditor: PartyName
    amount: str
    is_paid: bool


@dataclass(frozen=True)
class CostLine:
    """A shared cost of the list."""

    key: str
    what: str
    line: str
    amount: str


@dataclass(frozen=True)
class SettleView:
    """A list with the names of its people and nights."""

    settle_up: SettleUp
    people: Mapping[str, str]
    """The name of each person, by its party."""
    nights: Mapping[str, NightSummary]

    @cached_property
    def names(self) -> Mapping[str, PartyName]:
        """The name of each party; one that is no person is told apart by its evening."""
        is_one_night = len(self.settle_up.codes) == 1
        names = {BANK: PartyName(_("the box"))}
        for seat in self.settle_up.seats:
            day = "" if is_one_night or seat.party in self.people else self.short_day(seat.code)
            names[seat.party] = PartyName(self.people.get(seat.party) or seat.name, day)
        return names

    @property
    def has_unlinked(self) -> bool:
        """Whether somebody of a list over several nights is no person, and so stands in it by the evening."""
        parties = {seat.party for seat in self.settle_up.seats}
        return len(self.settle_up.codes) > 1 and any(not party.startswith(PERSON) for party in parties)

    def day(self, code: str) -> str:
        """Return the day of a night; empty for one that is not there any more."""
        return day_of(self.nights[code].day) if code in self.nights else ""

    def short_day(self, code: str) -> str:
        """Return the day of a night without its year; empty where nobody knows it."""
        try:
            return short_day(evening_of(datetime.fromisoformat(self.nights[code].day)))
        except (KeyError, ValueError):
            return ""

    def night_name(self, code: str) -> str:
        """Return a night's name and day."""
        name = self.nights[code].name if code in self.nights else code
        return "\N{NO-BREAK SPACE}· ".join(part for part in (name, self.day(code)) if part)

    @property
    def night_names(self) -> list[str]:
        return [self.night_name(code) for code in self.settle_up.codes]

    @property
    def days(self) -> str:
        """The days of the nights."""
        return listed(self.day(code) or code for code in reversed(self.settle_up.codes))

    @property
    def made_on(self) -> str:
        return day_of(self.settle_up.made_at)

    @cached_property
    def payments(self) -> list[PaymentLine]:
        """Who pays whom."""
        return [
            PaymentLine(
                place,
                one,
                self.names[one.debtor],
                self.names[one.creditor],
                amount(one.cents),
                place in self.settle_up.paid or self.settle_up.is_recorded,
            )
            for place, one in enumerate(self.settle_up.payments)
        ]

    @property
    def text(self) -> str:
        """The list as plain text to copy or send."""
        lines = [_("Settle up"), self.days]
        for one in self.payments:
            sentence = _(
                "%(debtor)s pays %(creditor)s %(amount)s",
                debtor=one.debtor,
                creditor=one.creditor,
                amount=one.amount,
            )
            lines.append(f"{sentence} ({_('paid')})" if one.is_paid else sentence)
        if self.costs:
            lines += ["", _("Shared costs"), *(f"{cost.what} {cost.amount}: {cost.line}" for cost in self.costs)]
        return "\n".join(str(safe(line)) for line in lines)  # pasted into a spreadsheet, each line is a cell

    @property
    def left(self) -> int:
        """How many payments are open."""
        return sum(not one.is_paid for one in self.payments)

    @property
    def costs(self) -> list[CostLine]:
        return [
            CostLine(one.key, one.what or _("Shared cost"), self._cost_line(one), amount(one.cents))
            for one in self.settle_up.costs
        ]

    def _cost_line(self, cost: NightCost) -> str:
        names = dict(self.parties_of(cost.code))
        payer, day = names[cost.payer], self.short_day(cost.code)
        if len(cost.sharers) == len(names):
            line = _("%(payer)s paid for everybody", payer=payer)
        else:
            line = _("%(payer)s paid for %(names)s", payer=payer, names=listed(names[one] for one in cost.sharers))
        return "\N{NO-BREAK SPACE}· ".join(part for part in (line, day) if part)

    def parties_of(self, code: str) -> Sequence[tuple[str, str]]:
        """Return the parties of a night with the names that they have there."""
        return [(seat.party, seat.name) for seat in self.settle_up.seats if seat.code == code]


def settle_view(settle_up: SettleUp, people: People, summaries: Summaries) -> SettleView:
    """Return a list with the names of its people and nights as they are now."""
    named = {f"{PERSON}{person.id}": person.name for person in people.all()}
    nights = {one.code: one for one in summaries.of(settle_up.codes)}
    return SettleView(settle_up, named, nights)
