"""The moments of the log, and the day of play that each belongs to: the same on pages, in files and for scripts."""

from datetime import UTC, date, datetime, timedelta

EVENING_ENDS = timedelta(hours=6)
"""What is played after midnight is still yesterday's until 6 a.m."""
UNKNOWN = datetime.min.replace(tzinfo=UTC)
FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
"""The moments that every system can show in every time zone. A machine whose clock was never set begins at the first,
and its nights are carried on elsewhere, so neither end depends on what this machine takes for today."""


def moment_of(label: object) -> datetime | None:
    """Return the moment of a label (ISO 8601, UTC without a zone); None for any other value."""
    if not isinstance(label, str):
        return None
    try:
        moment = datetime.fromisoformat(label)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    # The years first: a moment beside the first or last year can't be compared in every zone.
    return moment if FIRST.year - 1 <= moment.year <= LAST.year and FIRST <= moment < LAST else None


def evening_of(label: str | None) -> date | None:
    """Return the day of play of a label of the log; None where it is no moment."""
    moment = moment_of(label)
    return evening_at(moment) if moment else None


def evening_at(moment: datetime) -> date:
    """Return the day of play that a moment belongs to, by this machine's clock."""
    return (moment.astimezone() - EVENING_ENDS).date()


def order_of(label: str | None) -> datetime:
    """Return what sorts labels by their moments; a label that is none comes before all others."""
    return moment_of(label) or UNKNOWN
