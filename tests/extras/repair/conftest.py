"""A sound data file to be damaged, and what a killed command leaves."""

from pathlib import Path

import pytest
from support.damaged_files import EntriesByCode, sound_file
from support.killed_steps import _left

__all__ = ["_left"]


@pytest.fixture(name="sound", scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, EntriesByCode]:
    return sound_file(tmp_path_factory.mktemp("sound"))
