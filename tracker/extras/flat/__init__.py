"""One tablet flat in the middle of the table: the board, and around it a dock for each person, turned to their side."""

from tracker.extras.flat.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"menu.people": "flat/_menu.html", "lobby.dock": "flat/_lobby.html"})
"""The page of the tablet, on which everybody who sits around it records in front of themselves."""
