"""A disk that is nearly full: no night begins on one unless that is said, and room is put by for the end of a night."""

from click import Option

from tracker.extras.nearly_full.room import begin
from tracker.web.base.extra import Extra

EXTRA = Extra(
    options=[Option(["--full-disk"], is_flag=True, help="Start although the disk is nearly full.")],
    begin=begin,
)
