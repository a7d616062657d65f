"""The nights of the past as values: found by words, grouped by month."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tracker.app.known_nights import FORGOTTEN
from tracker.extras._night_lists import SEARCHED_FROM, day_texts, month_words
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.web.nights.past_night import DOT, PastNight
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _, listed

NIGHTS_A_PAGE = 20
"""A page has whole months, and at least so many nights if there are."""
MOST_A_MONTH = 60
MOST_PEOPLE, MOST_GAMES, MOST_YEARS = 5, 2, 3


def texts_of(night: PastNight[NightSummary], names: Iterable[str]) -> Iterator[str]:
    """Yield what a night is found by: its name, note, game, people, other `names`, day, places."""
    summary = night.summary
    yield from (summary.name, night.note, summary.game_name, _(summary.game_name))
    yield from (seat.name for seat in summary.seats)
    yield from names
    yield from day_texts(night.day)
    yield from (name for pot in summary.pots for name in (pot, _(pot)))


def put_away_line(night: PastNight[NightSummary]) -> str:
    """Return who won, when, and who was there."""
    people = listed(seat.name for seat in night.summary.seats)
    return DOT.join([night.headline, *([day_words(night.day)] if night.day else []), people])


@dataclass(frozen=True)
class Month:
    """The nights of one month, the newest first."""

    key: str
    """As `2026-11`; empty for nights of which nobody knows when they were."""
    nights: Sequence[PastNight[NightSummary]]

    @property
    def title(self) -> str:
        day = self.nights[0].day
        return month_words(day) if day else _("Some time")

    @property
    def left_out(self) -> int:
        """How many nights of this month are not shown."""
        return max(len(self.nights) - MOST_A_MONTH, 0)

    @property
    def shown(self) -> Sequence[PastNight[NightSummary]]:
        return self.nights[:MOST_A_MONTH]


@dataclass(frozen=True)
class NightsPage:
    """A page of the list: some months, and the month with which the next page begins."""

    months: Sequence[Month]
    older: str
    """The key of the next page's first month; empty on the last page."""
    chips: Sequence[str]
    """What can be searched for with one tap: people, games, years."""
    years: Sequence[str]
    """Every year, where there are more than the chips have; the newest first."""


def page_of_nights(
    nights: Sequence[PastNight[NightSummary]], found: Iterable[PastNight[NightSummary]], until: str
) -> NightsPage:
    """Return the page of those `found` that begins with the month `until` (or the newest one) of all `nights`."""
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
    return NightsPage(months[:shown], older, chips, years if len(years) > MOST_YEARS else [])


def _chips(nights: Sequence[PastNight[NightSummary]], years: Sequence[str]) -> list[str]:
    people = Counter(seat.name for one in nights for seat in one.summary.seats if seat.name != FORGOTTEN)
    games = Counter(one.summary.game_name for one in nights)
    several = [
        [name for name, _times in people.most_common(MOST_PEOPLE)],
        [_(name) for name, _times in games.most_common(MOST_GAMES)],
        years[:MOST_YEARS],
    ]
    return [text for group in several for text in group if len(group) > 1]
