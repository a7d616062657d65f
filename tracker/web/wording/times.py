"""Moments of the log as people at a table say them: the time of day, and the evening that a night belongs to."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

EVENING_ENDS = timedelta(hours=5)
"""A night that goes on after midnight is still yesterday's until 5 a.m."""

RUNS_FOR = timedelta(days=2)
"""A night that has not ended and in which nothing was recorded for so long stands among those of the past."""


def is_going_on(created_at: str, last_at: str, now: datetime) -> bool:
    """Return whether something was recorded, or the night was opened, so short a time ago that it may go on."""
    newest = moment_of(last_at) or moment_of(created_at)
    return newest is not None and newest > now - RUNS_FOR


def time_of_day(label: str | None) -> str:
    """Return the time of a label such as `2025-11-21T20:15:00Z` by this machine's clock; nothing if it is none."""
    try:
        return datetime.fromisoformat(label).astimezone().strftime("%H:%M") if label else ""
    except ValueError:
        return ""


def evening_of(moment: datetime) -> date:
    """Return the day on which the evening of a moment began, by this machine's clock."""
    return (moment.astimezone() - EVENING_ENDS).date()


def moment_of(label: str) -> datetime | None:
    """Return the moment of a label of the log; None for none, or for another text."""
    try:
        moment = datetime.fromisoformat(label)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
