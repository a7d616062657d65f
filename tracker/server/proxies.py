"""Who a request comes from behind a proxy that ends TLS: said by headers, and believed of that proxy alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from waitress.proxy_headers import proxy_headers_middleware

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BELIEVED = {"x-forwarded-for", "x-forwarded-proto"}
"""The address of the client and its scheme; the name of the host is the request's own header Host."""


def believe_proxies(app: WSGIApplication, proxies: Collection[str]) -> WSGIApplication:
    """Return an app that takes a client's address and scheme from the headers of a proxy, the last hop of each.

    From any other address these headers are removed, as are all others that proxies are known to send.
    """
    from_stranger: WSGIApplication = proxy_headers_middleware(app)
    if not proxies:
        return from_stranger
    from_proxy: WSGIApplication = proxy_headers_middleware(
        app, trusted_proxy="*", trusted_proxy_count=1, trusted_proxy_headers=BELIEVED
    )

    def app_behind_proxies(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_proxy = environ.get("REMOTE_ADDR") in proxies
        return (from_proxy if is_proxy else from_stranger)(environ, start_response)

    return app_behind_proxies
