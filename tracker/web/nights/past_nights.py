"""The nights of the past as values: found by words, grouped by month, each with who won and a small picture."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from markupsafe import Markup

from tracker.app.person_names import SEARCHED_FROM, is_found
from tracker.archive.night_summary import NightSummary
from tracker.archive.summaries import FORGOTTEN
from tracker.web.drawing.net_chart import net_chart
from tracker.web.wording.dates import day_words, month_words
from tracker.web.wording.texts import gettext as _, listed

DOT = "\N{NO-BREAK SPACE}· "
NIGHTS_A_PAGE = 20
"""A page has whole months, and at least so many nights if there are."""
MOST_A_MONTH = 60
MOST_PEOPLE, MOST_GAMES, MOST_YEARS = 5, 2, 3


@dataclass(frozen=True)
class PastNight:
    """A night in the list."""

    summary: NightSummary
    note: str = ""
    group: str = ""

    @property
    def day(self) -> date | None:
        return self.summary.evening

    def texts(self, names: Iterable[str]) -> Iterator[str]:
        """Yield what the night is found by: its name, note, group, game, people with all their names, day, places."""
        summary = self.summary
        yield from (summary.name, self.note, self.group, summary.game_name, _(summary.game_name))
        yield from (seat.name for seat in summary.seats)
        yield from names
        yield from day_texts(self.day)
        yield from (name for pot in summary.pots for name in (pot, _(pot)))

    @property
    def headline(self) -> str:
        """Who won, as the row's first line."""
        names = self.summary.winner_names
        if not self.summary.is_over:
            return _("Not ended")
        if not names:
            return _("The night is over")
        return _("%(name)s won", name=names[0]) if len(names) == 1 else _("A tie")

    @property
    def line(self) -> str:
        """What the night is called, what was played and when, as the row's second line."""
        facts = [self.summary.name]
        if _(self.summary.game_name) != self.summary.name:
            facts.append(_(self.summary.game_name))
        return DOT.join([*facts, day_words(self.day)] if self.day else facts)

    @property
    def put_away_line(self) -> str:
        """Who won, when, and who was there."""
        return DOT.join([self.headline, *([day_words(self.day)] if self.day else []), self.people])

    @property
    def people(self) -> str:
        return listed(seat.name for seat in self.summary.seats)

    @property
    def picture(self) -> Markup:
        """The small chart of everybody's net."""
        series: Sequence[Sequence[int]] = self.summary.series
        if self.summary.game == "pots" and self.summary.is_over:  # the board was shared out after the last hand
            series = [(*one, seat.net) for one, seat in zip(series, self.summary.seats, strict=True)]
        return net_chart(series, {self.summary.place_of[seat] for seat in self.summary.winners})


@dataclass(frozen=True)
class Month:
    """The nights of one month, the newest first."""

    key: str
    """As `2026-11`; empty for nights of which nobody knows when they were."""
    nights: Sequence[PastNight]

    @property
    def title(self) -> str:
        day = self.nights[0].day
        return month_words(day) if day else _("Some time")

    @property
    def left_out(self) -> int:
        """How many nights of this month are not shown."""
        return max(len(self.nights) - MOST_A_MONTH, 0)

    @property
    def shown(self) -> Sequence[PastNight]:
        return self.nights[:MOST_A_MONTH]


@dataclass(frozen=True)
class PastNights:
    """A page of the list: some months, and the month with which the next page begins."""

    months: Sequence[Month]
    older: str
    """The key of the next page's first month; empty on the last page."""
    chips: Sequence[str]
    """What can be searched for with one tap: people, games, years."""
    years: Sequence[str]
    """Every year, where there are more than the chips have; the newest first."""


def past_nights(
    nights: Sequence[PastNight], query: str, until: str, names: Mapping[str, Collection[str]]
) -> PastNights:
    """Return the page from the month `until` (or newest) of nights that a query finds, also by other `names`."""
    found = [one for one in nights if is_found(query, one.texts(names.get(one.summary.code, ())))]
    months = [
        Month(key, list(nights))
        for key, nights in groupby(found, key=lambda one: f"{one.day:%Y-%m}" if one.day else "")
    ]
    months = [month for month in months if not until or month.key <= until]
    count = shown = 0
    while shown < len(months) and count < NIGHTS_A_PAGE:
        count += len(months[shown].nights)
        shown += 1
    older = months[shown].key if shown < len(months) else ""
    years = sorted({str(one.day.year) for one in nights if one.day}, reverse=True)
    chips = _chips(nights, years) if len(nights) >= SEARCHED_FROM else []
    return PastNights(months[:shown], older, chips, years if len(years) > MOST_YEARS else [])


def day_texts(day: date | None) -> Iterator[str]:
    """Yield a day as the pages write it, and by numbers: `20 Nov 2026` and `2026-11-20`."""
    if day:
        yield day_words(day)
        yield str(day)


def _chips(nights: Sequence[PastNight], years: Sequence[str]) -> list[str]:
    people = Counter(seat.name for one in nights for seat in one.summary.seats if seat.name != FORGOTTEN)
    games = Counter(one.summary.game_name for one in nights)
    several = [
        [name for name, _times in people.most_common(MOST_PEOPLE)],
        [_(name) for name, _times in games.most_common(MOST_GAMES)],
        years[:MOST_YEARS],
    ]
    return [text for group in several for text in group if len(group) > 1]
