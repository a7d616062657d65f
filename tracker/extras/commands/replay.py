"""The command `replay`: plays the night in a file and prints where it ends; status 1: refused, 2: unreadable."""

import json
from pathlib import Path

import click

from tracker.cli import data_option
from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.extras._commands import BadInputFile, CommandFailed, display_name, preset_by_name, read_text
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import Refused, night_from, states


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the final state as one line of JSON.")
@click.option("--trace", is_flag=True, help="Print such a line after every event.")
@data_option
def replay(file: str, folder: Path, *, as_json: bool, trace: bool) -> None:
    """Play the night in FILE and print where it ends.

    FILE is - for standard input; its board may be one of the data folder. Ends with status 1 when an event is refused,
    with 2 when the file can't be read.
    """
    text = read_text(file)
    try:
        read = night_from(text, lambda preset: preset_by_name(preset, folder))
    except (UnreadableError, TableError) as error:
        raise BadInputFile(f"{display_name(file)}: {error}") from None
    night = Night(read.preset)
    try:
        for night in states(read):
            if trace:
                click.echo(json.dumps(summary(night, read.name)))
    except Refused as refused:
        raise CommandFailed(refused) from None
    if as_json and not trace:
        click.echo(json.dumps(summary(night, read.name)))
    elif not trace:
        print_night(night)


def print_night(night: Night) -> None:
    """Print a state as tables: stacks, pots, IOUs, winners and payments."""
    state = summary(night)
    click.echo(f"{night.preset.name}, hand {night.hand}: {night.phase}")
    if night.dealer:
        click.echo(f"dealer: {night.name(night.dealer)}")
    columns = [key for key in ("stacks", "bought", "scores", "worth", "net") if state[key]]
    heads = {"stacks": "stack", "scores": "score"}
    rows = [["", *(heads.get(key, key) for key in columns)]]
    rows += [[night.name(seat), *(str(state[key][seat]) for key in columns)] for seat in night.all_seats]
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
    """Print aligned rows: the first column to the left, the others to the right."""
    if not rows or len(rows[0]) < 2:
        return
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for first, *others in rows:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        click.echo("  ".join([first.ljust(widths[0]), *cells]))
    click.echo()
