"""Nights that are added from night files: one, or several at once; and other files that somebody brings in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from flask.typing import ResponseReturnValue

from tracker.app.event_rows import now, to_row
from tracker.app.nights import Nights, new_code, row_texts
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, records
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.extras._night_files.reading import NightFile, check_size, night_from, states, with_ids
from tracker.formats import night_file
from tracker.formats.codec import preset_from
from tracker.storage import NewEvent, NightRow
from tracker.storage.database import EVERYTHING, Database
from tracker.storage.rows import first_hash, insert_event, set_setting
from tracker.web.access.roles import BODY_LIMIT

FORM_LIMIT = 4_000_000 + BODY_LIMIT
"""Bytes of a night's file and its form."""


class BroughtLines(NamedTuple):
    """Some lines of a log, up to the number `last`, that were not recorded here."""

    last: int
    at: str
    """When they came in."""
    how: str
    """By a `link`, from a `copy` of all nights, or from a `file`."""
    by: str
    """Who has said yes to them, as the log names it."""


class BroughtSettings(NightSettings):
    """The settings of a night, with what tells which lines of its log came from elsewhere."""

    brought = records("brought.", BroughtLines)
    """By the number of the first one: lines of the log that came by a link or in a file."""


class Source(NamedTuple):
    """How lines come in that are not recorded here, and who says yes to them."""

    how: str = "file"
    by: str = "host"

    def marks(self, first: int, last: int) -> dict[str, str]:
        """Return the settings, as texts by key, that mark these lines of a log; none for no lines."""
        lines = BroughtLines(last, now(), self.how, self.by)
        return BroughtSettings.brought.texts({str(first): lines}) if first <= last else {}


FROM_FILE = Source()


def import_night(
    nights: Nights,
    text: str,
    default_name: str = "",
    *,
    key: str = "",
    most: night_file.NightLimits | None = None,
    source: Source = FROM_FILE,
    on_new: Callable[[OpenNight], None] = lambda _: None,
) -> OpenNight:
    """Create a night from a night file's text, marked as from the `source`; nothing is created when it is refused.

    The same `key` returns the first again; `most` is what every night may have unless it is given.
    """
    read, base, entries = _playable(nights, text, most or night_file.MOST)

    def begin(table: OpenNight) -> None:
        table.settings.group = read.group
        for mark, lines in source.marks(1, table.head).items():
            table.settings.write(mark, lines)
        on_new(table)

    return nights.create_once(key, base, read.options, entries, read.name or default_name, begin)


def import_together(nights: Nights, files: Iterable[tuple[str, Mapping[str, str]]], default_name: str) -> list[str]:
    """Create the nights of several night files in one transaction, and return their codes; all, or none.

    Each is its text and settings of the night, by key. Raises UnreadableError, TableError and NotSaved.
    """
    rows = []
    for text, settings in files:
        read, base, entries = _playable(nights, text, night_file.MOST)
        name, began_at = read.name or default_name, entries[0].at or ""
        row = NightRow(new_code(8), name, *row_texts(base, read.options), now(), len(entries), began_at)
        rows.append((row, [*map(to_row, entries)], {**settings, **FROM_FILE.marks(1, len(entries))}))
    with nights.store.connection.write(EVERYTHING) as db:
        for one in rows:
            insert_night(db, *one)
    return [row.code for row, *_ in rows]


def _playable(nights: Nights, text: str, most: night_file.NightLimits) -> tuple[NightFile, Preset, list[Entry]]:
    """Return a night file that can be played and is no larger than `most`, its board, and its entries with ids."""
    read = night_from(text, nights.library.find, most)
    entries = with_ids(read.entries)
    check_size(night_file.LogSize(entries), most)
    for _ in states(read):
        pass
    written = read.preset_as_written
    return read, nights.library.find(written) if isinstance(written, str) else preset_from(written), entries


def insert_night(db: Database, row: NightRow, events: Iterable[NewEvent], settings: Mapping[str, str]) -> None:
    """Insert a night with its events and settings; settings that its code had before are deleted."""
    columns = ("code", "name", "preset", "options", "created_at")
    db.table("night").insert({column: getattr(row, column) for column in columns})
    before = first_hash(row.code, row.preset, row.options, row.created_at)
    for event in events:
        before = insert_event(db, row.code, event, before).hash
    db.table("setting").delete_where("code = ?", [row.code])
    for key, value in settings.items():
        set_setting(db, row.code, key, value)


# Files of other kinds


class ReadFile(Protocol):
    """What a file holds that is no night file, of which nothing has come in yet."""

    def page(self) -> ResponseReturnValue:
        """Return the page that asks what of it comes in."""

    def add(self, nights: Nights) -> Iterator[str]:
        """Add what is new of it, for the command `import`, and yield what is printed. Raises as `import_together`."""


readers: list[Callable[[bytes], ReadFile | None]] = []
"""Each is asked what a file holds that somebody brings in, before it is read as a night file. It returns None for what
it leaves to others, and raises UnreadableError to say what a file seems to be that nobody reads."""
