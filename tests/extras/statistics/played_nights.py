"""Nights as the statistics count them, for their tests: of the rules' examples, and of any summaries."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from support.paths import night_file

from tracker.core import log
from tracker.extras._night_files.reading import night_from
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.summarize import summarize
from tracker.extras._people import LinkedSeat
from tracker.extras.statistics.details import FullSummary, full
from tracker.extras.statistics.totals import PlayedNight, played_nights
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended

DAY = date(2026, 3, 7)


def same_seat(_code: str, seat: str) -> str:
    """Say that a seat of the same id is always the same person."""
    return seat


def played(
    summaries: Sequence[NightSummary], person_of: Callable[[str, str], str | None] = same_seat
) -> list[PlayedNight]:
    dated = [one if one.evening else replace(one, began_at=f"{DAY}T20:00:00Z") for one in summaries]
    seats = [LinkedSeat(one.code, seat.seat) for one in dated for seat in one.seats]
    return played_nights(dated, {seat: person for seat in seats if (person := person_of(*seat))})


def rummy(options: Mapping[str, int | str] | None = None, code: str = "one") -> FullSummary:
    """Return the night of four hands that is worked out in the rules' examples."""
    return replace(score_night("rummy-four-hands", options), code=code)


def score_night(file: str, options: Mapping[str, int | str] | None = None) -> FullSummary:
    read = night_from(night_file(file).read_text("utf-8"), built_in)
    preset = read.preset.with_options(options or {})
    steps, _ = log.replay_accepted(preset, read.entries, amended)
    return replace(full(summarize(preset, read.entries, steps)), code=file, phase="ended")
