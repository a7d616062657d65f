"""What programs for shared costs, and poker sites, export: what it comes to for each person, as open payments."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import floor

from tracker.core.errors import Fault
from tracker.extras.imports.other_night import COSTS, OtherFile, OtherNight, label_on, name_from
from tracker.formats.text import UnreadableError

WITHOUT_CENTS = frozenset(
    re.findall("...", "BIFCLPCOPDJFGNFHUFIDRIRRISKJPYKMFKRWLAKLBPMMKPYGRWFTWDUGXUZSVNDVUVXAFXOFXPF")
)
"""Currencies that are counted in wholes, some of which have cents that nobody uses."""
WITH_THOUSANDTHS = frozenset(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
MOST_OWING, LONGEST_CURRENCY = 20, 20
MOST_SUM = 10**9
"""In the smallest unit."""


@dataclass
class Balances:
    """What rows of shared costs come to for each person, in each of their currencies, exactly."""

    app: str
    name: str = ""
    sums: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    """By currency and name: what somebody gets (+) or owes (-), in wholes."""
    last: date | None = None
    """The day of the newest row."""
    remarks: list[Fault] = field(default_factory=list)
    _smallest: dict[str, int] = field(default_factory=dict)
    """By currency: the most decimals of a sum."""

    def add(self, currency: str, changes: Mapping[str, Fraction], day: date | None = None) -> None:
        """Add what a row changes, which sums to zero."""
        currency = name_from(currency, LONGEST_CURRENCY)
        sums = self.sums.setdefault(currency, {})
        for name, change in changes.items():
            sums[name] = sums.get(name, Fraction(0)) + change
        self.last = max(filter(None, (self.last, day)), default=None)

    def see(self, currency: str, *numbers: Fraction) -> None:
        """Note how many decimals the sums of a currency are written with."""
        currency, seen = name_from(currency, LONGEST_CURRENCY), max(map(_decimals, numbers), default=0)
        self._smallest[currency] = max(self._smallest.get(currency, 0), seen)

    def file(self) -> OtherFile:
        """Return what is owed in each currency as a night. Raises UnreadableError where a table can't be made of it."""
        nights = [self._night(currency) for currency, sums in self.sums.items() if any(sums.values())]
        if not nights:
            raise UnreadableError("in this table nobody owes anybody anything")
        return OtherFile(self.app, tuple(nights), remarks=tuple(self.remarks))

    def _night(self, currency: str) -> OtherNight:
        decimals = decimals_of(currency, self._smallest.get(currency, 0))
        sums = self.sums[currency]
        points = in_units({name: one for name, one in sums.items() if one or len(sums) <= MOST_OWING}, decimals)
        if len(points) > MOST_OWING:
            raise UnreadableError("more than {most} people owe or get something in this table", most=MOST_OWING)
        if max(map(abs, points.values())) > MOST_SUM:
            raise UnreadableError("a sum in this table is larger than {most}", most=f"{MOST_SUM // 10**decimals:,}")
        mark = f"{COSTS}{currency}"
        at = label_on(self.last) if self.last and 1970 < self.last.year < 9000 else ""
        return OtherNight(self.name, at, points, is_money=True, decimals=decimals, currency=currency, mark=mark)


def decimals_of(currency: str, seen: int) -> int:
    """Return how many decimals a currency has here, by its code; of an unknown one, as many as were `seen`."""
    code = currency.strip().upper()
    if code in WITHOUT_CENTS and not seen:
        return 0
    return 3 if code in WITH_THOUSANDTHS or (seen == 3 and not re.fullmatch(r"[A-Z]{3}|[€$£¥]", code)) else 2


def _decimals(number: Fraction) -> int:
    return next((count for count in range(4) if (number * 10**count).denominator == 1), 4)


def in_units(sums: Mapping[str, Fraction], decimals: int) -> dict[str, int]:
    """Return exact sums in the smallest unit, rounded so that they still come to zero: largest remainders up first."""
    scaled = {name: one * 10**decimals for name, one in sums.items()}
    units = {name: floor(one) for name, one in scaled.items()}
    missing = round(sum(scaled.values())) - sum(units.values())
    for name in sorted(units, key=lambda name: units[name] - scaled[name])[:missing]:
        units[name] += 1
    return units


def split(amount: Fraction, weights: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return each one's exact part of an amount. Raises ValueError where nobody has a weight."""
    whole = sum(weights.values())
    if not whole:
        raise ValueError("nobody shares it")
    return {name: amount * weight / whole for name, weight in weights.items()}


def paid(payer: str, amount: Fraction, shares: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return what it changes that somebody has paid an amount of which each has this share."""
    changes = {name: -share for name, share in shares.items()}
    changes[payer] = changes.get(payer, Fraction(0)) + amount
    return changes


def newest(days: Iterable[date | None]) -> date | None:
    return max(filter(None, days), default=None)


def day_in(cell: str) -> date | None:
    """Return the day that a cell of a table begins with, as programs and spreadsheets write it; None for none."""
    if found := re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", cell):
        year, month, day = map(int, found.groups())
    elif found := re.match(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b", cell):
        day, month, year = map(int, found.groups())
        if month > 12:
            day, month = month, day
        year += 2000 if year < 100 else 0
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def columns(head: Sequence[str]) -> dict[str, int]:
    """Return the place of each column by its name in small letters; of a name that stands twice, the first."""
    return {name.strip().casefold(): place for place, name in reversed([*enumerate(head)])}
