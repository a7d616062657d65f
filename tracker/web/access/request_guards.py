"""What every request must look like before any page sees it, and the headers every answer carries."""

import ipaddress
import re
from collections.abc import Collection

from flask import Flask, Request, Response, abort, current_app, g, request
from werkzeug.exceptions import MethodNotAllowed

from tracker.formats.sender import sender_of
from tracker.web.access.roles import rules_of

METHODS = ("GET", "HEAD", "POST")
SERVER_LIMIT = 64 * 1024  # bytes that the server takes in of any other body, before a page sees the request

# A page that rebinds a name to this machine always arrives with that name, so address literals may be let in
# whatever the machine's address is tonight, and names only when they were configured.
NEAR = tuple(
    ipaddress.ip_network(net)
    for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16")
) + tuple(ipaddress.ip_network(net) for net in ("::1/128", "fc00::/7", "fe80::/10"))

HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9.-]{1,253}))(?::(?P<port>[0-9]{1,5}))?", re.ASCII)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
        "frame-ancestors 'none'"
    ),
    # Never no-referrer: then every form would send "Origin: null" and be refused.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def install(app: Flask) -> None:
    """Put the request rules in front of, and the headers behind, everything the app serves."""
    app.url_map.merge_slashes = False  # an address with two slashes is none of ours, and sends nobody anywhere
    app.url_map.strict_slashes = False  # typed with a slash at its end, an address is the same page
    app.before_request(check)
    app.after_request(add_headers)


def check() -> None:
    """Let the request through with `g.page_rules`, or answer 400 (host), 403 (origin), 405 (method) or 413 (body)."""
    g.page_rules = rules = rules_of(current_app.view_functions.get(request.endpoint or ""))
    host, config = request.headers.get("Host", ""), current_app.config
    # Some home networks give this machine an address that is not private.
    if not (is_allowed_host(host, config["HOST_NAMES"]) or is_allowed_host(host, config["OWN_ADDRESSES"]())):
        abort(400, description="host")
    if request.method not in METHODS:
        adapter = current_app.create_url_adapter(request)
        known = [one for one in METHODS if adapter and one in adapter.allowed_methods()]
        raise MethodNotAllowed(valid_methods=known or METHODS)
    if request.method == "POST":
        request.max_content_length = rules.most_bytes
        if (request.content_length or 0) > request.max_content_length:
            abort(413)
        is_script = current_app.extensions["access"].scripts.has_token(request)
        if not is_script and not is_from_our_page(request, current_app.config.get("PUBLIC_ADDRESS", "")):
            abort(403, description="origin")


def is_allowed_host(host: str, names: Collection[str] = ()) -> bool:
    """Return whether a Host header is a home-network address, localhost or one of some names or other addresses."""
    found = HOST.fullmatch(host.lower())
    if not found or (found["port"] and not 0 < int(found["port"]) < 65536):
        return False
    address = found["six"] or found["name"]
    return address == "localhost" or address in names or is_near(address)


def is_near(address: str) -> bool:
    """Return whether an address literal is private, loopback or link-local."""
    try:
        literal = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(literal, ipaddress.IPv6Address) and literal.ipv4_mapped:
        literal = literal.ipv4_mapped
    return any(literal in net for net in NEAR if net.version == literal.version)


def is_loopback(host: str) -> bool:
    """Return whether an address or name means this very machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def sender() -> str:
    """Return whom this request is counted with by every limit; nothing else reads the address for that."""
    return sender_of(request.remote_addr or "")


def is_from_this_machine() -> bool:
    """Return whether this request comes from a browser or a proxy of this machine."""
    return is_loopback(request.remote_addr or "")


def is_from_our_page(request: Request, public: str = "") -> bool:
    """Return whether a POST was sent by one of our own pages.

    `public` is the public address, also when a proxy has told less of it than the browser says in Origin.
    Browsers send no Sec-Fetch headers over plain http, so the Origin check carries the weight.
    """
    ours = f"{request.scheme}://{request.headers.get('Host', '')}"
    origin = request.headers.get("Origin", "").lower()
    if origin != ours.lower() and not (public and origin == public):
        return False
    return request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"


def add_headers(response: Response) -> Response:
    """Add the headers of every answer; pages are never kept by a browser, files may be."""
    present = {name.lower() for name, _ in response.headers}  # setdefault() looks through all of them twice
    for name, value in HEADERS.items():
        if name.lower() not in present:
            response.headers.add(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


LABELS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


def label_of(user_agent: str) -> str:
    """Return what a device is, as people would say it, from what its browser says."""
    label = next((label for label in LABELS if label in user_agent), "")
    return "Mac" if label == "Macintosh" else label
