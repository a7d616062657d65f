"""Floods of requests from one network, and honest phones beside them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from support.client_phones import ClientPhone, Clock, Site

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

FLOOD = 260
"""Requests: more than all limits together let through at once."""
HONEST = ("192.168.1.77", "203.0.113.9", "2001:db8:f00:1::7", "fe80::7%wlan0", "::ffff:192.0.2.4")


def of_one_64(number: int) -> str:
    return f"2001:db8:1:1::{number + 1:x}"


def of_one_48(number: int) -> str:
    return f"2001:db8:1:{number:x}::1"


def written_oddly(number: int) -> str:
    """One device of IPv4, as some proxies write it."""
    return ("::ffff:198.51.100.77", "198.51.100.77", f"198.51.100.77:{40000 + number}")[number % 3]


FLOODS = (of_one_64, of_one_48, written_oddly)
Form = dict[str, str | list[str]]
Flood = Callable[[int], str]


@dataclass
class Flooded:
    """A night, under a flood."""

    site: Site
    host: ClientPhone
    code: str
    flood: Flood

    def phones(self, number: int = FLOOD) -> Iterator[ClientPhone]:
        return (ClientPhone(self.site.app, self.flood(at)) for at in range(number))

    def honest(self) -> list[ClientPhone]:
        return [ClientPhone(self.site.app, address) for address in HONEST]

    def form(self, **fields: str) -> Form:
        return {"token": self.site.join_link(self.code)[3:], **fields}

    @property
    def is_one_sender(self) -> bool:
        return self.flood is not of_one_48


def flooded_place(store: Store, flood: Flood, options: Mapping[str, object] | None = None) -> Flooded:
    """Return a night and a flood; the clocks of its limits stand still, as what is allowed later says nothing of it."""
    site = Site(Nights(store, StreamHub()), options=options)
    access, clock = site.access, Clock()
    access.tries = GuessLimit(clock=clock)
    access.pace, access.network_pace = PostRateLimit(clock=clock), PostRateLimit(240, 40, clock=clock)
    host = site.host()
    return Flooded(site, host, site.open_night(host), flood)
