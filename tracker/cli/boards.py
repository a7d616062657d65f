"""The command over boards: list them, show one as a file or as its rule card, check a file.

Ends with status 1 for a board that is not there, with 2 for a file that is no board, all its faults on standard error.
"""

from __future__ import annotations

from pathlib import Path

import click

from tracker.cli import data_option
from tracker.cli.files import Failed, NotAFile, named, read_text, reading
from tracker.cli.store import DATA_FILE
from tracker.codec import preset_from_toml, preset_to_toml
from tracker.core.errors import PresetError, TableError
from tracker.core.preset import Preset
from tracker.presets import all_built_in, built_in
from tracker.presets.bundles import all_bundled

COMMANDS = ("list", "show", "check", "print")


class Presets(click.Group):
    """The commands over boards; without one it lists, and the id of a board alone shows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `list` or `show` in front when no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "-h")):
            args = ["list", *args]
        elif args[0] not in COMMANDS and not args[0].startswith("-"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Presets)
def presets() -> None:
    """List, show, check and print boards and their rules.

    Without a command it lists them; the id of one shows it.
    """


@presets.command("list")
@data_option
def list_(folder: Path) -> None:
    """List the boards: those of the data folder, then what comes with the tracker."""
    for one in everything(folder):
        click.echo(f"{one.id:<32}  {one.name}")


@presets.command()
@click.argument("preset")
@data_option
def show(preset: str, folder: Path) -> None:
    """Print PRESET as TOML: it can be changed into a board of your own."""
    click.echo(preset_to_toml(found(preset, folder)), nl=False)


@presets.command()
@click.argument("file")
def check(file: str) -> None:
    """Say whether FILE (- for standard input) is a board that can be played, or everything that is wrong with it."""
    board = from_file(file)
    click.echo(f"{named(file)}: {board.name} can be played")


@presets.command("print")
@click.argument("preset")
@data_option
def print_(preset: str, folder: Path) -> None:
    """Print the rules of PRESET, an id or a .toml file, in plain sentences; * marks what its sheet does not say."""
    from tracker.web.rule_card import card_text, rule_card  # noqa: PLC0415 - the other commands need no translations

    is_file = preset == "-" or preset.endswith(".toml")
    board = from_file(preset) if is_file else found(preset, folder)
    base = board.base or board.id
    printed = next((one for one in all_built_in() if one.id == base), None)
    click.echo(card_text(rule_card(board, printed)), nl=False)


def from_file(file: str) -> Preset:
    """Return the board of a file; NotAFile with all its faults, a line each."""
    text = read_text(file)
    try:
        return preset_from_toml(text)
    except PresetError as error:
        for fault in error.faults:
            Failed(f"{named(file)}: {fault}").show()
        raise NotAFile(f"{named(file)} is no board that can be played") from None


def found(preset: str, folder: Path) -> Preset:
    """Return a board by its id; Failed when there is none."""
    listed = {one.id: one for one in everything(folder)}
    try:
        return listed.get(preset) or built_in(preset)
    except TableError as error:
        raise Failed(error) from None


def everything(folder: Path) -> list[Preset]:
    """Return the boards of a data folder and what comes with the tracker, each once."""
    own: list[Preset] = []
    if (folder / DATA_FILE).exists():
        with reading(folder) as tables:
            own = tables.library.own()
    given = [*all_built_in(), *all_bundled()]
    return own + list({one.id: one for one in given}.values())
