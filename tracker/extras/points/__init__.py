"""Score sheets, such as that of Hearts: everybody's points of a round are written down and added up."""

from tracker.web.base.extra import Extra

EXTRA = Extra(modules=("tracker.extras.points.pages",), places={"ending.fields": "points/_completed.html"})
