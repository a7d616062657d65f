"""Nights that are removed for good, with all that belongs to them. No extra itself."""

from collections.abc import Iterable, Mapping

from tracker.app.nights import Nights
from tracker.extras import _data_files
from tracker.extras._backups import backups_of
from tracker.extras._people import people_of
from tracker.storage import Store
from tracker.storage.database import EVERYTHING
from tracker.storage.rows import head_of, set_setting

WITH_A_NIGHT = ("summary", "device", "invite", "setting", "event", "night")
"""The tables that a removed night is deleted from, what refers to others first."""


def remove_nights(nights: Nights, heads: Mapping[str, int]) -> list[str]:
    """Remove nights for good and return the codes of those removed: one that has more events than said by now stays.

    With them go their seats in the list of people, what else names them in the settings of the data folder, and their
    night files in the folder of copies; copies of all nights that were made before still have them. Raises NotRead,
    NotSaved.
    """
    now_there = _data_files.heads(nights.store, [*heads])
    unchanged = {code: head for code, head in heads.items() if now_there.get(code) == head}
    if not unchanged:
        return []
    people_of(nights).forget_nights(unchanged)
    keys = [key for keys_of in nights.settings_of_nights for key in keys_of(unchanged)]
    removed = erase_nights(nights.store, unchanged, keys)
    for code in removed:
        nights.forget(code)
        if backups := backups_of(nights):
            backups.forget(code)
    return removed


def erase_nights(store: Store, heads: Mapping[str, int], folder_keys: Iterable[str] = ()) -> list[str]:
    """Delete nights with all that belongs to them, and `folder_keys`; return the codes of those deleted.

    `heads` has the number of events by night: one with more stays. Raises NotSaved.
    """
    removed = []
    with store.connection.write(EVERYTHING, erases=WITH_A_NIGHT) as db:
        for key in folder_keys:
            set_setting(db, "", key, None)
        for code, head in heads.items():
            if db.table("night").count_where("code = ?", [code]) and head_of(db, code)[0] == head:
                for table in WITH_A_NIGHT:
                    db.table(table).delete_where("code = ?", [code])
                removed.append(code)
    return removed
