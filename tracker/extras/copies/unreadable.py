"""What is said of copies where the data file can't be opened."""

from pathlib import Path

from tracker.extras._backups import FOLDER, about_restore, list_backups


def hint(data_file: Path) -> str:
    """Return how the copies are found that can be put back, to be added to a sentence; empty where there are none."""
    has_copies = list_backups(data_file.parent / FOLDER)
    return about_restore("; {restore} lists the copies that can be put back") if has_copies else ""
