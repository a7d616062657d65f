"""The command `board-tracker` with its subcommands; `serve` is the default.

May import every other folder."""

import importlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tracker import __version__
from tracker.extras import load, load_games, modules
from tracker.web.own_command import NAME, own_command

Command = TypeVar("Command", bound=Callable[..., Any])

# Each command's module is imported when the command is used: a server starts without what writes night files. The
# module holds the click command under the given name. These no extra replaces: they begin without importing them.
COMMANDS = {"serve": ("tracker.cli.serve", "serve")}


def commands() -> dict[str, tuple[str, str]]:
    """Return the module and the name in it of every subcommand; those of the extras replace others of their name."""
    return COMMANDS | {name: where for extra in load() for name, where in extra.commands.items()}


def place_options() -> dict[str, Callable[[Any], Any]]:
    """Return the options by which the extras name another place than the data folder; each takes a value."""
    return {name: option for module in modules("options") for name, option in module.DATA_OPTIONS.items()}


class Commands(click.Group):
    """The group of subcommands; `serve` when none is named."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command that the arguments name; its output takes every character, its files are this user's only."""
        os.umask(0o077)  # nobody else on this machine reads names, logs and tokens
        configure_output()
        return super().main(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let the folder's options stand before the command's name too; without a name it is `serve`."""
        first, names = 0, ("--data", *place_options())
        while first < len(args) and args[first].partition("=")[0] in names:
            first += 1 if "=" in args[first] else 2
        if first and args[first : first + 1] and args[first] in commands():
            args = [args[first], *args[:first], *args[first + 1 :]]
        elif args and args[0].startswith("-") and args[0] not in ("--help", "-h", "--version"):
            args = ["serve", *args]
        elif not args and not ctx.resilient_parsing:  # Tab asks for what may stand here: the names of all commands
            args = ["serve"]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*commands(), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand's module and return the command."""
        known = COMMANDS if cmd_name in COMMANDS else commands()
        if cmd_name not in known:
            return super().get_command(ctx, cmd_name)
        load_games()
        module, name = known[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what happens without a command, and where the nights are."""
        formatter.write_paragraph()
        formatter.write_text(f"Without a command it serves: see {own_command()} serve --help.")
        formatter.write_text(f"The nights are kept in {default_folder()}")


class OutputFailed(click.ClickException):
    """Standard output can't be written; no OSError, so that no command takes it for a fault of its own files."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"standard output can't be written ({reason})")


CLOSED = -1


class RawOutput(io.RawIOBase):
    """What standard output or standard error writes to, as bytes; after its first failure it takes everything in."""

    def __init__(self, number: int, *, is_needed: bool) -> None:
        """`number` is that of the open file, CLOSED for none. With `is_needed` a failure raises OutputFailed."""
        self._number, self._is_needed, self._has_failed = number, is_needed, False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number if self._number != CLOSED else super().fileno()

    def write(self, data: Any) -> int:
        """Write some bytes and return how many. Raises OutputFailed, once."""
        if self._has_failed:
            return len(data)
        try:
            return os.write(self._number, data)
        except OSError as error:
            self._has_failed = True
            if self._is_needed:
                raise OutputFailed(error.strerror or str(error)) from error
            return len(data)


def configure_output() -> None:
    """Have files and pipes written in UTF-8, as night files and boards are read; a terminal keeps its own encoding.

    What a terminal's encoding lacks is shown as a question mark. A failure to write raises OutputFailed.
    """
    for name in ("stdout", "stderr"):
        stream, is_needed = getattr(sys, name), name == "stdout"
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            stream.reconfigure(errors="replace")
        elif stream is getattr(sys, f"__{name}__") and (stream or is_needed):
            written = io.BufferedWriter(RawOutput(stream.fileno() if stream else CLOSED, is_needed=is_needed))
            text = io.TextIOWrapper(written, "utf-8", "backslashreplace", line_buffering=not is_needed)
            setattr(sys, name, text)
        elif isinstance(stream, io.TextIOWrapper):  # a test has put it there
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str, *, err: bool = False) -> None:
    """Print a text for whoever may look; a stream that can't be written is not used again, and the program goes on."""
    try:
        click.echo(text, err=err)
    except (OSError, OutputFailed):
        setattr(sys, "stderr" if err else "stdout", None)


@click.group(cls=Commands, context_settings={"help_option_names": ["--help", "-h"]})
@click.version_option(__version__, prog_name=NAME)
def main() -> None:
    """Keeps the chips of a card night at a real table. Phones join over the home Wi-Fi."""


def default_folder() -> Path:
    """Return this user's data folder."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only needed without --data

    return user_data_path("board-tracker", appauthor=False)


class FolderOption(click.Option):
    """An option whose default is worked out for its help, too."""

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:  # noqa: ARG002 - as click has it
        """Return the default folder's path, where click would write "(dynamic)"."""
        return super().get_default(ctx, call=True)


DATA_PLACE = "tracker.data_place"
"""The key in click's `Context.meta` of the `storage.DataPlace` that has the nights, if no data folder has them."""


def check_folder(_context: click.Context, _option: click.Parameter, folder: Path) -> Path:
    """Return the data folder. Raises BadParameter for a name that the system does not take."""
    try:
        (folder / "nights.db").exists()
    except OSError as error:
        raise click.BadParameter(f"the data folder can't be used: {error.strerror}") from None
    return folder


_folder_option = click.option(
    "--data",
    "folder",
    cls=FolderOption,
    type=click.Path(file_okay=False, path_type=Path),
    default=default_folder,
    callback=check_folder,
    envvar="BOARD_TRACKER_DATA",
    show_default=True,
    help="The folder that keeps the nights.",
)


def data_option(command: Command) -> Command:
    """Add `--data`, and what the extras have to name another place of the nights."""
    for option in place_options().values():
        command = option(command)
    return _folder_option(command)
