"""Files of other programs: plays of BG Stats, and what shared costs come to, as nights of points and open payments."""

from tracker.extras.imports.pages import bp, read
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"import.files": "imports/_files.html"}, readers=[read])
