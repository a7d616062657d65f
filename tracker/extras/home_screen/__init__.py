"""What a home screen or a bookmark takes from the tracker: its name, its icon, its colours."""

from tracker.extras.home_screen.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"head.icons": "home_screen/_icons.html"})
