"""Put a whole copy in the place of the data file, which is kept under another name."""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from tracker.extras._data_files import copy_aside, copy_file, replace_file
from tracker.storage import NightRow, Store, StoreError, Unreadable
from tracker.storage.database import EVERYTHING, rows_where
from tracker.storage.files import FolderLock, finish_replacing, remove
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
    """Replace the data file by a backup, without who was sent away since; the former file is kept under another name.

    Keys that begin with one of `settings` stay. Raises InUse, Unreadable or OSError with nothing changed.
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
    """Remove from a copy the devices and join codes that its data file has no more; `settings` are as there.

    Nothing is changed where `present` is another file, as one that was begun after the data file was lost.
    """
    if copy.instance != present.instance:
        return
    with copy.connection.write(EVERYTHING) as db:
        for table in ("device", "invite"):
            kept = {bytes(row["token_hash"]) for row in rows_where(present.connection, table)}
            for row in [*db.table(table).rows_where()]:
                if bytes(row["token_hash"]) not in kept:
                    db.table(table).delete_where("token_hash = ?", [row["token_hash"]])
        codes = {"", *(str(row["code"]) for row in db.table("night").rows_where(select="code"))}
        settings_there = [*db.table("setting").rows_where()]
        for rows, is_new in ((settings_there, False), (rows_where(present.connection, "setting"), True)):
            for row in rows:
                if row["code"] in codes and str(row["key"]).startswith((*settings,)):
                    set_setting(db, row["code"], row["key"], str(row["value"]) if is_new else None)
