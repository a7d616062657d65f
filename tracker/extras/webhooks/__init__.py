"""Outgoing webhooks: programs of the house that are sent what is recorded."""

from tracker.extras.webhooks.pages import begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"night.machine_links": "webhooks/_link.html"}, begin=begin)
