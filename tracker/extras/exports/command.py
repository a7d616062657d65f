"""The command `export` with one more thing that it writes: tables over all nights."""

from pathlib import Path
from typing import Any

import click

from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.cli import nights as night_commands
from tracker.cli.nights import make_folder, readable_nights, write_file
from tracker.extras.exports.all_nights import SEPARATORS, TABLES, csv_text

OPTIONS = [
    click.Option(
        ["--tables", "tables_to"],
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Write nights.csv, hands.csv and pots.csv over all nights there.",
    ),
    click.Option(
        ["--separator"],
        type=click.Choice([*SEPARATORS]),
        default="comma",
        help="What is between the cells of the tables: where decimals have a comma, spreadsheets want semicolons.",
    ),
]


@click.pass_context
def export_with_tables(context: click.Context, /, tables_to: Path | None, separator: str, **others: Any) -> None:
    """Write what the options of the table's own command say, and the tables."""
    if tables_to is None or others["all_to"]:
        context.invoke(night_commands.export, **others)
    elif others["night"] is not None:
        raise click.UsageError("name one night, or --all or --tables with a folder")
    if tables_to:
        with readable_nights(others["folder"]) as nights:
            export_tables(nights, tables_to, SEPARATORS[separator])


def export_tables(nights: Nights, folder: Path, delimiter: str) -> None:
    """Write the three tables over all nights to a folder. Raises CommandFailed."""
    make_folder(folder)
    known = Summaries(nights)
    summaries = known.all()
    for name, rows in TABLES.items():
        write_file(folder / f"{name}.csv", csv_text(rows(summaries, nights.people), delimiter))
    click.echo(f"{', '.join(f'{name}.csv' for name in TABLES)} of {len(summaries)} nights are in {folder}.")


export = click.Command(
    "export",
    callback=export_with_tables,
    params=[*night_commands.export.params, *OPTIONS],
    help=night_commands.export.help,
)
