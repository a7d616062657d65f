"""What a killed server has left."""

from support.data_files import _left

__all__ = ["_left"]
