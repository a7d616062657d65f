"""Days as people at the table say them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from tracker.web.wording.texts import gettext, ngettext
from tracker.web.wording.times import evening_of

NO_BREAK = "\N{NO-BREAK SPACE}"


def day_of(timestamp: str) -> str:
    """Return the day of a night as people say it, from when it began (ISO 8601); empty for any other text."""
    try:
        return day_words(evening_of(datetime.fromisoformat(timestamp)))
    except ValueError:
        return ""


def nights_line(days: Collection[str]) -> str:
    """Return `12 nights, last on 20 Nov 2026` for the days of nights, the newest first (ISO 8601)."""
    if not days:
        return gettext("No night yet")
    words, day = ngettext("%(num)s night", "%(num)s nights", len(days)), day_of(next(iter(days)))
    return gettext("%(nights)s, last on %(day)s", nights=words, day=day) if day else words


def weekday(day: date) -> str:
    """Return `Friday` in the reader's language."""
    names = (
        gettext("Monday"),
        gettext("Tuesday"),
        gettext("Wednesday"),
        gettext("Thursday"),
        gettext("Friday"),
        gettext("Saturday"),
        gettext("Sunday"),
    )
    return names[day.weekday()]


def day_words(day: date) -> str:
    """Return `20 Nov 2026` in the reader's language, with spaces that no line breaks at."""
    words = gettext("%(day)s %(month)s %(year)s", day=day.day, month=month_name(day), year=day.year)
    return words.replace(" ", NO_BREAK)


def short_day(day: date) -> str:
    """Return `20 Nov` in the reader's language, with a space that no line breaks at."""
    return gettext("%(day)s %(month)s", day=day.day, month=month_name(day)).replace(" ", NO_BREAK)


def month_words(day: date) -> str:
    """Return `Nov 2026` in the reader's language."""
    return f"{month_name(day)} {day.year}"


def month_name(day: date) -> str:
    """Return `Nov` in the reader's language."""
    months = (
        gettext("Jan"),
        gettext("Feb"),
        gettext("Mar"),
        gettext("Apr"),
        gettext("May"),
        gettext("Jun"),
        gettext("Jul"),
        gettext("Aug"),
        gettext("Sep"),
        gettext("Oct"),
        gettext("Nov"),
        gettext("Dec"),
    )
    return months[day.month - 1]
