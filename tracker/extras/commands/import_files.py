"""The command `import`: adds the nights of files to a data folder; status 1: refused, 2: unreadable file."""

import re
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from tracker.app.event_rows import to_row
from tracker.app.nights import Nights, preset_of
from tracker.cli import data_option
from tracker.core.errors import TableError
from tracker.extras._commands import BadInputFile, CommandFailed, display_name, exclusive_nights, read_bytes
from tracker.extras._night_files.codes import is_night_code, text_of_file
from tracker.extras._night_files.importing import import_night, readers
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import NightFile, Refused, night_from, with_ids
from tracker.extras._night_summaries.summaries import Summaries
from tracker.storage import NewEvent, NightRow, Store, StoreError
from tracker.storage.database import rows_where
from tracker.streaming.hub import StreamHub

NUMBERED = re.compile(r"file-\d+")
"""An id that an entry without one is given: two evenings that went alike have the same."""


def find_night(nights: Nights, read: NightFile, others: Container[str] = ()) -> NightRow | None:
    """Return the night that a file holds, or a newer state of it; None for no such night, and where that is unsure.

    Entries with ids of their own tell one evening from all others. Without these two evenings may only have gone alike:
    then the moments, the name and the whole log must be the same, and it is none of the `others`, which are of other
    files.
    """
    wanted = [*map(to_row, with_ids(read.entries))]
    has_ids = any(entry.id and not NUMBERED.fullmatch(entry.id) for entry in read.entries)
    has_moments = all(entry.at for entry in read.entries)
    for code in begun_by(nights.store, wanted[0]) if wanted else ():
        with suppress(StoreError, TableError):  # a log that can't be read
            row, log = nights.store.night(code), [*nights.store.events(code)]
            begins = [(one.id, one.print, one.at) for one in log[: len(wanted)]]
            if not row or begins != [(one.id, one.print, one.at) for one in wanted] or preset_of(row) != read.preset:
                continue
            is_whole = has_moments or len(log) == len(wanted)
            if has_ids or (is_whole and code not in others and read.name in ("", row.name)):
                return row
    return None


def begun_by(store: Store, event: NewEvent) -> list[str]:
    """Return the codes of the nights whose first event this is."""
    rows = rows_where(store.connection, "event", "number = 1 AND id = ? AND print = ?", [event.id, event.print])
    return [str(row["code"]) for row in rows]


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@data_option
def import_(files: Sequence[str], folder: Path) -> None:
    """Add the nights in FILES to the data folder: they go on there.

    Each of FILES is a file, a folder with night files, the code of a night, or - for standard input; or what another
    app exports, as on the page “A night from a file”. Prints the code of every night, also of one that is there
    already. Ends with status 1 when an event is refused, with 2 when a file can't be read; then nothing is added of
    that night.
    """
    status, listed = 0, [*every_file(files)]
    with exclusive_nights(folder) as nights:
        importer = Importer(nights)
        for file in listed:
            try:
                click.echo("\n".join(importer.sentences(file)))
            except CommandFailed as failed:
                named = len(listed) > 1 and not failed.message.startswith(display_name(file))
                click.echo(f"{display_name(file)}: {failed.message}" if named else failed.message, err=True)
                status = max(status, failed.exit_code)
        # Computed here, not while the first page waits for them; of nights in memory none would be stored.
        Summaries(Nights(nights.store, StreamHub())).all()
    if status:
        sys.exit(status)


def every_file(names: Sequence[str]) -> Iterator[str]:
    """Yield the files that are named, and the night files of the folders that are, in the order of their names."""
    for name in names:
        if name != "-" and not is_night_code(name) and Path(name).is_dir():
            yield from map(str, sorted(Path(name).rglob("*.json")))
        else:
            yield name


class Importer:
    """Imports the files of one command: two files are two evenings, however alike these went."""

    def __init__(self, nights: Nights) -> None:
        self._nights = nights
        self._codes: dict[str, str] = {}
        """By the files of this command: the code of the night that each holds."""

    def sentences(self, file: str) -> list[str]:
        """Import one file and return a sentence for each of its nights. Raises CommandFailed, with nothing added."""
        raw = read_bytes(file)
        try:
            for read in readers:
                if found := read(raw):
                    return [*found.add(self._nights)]
            return [self._night(text_of_file(raw), file)]
        except Refused as refused:
            raise CommandFailed(refused) from None
        except (UnreadableError, TableError) as error:
            raise BadInputFile(f"{display_name(file)}: {error}") from None

    def _night(self, text: str, file: str) -> str:
        own = file if file == "-" or is_night_code(file) else str(Path(file).absolute())
        read = night_from(text, self._nights.library.find)
        others = {code for other, code in self._codes.items() if other != own}
        if read.fault is None and (here := find_night(self._nights, read, others)):
            self._codes[own] = here.code
            more = f", {here.events - len(read.entries)} more here" if here.events > len(read.entries) else ""
            return f"{here.code}  {here.name}, {len(read.entries)} events: already here{more}"
        table = import_night(self._nights, text)
        self._codes[own] = table.code
        return f"{table.code}  {table.name}, {table.head} events"
