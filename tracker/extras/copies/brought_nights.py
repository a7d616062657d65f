"""Nights that come as a text: read without playing them, kept as they were read, and played when the host looks."""

import hashlib
from dataclasses import dataclass

from tracker.app.event_rows import from_row, replay_log
from tracker.app.log_history import History
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.extras._night_files.codes import is_night_code, night_text
from tracker.extras._night_files.importing import Source, import_night
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import NightFile, check_size, night_from, states, with_ids
from tracker.extras.copies import night_transfer
from tracker.extras.copies.merge import StalePlan
from tracker.extras.copies.night_transfer import compared, first_brought, is_transfer, transfer_from
from tracker.formats.evening import order_of
from tracker.formats.night_file import MOST, LogSize, NightLimits
from tracker.formats.records import Record

MOST_OF_STRANGERS = NightLimits(events=3000, work=100_000, bytes=1_000_000)
"""Of a night that somebody sends who is nobody here: more than a link of ours can hold, and less than a file may."""


@dataclass(frozen=True)
class BroughtNight:
    """A night that came as a text, as it was read."""

    text: str = ""
    name: str = ""
    began_at: str = ""
    """When it began, by itself (ISO 8601); empty where it does not say."""
    newest_at: str = ""
    """Its latest moment (ISO 8601); empty where it says none."""
    entries: int = 0
    relation: str = ""
    """How it stands to the night of the same code here: as in `NightComparison`, or `code` for one without ids."""
    code: str = ""
    """The code of the night here that it belongs to; empty for one that becomes a night of its own."""
    here: int = 0
    """How many entries the night here has."""
    first: int = 1
    """The number of the first entry that was not recorded here."""

    @property
    def mark(self) -> str:
        """What a form says it is about: the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]

    @property
    def seal(self) -> str:
        """What a yes says it is about: the text, and what of it was new here when it was shown."""
        shown = f"{self.mark} {self.relation} {self.code} {self.here} {self.first}"
        return hashlib.sha256(shown.encode()).hexdigest()[:32]


STORED = Record(BroughtNight)


def read(nights: Nights, text: str, most: NightLimits = MOST) -> BroughtNight:
    """Return the night in a text, no larger than `most`; nothing is played. Raises UnreadableError, TableError."""
    if is_transfer(text):
        found = transfer_from(text, most)
        copy, here = found.copy, compared(nights, found.copy)
        is_known = here.relation in ("same", "newer", "shorter")
        return BroughtNight(
            text=text,
            name=copy.row.name,
            began_at=copy.row.began_at or copy.row.created_at,
            newest_at=max((copy.row.created_at, *(event.at for event in copy.events)), key=order_of),
            entries=len(copy.events),
            relation=here.relation,
            code=copy.row.code if is_known else "",
            here=here.events_here if is_known else 0,
            first=first_brought(nights, found, here) if here.relation != "other" else 1,
        )
    file = _coded(nights, text, most)
    moments = [entry.at or "" for entry in file.entries] or [""]
    name, newest_at = file.name or file.preset.name, max(moments, key=order_of)
    return BroughtNight(text, name, moments[0], newest_at, len(file.entries), "code")


def _coded(nights: Nights, text: str, most: NightLimits) -> NightFile:
    """Return the night that a code holds, unplayed. Raises UnreadableError, TableError."""
    if not is_night_code(text):
        raise UnreadableError("this is no link to a night: copy all of it, from the first sign to the last")
    file = night_from(night_text(text), nights.library.find, most)
    if file.fault:
        raise file.fault
    check_size(LogSize(file.entries), most)
    return file


def played(nights: Nights, night: BroughtNight, most: NightLimits = MOST) -> History:
    """Return the log of a night that came, played to its end. Raises UnreadableError, TableError."""
    if is_transfer(night.text):
        copy = transfer_from(night.text, most).copy
        return History([*map(from_row, copy.events)], night_transfer.check_replay(copy))
    file = _coded(nights, night.text, most)
    for _state in states(file):
        pass
    entries = with_ids(file.entries)
    return History(entries, replay_log("", file.preset, entries))


def bring_in(nights: Nights, night: BroughtNight, key: str, by: str) -> OpenNight:
    """Add a night, or what is missing here, marked as by link. Raises StalePlan, TableError, NotSaved."""
    if not is_transfer(night.text):
        return import_night(nights, night_text(night.text), key=key, source=Source("link", by))
    found = transfer_from(night.text)
    if compared(nights, found.copy).relation != night.relation:
        raise StalePlan
    return night_transfer.take(nights, found, key, by)
