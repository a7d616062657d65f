"""A night of four whose store makes backups and what these report; a sound data file to be damaged."""

from pathlib import Path

import pytest
from support.backup_fixtures import _backups, _reports, _table
from support.damaged_files import EntriesByCode, sound_file
from support.killed_steps import _left

__all__ = ["_backups", "_left", "_reports", "_table"]


@pytest.fixture(name="sound", scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, EntriesByCode]:
    return sound_file(tmp_path_factory.mktemp("sound"))
