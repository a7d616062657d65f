"""Days as people at the table say them."""

from __future__ import annotations

from datetime import date, datetime

from tracker.web.wording.texts import gettext
from tracker.web.wording.times import evening_of


def day_of(timestamp: str) -> str:
    """Return the day of a night as people say it, from when it began (ISO 8601); empty for any other text."""
    try:
        return day_words(evening_of(datetime.fromisoformat(timestamp)))
    except ValueError:
        return ""


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
    """Return `20 Nov 2026` in the reader's language."""
    return gettext("%(day)s %(month)s %(year)s", day=day.day, month=_month(day), year=day.year)


def month_words(day: date) -> str:
    """Return `Nov 2026` in the reader's language."""
    return f"{_month(day)} {day.year}"


def _month(day: date) -> str:
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
