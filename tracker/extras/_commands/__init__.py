"""What commands of several extras have in common: files that are read, data folders that are filled. No extra."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from tracker.app.nights import Nights
from tracker.app.preset_library import PresetLibrary
from tracker.cli.data_folder import AlreadyServed, open_store, place_of
from tracker.core.errors import TableError
from tracker.core.preset import Preset
from tracker.extras import load
from tracker.extras._night_files.codes import is_night_code, night_text
from tracker.extras._night_files.json_text import UnreadableError
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.night_file import LARGEST_FILE
from tracker.storage import DataPlace, InUse, Store
from tracker.storage.files import undo_new
from tracker.streaming.hub import StreamHub

LONGEST_LINE = 500


class CommandFailed(click.ClickException):
    """Ends the command with status 1 and one printable line on standard error."""

    def __init__(self, sentence: object) -> None:
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(sentence))
        super().__init__(shown if len(shown) <= LONGEST_LINE else shown[: LONGEST_LINE - 3] + "...")

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message without click's prefix, since scripts read it."""
        click.echo(self.message, file=file or sys.stderr)


class BadInputFile(CommandFailed):
    """Ends the command with status 2: the file is missing or not of the expected format."""

    exit_code = 2


def read_text(file: str) -> str:
    """Return the text of a night file, or of standard input for `-`, up to 4 times the largest size.

    Instead of a file there may be the code of a night, in it or as its name. Raises BadInputFile.
    """
    try:
        return night_text(read_bytes(file).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInputFile(f"{display_name(file)} is not UTF-8 text") from None
    except UnreadableError as error:
        raise BadInputFile(f"{display_name(file)}: {error}") from None


def read_bytes(file: str) -> bytes:
    """Return the bytes of a file, or of standard input for `-`; of a code, the code. Raises BadInputFile."""
    try:
        if is_night_code(file):
            return file.encode()
        if file == "-":
            return sys.stdin.buffer.read(4 * LARGEST_FILE + 1)
        with Path(file).open("rb") as opened:
            return opened.read(4 * LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise BadInputFile(f"{display_name(file)}: {getattr(error, 'strerror', None) or error}") from None


def display_name(file: str) -> str:
    return "standard input" if file == "-" else "the code" if is_night_code(file) else file


@contextmanager
def whole_or_nothing(place: Path | DataPlace) -> Iterator[None]:
    """Remove a data file that was not there before where the body fails, with the folders that were made for it."""
    undo = undo_new(place) if isinstance(place, Path) else lambda: None
    try:
        yield
    except (AlreadyServed, InUse):  # the files are another program's
        raise
    except BaseException:
        undo()
        raise


@contextmanager
def exclusive_nights(folder: Path) -> Iterator[Nights]:
    """Yield the nights of a data folder that no server is using. Raises CommandFailed.

    A data file that was not there before is removed again where nothing came into it.
    """
    place, is_empty = place_of(folder), False
    undo = undo_new(place) if isinstance(place, Path) else lambda: None
    try:
        with open_store(place) as store:
            try:
                yield opened(store)
            finally:
                is_empty = not store.nights() and not PresetLibrary(store).own()
    except AlreadyServed as taken:
        page = f"{taken.address}/import" if taken.address else "its page /import"
        raise CommandFailed(
            f"a server is running on {folder}: bring the night in at {page}, or stop it first"
        ) from None
    except click.ClickException as error:
        raise CommandFailed(error) from None
    finally:
        if is_empty:
            undo()


def preset_by_name(preset_id: str, folder: Path) -> Preset:
    """Return a preset that comes with the tracker, or else one of a data folder, by its id. Raises Unknown."""
    own = [] if preset_id in built_in_ids() else own_presets(folder)
    return next((one for one in own if one.id == preset_id), None) or built_in(preset_id)


def own_presets(folder: Path) -> list[Preset]:
    """Return the presets of a data folder; none where there is no data file."""
    if not has_nights(folder):
        return []
    with readable_nights(folder) as tables:
        return tables.library.own()


def opened(store: Store) -> Nights:
    """Return the nights of a store, known to the extras."""
    nights = Nights(store, StreamHub())
    for extra in load():
        extra.opened(nights)
    return nights


@contextmanager
def readable_nights(folder: Path) -> Iterator[Nights]:
    """Yield the nights of a data folder for reading, also beside a running server. Raises CommandFailed."""
    if not has_nights(folder):
        raise CommandFailed(f"there are no nights in {folder} yet")
    with open_store(place_of(folder), read_only=True) as store:
        try:
            yield opened(store)
        except TableError as error:
            raise CommandFailed(error) from None


def has_nights(folder: Path) -> bool:
    """Return whether there is a data file in the folder, or another place has the nights."""
    place = place_of(folder)
    return not isinstance(place, Path) or place.exists()
