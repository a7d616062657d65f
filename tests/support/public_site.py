"""A tracker behind a proxy, opened by its public name, and browsers that come by the proxy."""

from collections.abc import Mapping
from typing import Any

from support.client_phones import ClientPhone, Site

from tracker.app.nights import Nights
from tracker.server.server import believe_proxies
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

PUBLIC = "https://cards.example"
NAME = "cards.example"
PROXY, CLIENT = "127.0.0.1", "203.0.113.7"


class PublicSite(Site):
    """A tracker behind a proxy, opened by its public name."""

    def __init__(self, tables: Nights, options: Mapping[str, object] | None = None) -> None:
        self.tables = tables
        self.app = create_app(tables, access=Access(tables, Addresses(list, public=PUBLIC)), options=options)
        self.app.wsgi_app = believe_proxies(self.app.wsgi_app, (PROXY,))  # type: ignore[method-assign, assignment]


class PublicPhone(ClientPhone):
    """A browser somewhere, whose requests come by the proxy."""

    def _open(self, method: str, path: str, form: Any, headers: dict[str, str]) -> Any:
        told = {"X-Forwarded-For": self.address, "X-Forwarded-Proto": "https"}
        if method == "POST":
            headers = {"Origin": PUBLIC, **{key: one for key, one in headers.items() if key != "Origin"}}
        sent = {"Host": NAME, **headers, **told}
        options: Any = {"base_url": PUBLIC, "environ_overrides": {"REMOTE_ADDR": PROXY, "wsgi.url_scheme": "http"}}
        return self.client.open(path, method=method, data=form or None, headers=sent, **options)
