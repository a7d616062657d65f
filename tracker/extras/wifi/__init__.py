"""A code that joins the home's Wi-Fi, for phones that come without it."""

from tracker.extras.wifi.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"lobby.code": "wifi/_lobby.html", "code.below": "wifi/_share.html"})
