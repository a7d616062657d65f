"""Outgoing webhooks: programs of the house that are sent what is recorded."""

from tracker.extras.webhooks.pages import WebhookSettings, begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={"night.machine_links": "webhooks/_link.html"},
    ways_in=[WebhookSettings.webhooks.prefix],
    begin=begin,
)
