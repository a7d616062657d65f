"""`board-tracker demo`: a folder of made-up nights to look around in."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import click

from tracker.cli import default_folder
from tracker.cli.data_folder import DATA_FILE, open_store
from tracker.extras._commands import opened, whole_or_nothing
from tracker.extras.rehearsal.demo import add_demo_nights, demo_nights
from tracker.web.own_command import own_command, quoted

DEMO_NIGHTS, SATURDAY = 60, 5


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--nights", "count", type=click.IntRange(1, 1000), default=DEMO_NIGHTS, show_default=True, help="How many."
)
def demo(folder: Path | None, count: int) -> None:
    """Fill FOLDER with made-up nights to look around in.

    There is one for each of the last Saturdays. Without FOLDER they go to one of their own beside the real nights, and
    never to a folder that has nights already.
    """
    folder = folder or default_folder().with_name("board-tracker-demo")
    if (folder / DATA_FILE).exists():
        raise click.ClickException(f"there are nights in {folder} already: name another folder")
    newest = last_saturday(datetime.now(UTC).date())
    with whole_or_nothing(folder / DATA_FILE), open_store(folder / DATA_FILE) as store:
        written = add_demo_nights(opened(store), demo_nights(count, 1, newest))
    click.echo(f"{written} nights are in {folder}. To look at them:\n\n  {own_command()} --data {quoted(folder)}")


def last_saturday(today: date) -> date:
    """Return the last Saturday before a day, whose evening is over."""
    return today - timedelta(days=(today.weekday() - SATURDAY - 1) % 7 + 1)
