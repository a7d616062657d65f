"""How the summaries of nights are damaged, and what places they have; see `functions_of_extras`."""

import sqlite3
from collections.abc import Callable, Mapping

from tracker.app.open_night import OpenNight
from tracker.extras._night_summaries.stored import seal_of
from tracker.extras._night_summaries.summarize import VERSION, summarize


def damages() -> Mapping[str, Callable[[sqlite3.Connection, str], object]]:
    """Summaries with a right seal and other fields."""
    return {f"summary {text[:9]}": summary_of(text) for text in ("", "{}", "{}\n[]\n[]\n[]", "[" * 20_000)}


def summary_of(body: str) -> Callable[[sqlite3.Connection, str], object]:
    def damage(db: sqlite3.Connection, code: str) -> None:
        last = "SELECT number, hash FROM event WHERE code = ? ORDER BY number DESC LIMIT 1"
        (head, last_hash) = db.execute(last, [code]).fetchone()
        row = [code, head, VERSION, body, seal_of(VERSION, body, last_hash)]
        db.execute("INSERT OR REPLACE INTO summary (code, head, version, body, seal) VALUES (?, ?, ?, ?, ?)", row)

    return damage


def check_places(table: OpenNight, places: Mapping[str, int]) -> None:
    """The summary of a night that has ended has these places, and counts for whoever has one."""
    history = table.history()
    one = summarize(history.preset, history.entries, history.steps)
    assert {seat.seat: seat.place for seat in one.seats} == places
    assert {seat for seat, place in places.items() if place} == {s.seat for s in one.seats if one.counts_for(s)}
