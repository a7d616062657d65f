"""Put a whole copy in the place of the data file, which is kept under another name."""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracker.storage import NightRow, Store, StoreError, Unreadable
from tracker.storage.database import EVERYTHING
from tracker.storage.files import FolderLock, copy_aside, copy_file, finish_replacing, remove, replace_file
from tracker.storage.rows import set_setting


@dataclass(frozen=True)
class ReplacedFile:
    """The result of `restore`."""

    nights: list[NightRow]
    aside: Path | None
    """The copy of the former data file; None when there was none."""
    faults: list[str]
    """A sentence for every night of the backup whose hash chain is broken."""


def restore(data_file: Path, backup: Path, settings: Sequence[str] = ()) -> ReplacedFile:
    """Replace the data file by a backup; the former file is kept under another name.

    A phone that was sent away since is not let in again, an older join code leads nowhere, and settings whose keys
    begin with one of `settings` stay as they are now, unless the former file can't be read.

    Raises InUse while a server runs, Unreadable when the backup can't be opened, OSError when the disk fails; then
    nothing is changed.
    """
    data_file = data_file.resolve()
    lock = FolderLock(data_file)
    fresh = data_file.with_name(data_file.name + ".part")
    try:
        remove(fresh)
        if not backup.stat().st_size:
            raise Unreadable("the file is empty")
        copy_file(backup, fresh)
        with closing(Store(fresh)) as store:
            nights, faults = store.nights(), store.faults()
            if data_file.exists():
                with suppress(StoreError), closing(Store(data_file, read_only=True)) as former:
                    remove_what_was_ended(store, former, settings)
        finish_replacing(data_file)
        aside = copy_aside(data_file, "before-restore") if data_file.exists() else None
        replace_file(fresh, data_file)
    except StoreError as error:
        raise Unreadable(f"{backup} can't be put back, nothing was changed: {error}") from error
    finally:
        with suppress(OSError):
            remove(fresh)
        lock.release()
    return ReplacedFile(nights, aside, faults)


def remove_what_was_ended(copy: Store, present: Store, settings: Sequence[str] = ()) -> None:
    """Remove from a copy the devices and join codes that the data file it was made of has no more.

    Its settings whose keys begin with one of `settings` become those of the data file. Nothing is changed where
    `present` is another file, as one that was begun after the data file was lost.
    """
    if copy.instance != present.instance:
        return
    with copy.connection.write(EVERYTHING) as db:
        for table in ("device", "invite"):
            kept = {bytes(token) for (token,) in present.connection.select("token_hash", table)}
            for (token,) in db.select("token_hash", table):
                if bytes(token) not in kept:
                    db.execute(f"DELETE FROM {table} WHERE token_hash = ?", [token])  # noqa: S608 - constants
        codes = {"", *(str(code) for (code,) in db.select("code", "night"))}
        for source, is_new in ((db.select("code, key", "setting"), False), (_all_settings(present), True)):
            for code, key, *text in source:
                if code in codes and str(key).startswith((*settings,)):
                    set_setting(db, code, key, str(text[0]) if is_new else None)


def _all_settings(store: Store) -> Sequence[tuple[Any, ...]]:
    return store.connection.select("code, key, value", "setting")
