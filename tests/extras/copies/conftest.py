"""The fixtures of tests of backups: the night of which they are made is `table`."""

from extras.copies.backup_fixtures import _backups, _table
from support.data_files import _left

__all__ = ["_backups", "_left", "_table"]
