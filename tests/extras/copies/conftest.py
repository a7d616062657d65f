"""The fixtures of tests of backups: the night whose store makes them is `table`."""

from support.backup_fixtures import _backups, _reports, _table
from support.data_files import _left

__all__ = ["_backups", "_left", "_reports", "_table"]
