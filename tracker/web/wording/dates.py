"""Days and times as people at the table say them: the evening that a night belongs to, and moments of the log."""

from datetime import date

from tracker.core.errors import N_
from tracker.formats.evening import evening_of, moment_of
from tracker.web.wording.texts import gettext

NO_BREAK = "\N{NO-BREAK SPACE}"
WEEKDAYS = (
    N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"),
)  # fmt: skip
MONTHS = (
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"),
)  # fmt: skip


def day_of(timestamp: str) -> str:
    """Return the day of a night as people say it, from when it began (ISO 8601); empty for any other text."""
    evening = evening_of(timestamp)
    return day_words(evening) if evening else ""


def weekday(day: date) -> str:
    """Return `Friday` in the reader's language."""
    return gettext(WEEKDAYS[day.weekday()])


def day_words(day: date) -> str:
    """Return `20 Nov 2026` in the reader's language, with spaces that no line breaks at."""
    words = gettext("%(day)s %(month)s %(year)s", day=day.day, month=month_name(day), year=day.year)
    return words.replace(" ", NO_BREAK)


def month_name(day: date) -> str:
    """Return `Nov` in the reader's language."""
    return gettext(MONTHS[day.month - 1])


def time_of_day(label: str | None) -> str:
    """Return the time of a label such as `2025-11-21T20:15:00Z` by this machine's clock; nothing if it is none."""
    moment = moment_of(label)
    return moment.astimezone().strftime("%H:%M") if moment else ""
