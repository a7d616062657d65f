"""A night of four whose store makes backups and what these report; what a killed server has left."""

from support.backup_fixtures import _backups, _reports, _table
from support.data_files import _left

__all__ = ["_backups", "_left", "_reports", "_table"]
