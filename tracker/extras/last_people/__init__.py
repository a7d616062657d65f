"""The people of the last table, offered in the next lobby: all with one tap, and one by one who had left early."""

from tracker.extras.last_people.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"lobby.people": "last_people/_lobby.html"})
