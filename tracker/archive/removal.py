"""Nights that are removed for good, with what names their people outside of their own logs."""

from collections.abc import Mapping

from tracker.app.nights import Nights
from tracker.app.settings import FolderSettings
from tracker.archive.people import People
from tracker.archive.settle_lists import lists_with


def remove_nights(nights: Nights, heads: Mapping[str, int]) -> list[str]:
    """Remove nights for good and return the codes of those removed: one that has more events than said by now stays.

    With them go their seats in the list of people, the lists that settle them with other nights, and their night files
    in the folder of copies; copies of all nights that were made before still have them. Raises NotRead, NotSaved.
    """
    now_there = nights.store.heads([*heads])
    unchanged = {code: head for code, head in heads.items() if now_there.get(code) == head}
    if not unchanged:
        return []
    People(nights.store).forget_nights(unchanged)
    keys = [FolderSettings.settle_ups.prefix + name for name in lists_with(nights, unchanged)]
    removed = nights.store.remover.remove(unchanged, keys)
    for code in removed:
        nights.forget(code)
    return removed
