"""What pages over many nights share: the words of lists, by which a night is found, and its group. No extra itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from flask import Flask

from tracker.app.person_names import comparison_key
from tracker.app.settings import NightSettings
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.formats.text import without_marks
from tracker.web.base.context import get_nights
from tracker.web.wording.dates import day_of, day_words, month_name
from tracker.web.wording.texts import gettext as _, ngettext

SEARCHED_FROM = 6
"""Lists with fewer rows than these are seen at once: there is nothing to search."""
NamesByNight = Callable[[Sequence[NightSummary]], Mapping[str, Collection[str]]]


NIGHT_COLUMNS = ("code", "night", "day", "game")


def night_cells(one: NightSummary) -> list[object]:
    """Return what a table over all nights says of a night, in the order of NIGHT_COLUMNS."""
    return [one.code, one.name, one.evening or "", one.game_name]


def is_found(query: str, texts: Iterable[str]) -> bool:
    """Return whether every word of a query begins a word of one of the texts; marks on letters don't count."""
    wanted = set(without_marks(comparison_key(query)).split())
    for text in texts:
        words = without_marks(comparison_key(text)).split()
        wanted = {one for one in wanted if not any(word.startswith(one) for word in words)}
        if not wanted:
            return True
    return not wanted


def day_texts(day: date | None) -> Iterator[str]:
    """Yield a day as the pages write it, and by numbers: `20 Nov 2026` and `2026-11-20`."""
    if day:
        yield day_words(day)
        yield str(day)


def month_words(day: date) -> str:
    """Return `Nov 2026` in the reader's language."""
    return f"{month_name(day)} {day.year}"


def nights_line(days: Collection[str]) -> str:
    """Return `12 nights, last on 20 Nov 2026` for the days of nights, the newest first (ISO 8601)."""
    if not days:
        return _("No night yet")
    words, day = ngettext("%(num)s night", "%(num)s nights", len(days)), day_of(next(iter(days)))
    return _("%(nights)s, last on %(day)s", nights=words, day=day) if day else words


def find_by(app: Flask, names: NamesByNight) -> None:
    """Have the house find nights also by these names, which `names` returns by night."""
    app.extensions.setdefault("searched_names", []).append(names)


def groups_of_nights() -> Mapping[str, str]:
    """Return the name of the group that each night belongs to, by code, for the nights that are in one."""
    return get_nights().store.settings_of_nights(NightSettings.group.key)
