"""What statistics are asked of, as an address says it: game, season, who sat together, what sums are counted in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict

from tracker.extras.statistics.totals import MONEY, PlayedNight, Season, Unit, chosen, since_easter, year
from tracker.formats.text import name_order
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _

EASTER, DATES = "easter", "dates"


@dataclass(frozen=True)
class Choice:
    """A choice, as the fields of the form carry it; whatever is no game, day or person chooses nothing."""

    game: str = ""
    season: str = ""
    """A year, EASTER, DATES (from `first` to `last`), or empty for all time."""
    first: str = ""
    last: str = ""
    group: tuple[str, ...] = ()
    unit: str = ""
    ladder: str = ""
    """In a club's ladder: of the nights that count in it so (points, or chips)."""
    named_group: str = ""
    """The name of a group whose nights are meant; empty for all nights."""

    def of(self, nights: Iterable[PlayedNight], today: date) -> list[PlayedNight]:
        """Return which of the nights are meant, on a day."""
        return chosen(nights, self.game, self.group, self._season(today))

    def _season(self, today: date) -> Season:
        if self.season == EASTER:
            return since_easter(today)
        if self.season == DATES:
            return Season(day_typed(self.first), day_typed(self.last))
        return year(self.year) if self.year else Season()

    @property
    def year(self) -> int:
        """The chosen year; 0 for none."""
        is_year = self.season.isascii() and self.season.isdigit() and len(self.season) == 4
        return int(self.season) if is_year else 0

    def query(self, **changes: Any) -> str:
        """Return the end of an address with this choice, some of it changed: `?game=…`, or nothing."""
        one = replace(self, **changes)
        dates = [("from", one.first), ("to", one.last)] if one.season == DATES else []
        pairs = [("game", one.game), ("season", one.season), *dates, *(("with", who) for who in one.group)]
        given = [(key, value) for key, value in (("group", one.named_group), *pairs, ("in", one.unit)) if value]
        return f"?{urlencode(given)}" if given else ""


def choice_in(args: MultiDict[str, str]) -> Choice:
    """Return what the fields of an address choose."""
    return Choice(
        game=args.get("game", ""),
        season=args.get("season", ""),
        first=args.get("from", ""),
        last=args.get("to", ""),
        group=tuple(dict.fromkeys(one for one in args.getlist("with") if one)),
        unit=args.get("in", ""),
        named_group=args.get("group", ""),
    )


def day_typed(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def group_options(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (value, words) of every group, by name; all nights first, and nothing without a group."""
    listed = [(name, name) for name in sorted({*names}, key=name_order)]
    return [("", _("Everybody")), *listed] if listed else []


def game_options(nights: Iterable[PlayedNight]) -> list[tuple[str, str]]:
    """Return (id, name) of every game that was played, by name; all games first."""
    names = {night.summary.preset: _(night.summary.game_name) for night in nights}
    return [("", _("All games")), *sorted(names.items(), key=lambda one: name_order(one[1]))]


def season_options(nights: Sequence[PlayedNight], today: date) -> list[tuple[str, str]]:
    """Return (value, words) of every season: all time, the years, since Easter, and other days."""
    years = sorted({night.day.year for night in nights if night.day}, reverse=True)
    easter = since_easter(today).first or today
    return [
        ("", _("All time")),
        *((str(one), str(one)) for one in years),
        (EASTER, _("Since Easter (%(day)s)", day=day_words(easter))),
        (DATES, _("Other days…")),
    ]


def unit_key(unit: Unit) -> str:
    """Return a unit as an address says it."""
    if unit.kind == "points":
        return f"points-{unit.game}{'-low' if unit.fewest_win else ''}"
    key = f"chips-{unit.chips}-{unit.cents}" if unit.cents else unit.kind
    return key if unit.decimals == 2 else f"{key}-{unit.decimals}"


def unit_in(units: Sequence[Unit], key: str) -> Unit:
    """Return the unit that an address names; else that of the most nights, which come first, or money for none."""
    return next((one for one in units if unit_key(one) == key), units[0] if units else MONEY)
