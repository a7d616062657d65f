"""The command `presets`: list, print, check, import; status 1 for a missing preset, 2 for an invalid file."""

from pathlib import Path

import click

from tracker import extras
from tracker.cli import data_option
from tracker.core.errors import PresetError, TableError
from tracker.core.preset import Preset
from tracker.extras._commands import (
    BadInputFile,
    CommandFailed,
    display_name,
    exclusive_nights,
    own_presets,
    preset_by_name,
    read_text,
)
from tracker.extras.editor.library import EditedLibrary
from tracker.formats.built_in import all_built_in
from tracker.formats.codec import preset_from_toml, preset_to_toml


class Presets(click.Group):
    """The group of commands; `list` without arguments, and `show` for a preset's id alone."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `list` or `show` in front when no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "-h")):
            args = ["list", *args]
        elif args[0] not in self.commands and not args[0].startswith("-"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Presets)
def presets() -> None:
    """List, show, check, print and import boards and their rules.

    Without a command it lists them; the id of one shows it.
    """


@presets.command("list")
@data_option
def list_(folder: Path) -> None:
    """List the boards, those of the data folder first."""
    for preset in own_presets(folder) + all_built_in():
        click.echo(f"{preset.id:<32}  {preset.name}")


@presets.command()
@click.argument("preset")
@data_option
def show(preset: str, folder: Path) -> None:
    """Print PRESET as TOML: it can be changed into a board of your own."""
    click.echo(preset_to_toml(find_preset(preset, folder)), nl=False)


@presets.command()
@click.argument("file")
def check(file: str) -> None:
    """Say whether FILE is a board that can be played.

    FILE is - for standard input. Prints everything that is wrong with it.
    """
    board = read_preset(file)
    click.echo(f"{display_name(file)}: {board.name} can be played")


@presets.command("print")
@click.argument("preset")
@data_option
def print_(preset: str, folder: Path) -> None:
    """Print the rules of PRESET in plain sentences.

    PRESET is an id or a .toml file. * marks what its sheet does not say.
    """
    extras.load()  # the words of their games
    from tracker.extras.editor.card_text import card_text  # noqa: PLC0415 - the other commands need no translations
    from tracker.extras.editor.rule_card import rule_card  # noqa: PLC0415

    is_file = preset == "-" or preset.endswith(".toml")
    board = read_preset(preset) if is_file else find_preset(preset, folder)
    base = board.base or board.id
    printed = next((built for built in all_built_in() if built.id == base), None)
    click.echo(card_text(rule_card(board, printed)), nl=False)


@presets.command("import")
@click.argument("file")
@data_option
def import_(file: str, folder: Path) -> None:
    """Add the preset in FILE to the data folder and print its id.

    FILE is - for standard input.
    The id of the file is kept where it is free. A preset that is there already is not added again.
    """
    preset = read_preset(file)
    with exclusive_nights(folder) as nights:
        try:
            added = EditedLibrary(nights.store).add(preset)
        except TableError as error:
            raise CommandFailed(error) from None
    click.echo(f"{added.id}  {added.name}")


def read_preset(file: str) -> Preset:
    """Return the preset of a file. Raises BadInputFile after printing all faults, one per line."""
    text = read_text(file)
    try:
        return preset_from_toml(text)
    except PresetError as error:
        for fault in error.faults:
            CommandFailed(f"{display_name(file)}: {fault}").show()
        raise BadInputFile(f"{display_name(file)} is no board that can be played") from None


def find_preset(preset_id: str, folder: Path) -> Preset:
    """Return a preset by its id. Raises CommandFailed."""
    try:
        return preset_by_name(preset_id, folder)
    except TableError as error:
        raise CommandFailed(error) from None
