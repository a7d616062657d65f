"""The commands `export` and `import`: nights to files and back, one or many.

The exit status is 1 for a refused event, 2 for a file that can't be read, each with one line on standard error.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from tracker.app.event_rows import to_row, with_ids
from tracker.app.nights import Nights, preset_of
from tracker.archive.summaries import Summaries
from tracker.archive.tables import TABLES
from tracker.cli import data_option
from tracker.cli.nights import (
    BadInputFile,
    CommandFailed,
    display_name,
    exclusive_nights,
    read_text,
    readable_nights,
)
from tracker.core.errors import Refused, TableError
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.formats.codes import is_night_code
from tracker.formats.evening import evening_of
from tracker.formats.night_file import night_from
from tracker.formats.text import BOM, UnreadableError, csv_text, file_name
from tracker.storage import NightRow, StoreError, files as storage_files
from tracker.streaming.hub import StreamHub


def find_night(nights: Nights, preset: Preset, entries: Sequence[Entry]) -> NightRow | None:
    """Return the night of this preset whose log is, or begins with, these entries; None for no such night.

    A file without events is known nowhere: nothing tells it from another evening.
    """
    wanted = [*map(to_row, with_ids(entries))]
    for code in nights.store.begun_by(wanted[0]) if wanted else ():
        with suppress(StoreError, TableError):  # a log that can't be read
            row, log = nights.store.night(code), [*nights.store.events(code)]
            is_same = [(one.id, one.print) for one in log[: len(wanted)]] == [(one.id, one.print) for one in wanted]
            if row and is_same and preset_of(row) == preset:
                return row
    return None


@click.command()
@click.argument("night", required=False)
@data_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file, not to standard output.")
@click.option("--all", "all_to", type=click.Path(path_type=Path), metavar="FOLDER", help="Write every night there.")
@click.option(
    "--tables",
    "tables_to",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write nights.csv, hands.csv and pots.csv over all nights there.",
)
def export(night: str | None, folder: Path, output: Path | None, all_to: Path | None, tables_to: Path | None) -> None:
    """Write the night with the code NIGHT as a file, or all nights.

    Also while the table is in use.
    """
    if (night is not None) == bool(all_to or tables_to):
        raise click.UsageError("name one night, or --all or --tables with a folder")
    with readable_nights(folder) as nights:
        if night is not None:
            write_file(output, nights.get(night.strip().lower()).export())
        if all_to:
            export_all(nights, all_to)
        if tables_to:
            export_tables(nights, tables_to)


def write_file(output: Path | None, text: str) -> None:
    """Write a text to a file, or to standard output. Raises CommandFailed, and OutputFailed."""
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(text.encode())
        return
    try:
        storage_files.write_file(output, text.encode())
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{output}: {getattr(error, 'strerror', None) or error}") from None


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there. Raises CommandFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{folder}: {getattr(error, 'strerror', None) or error}") from None


def export_all(nights: Nights, folder: Path) -> None:
    """Write every night to a folder; a sentence, and status 1, for each that can't be read. Raises CommandFailed."""
    make_folder(folder)
    written, faults = 0, 0
    for row in nights.nights():
        try:
            table = nights.get(row.code)
        except TableError as error:
            click.echo(f"{row.code}  {row.name}: {error}", err=True)
            faults += 1
            continue
        name = file_name(f"{evening_of(row.began_at) or ''} {row.name}")
        write_file(folder / f"{name}-{row.code}.json", table.export())
        written += 1
    click.echo(f"{written} nights are in {folder}.")
    if faults:
        sys.exit(1)


def export_tables(nights: Nights, folder: Path) -> None:
    """Write the three tables over all nights to a folder. Raises CommandFailed."""
    make_folder(folder)
    known = Summaries(nights)
    summaries = known.all()
    for name, rows in TABLES.items():
        write_file(folder / f"{name}.csv", BOM + csv_text(rows(summaries, known.people)))
    click.echo(f"{', '.join(f'{name}.csv' for name in TABLES)} of {len(summaries)} nights are in {folder}.")


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@data_option
def import_(files: Sequence[str], folder: Path) -> None:
    """Add the nights in FILES to the data folder: they go on there.

    Each of FILES is a file, a folder with night files, the code of a night, or - for standard input. Prints the code
    of every night, also of one that is there already. Ends with status 1 when an event is refused, with 2 when a file
    can't be read; then nothing is added of that night.
    """
    status, listed = 0, [*every_file(files)]
    with exclusive_nights(folder) as nights:
        for file in listed:
            try:
                click.echo(import_file(nights, file))
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


def import_file(nights: Nights, file: str) -> str:
    """Import one file and return a sentence with the night's code. Raises CommandFailed, with nothing added."""
    text = read_text(file)
    try:
        read = night_from(text, nights.library.find)
        if read.fault is None and (here := find_night(nights, read.preset, read.entries)):
            count = len(read.entries)
            more = f", {here.events - count} more here" if here.events > count else ""
            return f"{here.code}  {here.name}, {count} events: already here{more}"
        table = nights.import_night(text)
    except Refused as refused:
        raise CommandFailed(refused) from None
    except (UnreadableError, TableError) as error:
        raise BadInputFile(f"{display_name(file)}: {error}") from None
    return f"{table.code}  {table.name}, {table.head} events"
