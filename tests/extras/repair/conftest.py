"""Files to be damaged or left behind, for the tests of the repair."""

from extras.repair.damaged_files import _sound
from support.killed_steps import _left

__all__ = ["_left", "_sound"]
