"""The data file deleted or replaced while the command serves it: all that was recorded is in a copy."""

import json
from contextlib import closing
from pathlib import Path

from support.polling import wait_until
from support.replaced_file import each_fault, file_replaced

from tracker.extras._backups import FOLDER
from tracker.storage import Store


@each_fault
def test_all_that_was_recorded_is_copied_when_the_data_file_is_replaced(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "data"
    with file_replaced(folder, tmp_path / "older.db", fault) as ended:
        wait_until(lambda: any((folder / FOLDER).glob("asked-*.db")))
    (copy,) = (folder / FOLDER).glob("asked-*.db")
    assert f"Everything that was recorded is in {copy}" in ended.said
    night_file = json.loads((folder / FOLDER / f"night-{ended.night.code}.json").read_text(encoding="utf-8"))
    assert len(night_file["events"]) == 13
    with closing(Store(copy, read_only=True)) as store:
        assert [row.number for row in store.events(ended.night.code)] == list(range(1, 14))
        assert store.faults() == []
