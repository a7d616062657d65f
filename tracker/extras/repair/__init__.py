"""A damaged data file is repaired when a server starts: what can be proved of it is kept, and the file itself too."""

from tracker.web.base.extra import Extra

EXTRA = Extra()
