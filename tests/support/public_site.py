"""A tracker that is opened by its public name, and browsers somewhere."""

from collections.abc import Mapping
from typing import Any

from support.client_phones import ClientPhone, Site

from tracker.app.nights import Nights
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

PUBLIC = "https://cards.example"
NAME = "cards.example"
CLIENT = "203.0.113.7"


class PublicSite(Site):
    """A tracker that is opened by its public name."""

    def __init__(self, tables: Nights, options: Mapping[str, object] | None = None) -> None:
        self.tables = tables
        self.app = create_app(tables, access=Access(tables, Addresses(list, public=PUBLIC)), options=options)


class PublicPhone(ClientPhone):
    """A browser somewhere, whose requests come encrypted."""

    def _open(self, method: str, path: str, form: Any, headers: dict[str, str]) -> Any:
        if method == "POST":
            headers = {"Origin": PUBLIC, **{key: one for key, one in headers.items() if key != "Origin"}}
        sent = {"Host": NAME, **headers}
        options: Any = {"base_url": PUBLIC, "environ_overrides": {"REMOTE_ADDR": self.address}}
        return self.client.open(path, method=method, data=form or None, headers=sent, **options)
