"""The command `export`: a night as a file, all nights, or tables over them.

The exit status is 1 for what is refused.
"""

import sys
from pathlib import Path

import click

from tracker.app.nights import Nights
from tracker.cli import data_option
from tracker.core.errors import TableError
from tracker.extras._commands import CommandFailed, readable_nights
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras._people import people_of
from tracker.extras.exports.all_nights import SEPARATORS, TABLES, csv_text
from tracker.formats.evening import evening_of
from tracker.formats.text import file_name
from tracker.storage import files


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
@click.option(
    "--separator",
    type=click.Choice([*SEPARATORS]),
    default="comma",
    help="What is between the cells of the tables: where decimals have a comma, spreadsheets want semicolons.",
)
def export(
    night: str | None, folder: Path, output: Path | None, all_to: Path | None, tables_to: Path | None, separator: str
) -> None:
    """Write the night with the code NIGHT as a file, or all nights.

    Also while the table is in use.
    """
    if (night is not None) == bool(all_to or tables_to):
        raise click.UsageError("name one night, or --all or --tables with a folder")
    with readable_nights(folder) as nights:
        if night is not None:
            write_file(output, nights.get(night.strip().lower()).export())
        is_whole = export_all(nights, all_to) if all_to else True
        if tables_to:
            export_tables(nights, tables_to, SEPARATORS[separator])
    if not is_whole:
        sys.exit(1)


def write_file(output: Path | None, text: str) -> None:
    """Write a text to a file, or to standard output. Raises CommandFailed, and OutputFailed."""
    if output is None or str(output) == "-":
        click.echo(text.encode(), nl=False)
        return
    try:
        files.write_file(output, text.encode())
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{output}: {getattr(error, 'strerror', None) or error}") from None


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there. Raises CommandFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{folder}: {getattr(error, 'strerror', None) or error}") from None


def export_all(nights: Nights, folder: Path) -> bool:
    """Write every night to a folder; return False, after a sentence for each, where some can't be read. Raises
    CommandFailed.
    """
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
    return not faults


def export_tables(nights: Nights, folder: Path, delimiter: str) -> None:
    """Write the three tables over all nights to a folder. Raises CommandFailed."""
    make_folder(folder)
    known = Summaries(nights)
    summaries = known.all()
    for name, rows in TABLES.items():
        write_file(folder / f"{name}.csv", csv_text(rows(summaries, people_of(nights)), delimiter))
    click.echo(f"{', '.join(f'{name}.csv' for name in TABLES)} of {len(summaries)} nights are in {folder}.")
