"""One tablet flat in the middle of the table: the board, and around it a dock for each person, turned to their side."""

from flask import Flask

from tracker.extras._phones import error_words
from tracker.extras.flat import pages, places, way_in
from tracker.web.base.extra import Extra


def begin(app: Flask) -> None:
    """Lead the tablet from the page of its table to its own."""
    app.extensions["guards"].append(way_in.lead_to_tablet)
    app.extensions["error_words"].append(error_words)


EXTRA = Extra(
    [pages.bp, way_in.bp],
    places={"menu.people": "flat/_menu.html", "lobby.dock": "flat/_lobby.html", "log.entry": "flat/_log_entry.html"},
    begin=begin,
    next_night=places.sit_as_before,
    same_people=places.sit_as_before,
)
"""The page of the tablet, on which everybody who sits around it records in front of themselves."""
