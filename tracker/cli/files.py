"""The commands over files: replay a night, take one out of a data folder or put one in, list nights.

A refused event ends with status 1, a file that can't be read with status 2, each with one line on standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from tracker.cli import data_option
from tracker.cli.store import DATA_FILE, open_store
from tracker.codec import night_from, states
from tracker.core.errors import Refused, TableError
from tracker.core.night import Night
from tracker.core.summary import summary
from tracker.live import Live
from tracker.presets import built_in
from tracker.store import InUse, Store, StoreError
from tracker.strict import LARGEST_FILE, UnreadableError
from tracker.tables import Tables

LONGEST_LINE = 500


class Failed(click.ClickException):
    """Ends the command with status 1 and one line on standard error, whatever the sentence quotes from a file."""

    def __init__(self, sentence: object) -> None:
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(sentence))
        super().__init__(shown if len(shown) <= LONGEST_LINE else shown[: LONGEST_LINE - 3] + "...")

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence as it is: scripts read it."""
        click.echo(self.message, file=file or sys.stderr)


class NotAFile(Failed):
    """Ends it with status 2: what was given is missing, or no night at all."""

    exit_code = 2


# Replay


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the final state as one line of JSON.")
@click.option("--trace", is_flag=True, help="Print such a line after every event.")
def replay(file: str, *, as_json: bool, trace: bool) -> None:
    """Play the night in FILE and print where it ends.

    FILE is - for standard input. Ends with status 1 when an event is refused, with 2 when the file can't be read.
    """
    text = read_text(file)
    try:
        read = night_from(text, built_in)
    except (UnreadableError, TableError) as error:
        raise NotAFile(f"{named(file)}: {error}") from None
    night = Night(read.preset)
    try:
        for night in states(read):
            if trace:
                click.echo(json.dumps(summary(night)))
    except Refused as refused:
        raise Failed(refused) from None
    if as_json and not trace:
        click.echo(json.dumps(summary(night)))
    elif not trace:
        print_night(night)


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input for `-`; Failed when it is none, or far too much."""
    try:
        if file == "-":
            raw = sys.stdin.buffer.read(4 * LARGEST_FILE + 1)
        else:
            with Path(file).open("rb") as opened:
                raw = opened.read(4 * LARGEST_FILE + 1)
        return raw.decode()
    except UnicodeDecodeError:
        raise NotAFile(f"{named(file)} is not UTF-8 text") from None
    except (OSError, ValueError) as error:  # a name with a null in it is a ValueError
        raise NotAFile(f"{named(file)}: {getattr(error, 'strerror', None) or error}") from None


def named(file: str) -> str:
    return "standard input" if file == "-" else file


def print_night(night: Night) -> None:
    """Print a state for people: who has what, where the chips lie, who owes whom."""
    _show_any_name()
    state = summary(night)
    click.echo(f"{night.preset.name}, hand {night.hand}: {night.phase}")
    if night.dealer:
        click.echo(f"dealer: {night.name(night.dealer)}")
    columns = [key for key in ("stacks", "bought", "scores", "worth", "net") if state[key]]
    heads = {"stacks": "stack", "scores": "score"}
    rows = [["", *(heads.get(key, key) for key in columns)]]
    rows += [[night.name(seat), *(str(state[key][seat]) for key in columns)] for seat in night.ring]
    print_table(rows)
    print_table([[night.name(pot), str(chips)] for pot, chips in state["pots"].items()])
    for note in state["notes"]:
        click.echo(f"{night.name(note['holder'])} holds {note['chips']} of {night.name(note['debtor'])}'s IOUs")
    click.echo(
        f"{'won' if night.is_over else 'ahead'}: {', '.join(night.name(seat) for seat in state['winners']) or 'nobody'}"
    )
    for payment in state["payments"]:
        click.echo(f"{night.name(payment['debtor'])} pays {night.name(payment['creditor'])} {payment['chips']}")


def print_table(rows: list[list[str]]) -> None:
    """Print rows with their columns in line: the first to the left, numbers to the right."""
    if not rows or len(rows[0]) < 2:
        return
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for first, *others in rows:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        click.echo("  ".join([first.ljust(widths[0]), *cells]))
    click.echo()


def _show_any_name() -> None:
    """A terminal that can't draw a name shows a question mark in its place."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")


# Nights in and out


@click.command()
@click.argument("night")
@data_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file, not to standard output.")
def export(night: str, folder: Path, output: Path | None) -> None:
    """Write the night with the code NIGHT as a file.

    Also while the table is in use.
    """
    with reading(folder) as tables:
        text = tables.get(night.strip().lower()).export().encode()
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(text)
        return
    try:
        output.write_bytes(text)
    except (OSError, ValueError) as error:
        raise Failed(f"{output}: {getattr(error, 'strerror', None) or error}") from None


@click.command("import")
@click.argument("file")
@data_option
def import_(file: str, folder: Path) -> None:
    """Add the night in FILE to the data folder: it goes on there.

    Prints its code. FILE is - for standard input. Ends with status 1 when an event is refused, with 2 when the file
    can't be read; then nothing is added.
    """
    text = read_text(file)
    with alone(folder) as tables:
        try:
            table = tables.import_night(text)
        except Refused as refused:
            raise Failed(refused) from None
        except (UnreadableError, TableError) as error:
            raise NotAFile(f"{named(file)}: {error}") from None
        click.echo(f"{table.code}  {table.name}, {table.head} events")


@click.command()
@data_option
def nights(folder: Path) -> None:
    """List the nights of the data folder, the newest first."""
    _show_any_name()
    with reading(folder) as tables:
        rows = [[row.code, row.created_at, str(row.events), row.name] for row in tables.nights()]
    for code, made_at, events, name in rows:
        click.echo(f"{code}  {made_at}  {events:>5} events  {name}")


@contextmanager
def alone(folder: Path) -> Iterator[Tables]:
    """Give the tables of a data folder that no server is using."""
    try:
        store = Store(folder / DATA_FILE)
    except InUse as taken:
        page = f"{taken.address}/import" if taken.address else "its page /import"
        raise Failed(f"a server is running on {folder}: bring the night in at {page}, or stop it first") from None
    except (StoreError, OSError) as error:
        raise Failed(error) from None
    try:
        yield Tables(store, Live())
    except StoreError as error:
        raise Failed(error) from None
    finally:
        store.close()


@contextmanager
def reading(folder: Path) -> Iterator[Tables]:
    """Give the tables of a data folder to look at, whether a server is running on it or not."""
    if not (folder / DATA_FILE).exists():
        raise Failed(f"there are no nights in {folder} yet")
    with open_store(folder, read_only=True) as store:
        try:
            yield Tables(store, Live())
        except TableError as error:
            raise Failed(error) from None
