"""Days and times as people at the table say them: the evening that a night belongs to, and moments of the log."""

from collections.abc import Collection
from datetime import date

from tracker.core.errors import N_
from tracker.formats.evening import evening_of, moment_of
from tracker.web.wording.texts import gettext, ngettext

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


def nights_line(days: Collection[str]) -> str:
    """Return `12 nights, last on 20 Nov 2026` for the days of nights, the newest first (ISO 8601)."""
    if not days:
        return gettext("No night yet")
    words, day = ngettext("%(num)s night", "%(num)s nights", len(days)), day_of(next(iter(days)))
    return gettext("%(nights)s, last on %(day)s", nights=words, day=day) if day else words


def weekday(day: date) -> str:
    """Return `Friday` in the reader's language."""
    return gettext(WEEKDAYS[day.weekday()])


def day_words(day: date) -> str:
    """Return `20 Nov 2026` in the reader's language, with spaces that no line breaks at."""
    words = gettext("%(day)s %(month)s %(year)s", day=day.day, month=month_name(day), year=day.year)
    return words.replace(" ", NO_BREAK)


def month_words(day: date) -> str:
    """Return `Nov 2026` in the reader's language."""
    return f"{month_name(day)} {day.year}"


def month_name(day: date) -> str:
    """Return `Nov` in the reader's language."""
    return gettext(MONTHS[day.month - 1])


def time_of_day(label: str | None) -> str:
    """Return the time of a label such as `2025-11-21T20:15:00Z` by this machine's clock; nothing if it is none."""
    moment = moment_of(label)
    return moment.astimezone().strftime("%H:%M") if moment else ""


def duration_words(seconds: float) -> str:
    """Return `2 h 41 min`, `9 min`, or below a minute `50 s`: in symbols that are the same in all our languages."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{NO_BREAK}s"
    hours, minutes = divmod((whole + 30) // 60, 60)
    parts = [f"{hours}{NO_BREAK}h"] * (hours > 0) + [f"{minutes}{NO_BREAK}min"] * (minutes > 0)
    return NO_BREAK.join(parts)


def without_breaks() -> str:
    """Return the sentence that stands beside how long somebody has played (tracker/archive/summarize.py)."""
    return gettext("Breaks of over ten minutes are left out.")
