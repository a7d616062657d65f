"""Steps taken by several threads at the same moment, and forms that several browsers send."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from support.client_phones import ClientPhone, Site

from tracker.app.nights import Nights
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PostRateLimit

T = TypeVar("T")
SENDERS = 8


def at_once(steps: Sequence[Callable[[], T]]) -> list[T]:
    """Call all of these, each in a thread of its own, and return what they return; raises what one of them raises."""
    begin = threading.Barrier(len(steps))

    def run(step: Callable[[], T]) -> T:
        begin.wait()
        return step()

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(run, steps))


@contextmanager
def sites_at(place: Path | DataPlace, new_site: Callable[[Nights], Site] = Site) -> Iterator[list[Site]]:
    """Give two processes over a database, one over a file; they answer however often a phone sends."""
    with ExitStack() as opened:
        sites = []
        for _ in range(2 if not isinstance(place, Path) else 1):
            nights = Nights(opened.enter_context(closing(Store(place))), StreamHub())
            sites.append(new_site(nights))
            sites[-1].access.pace = PostRateLimit(burst=1_000_000)
        yield sites


def strangers(sites: list[Site], address: str = "") -> list[ClientPhone]:
    return [ClientPhone(sites[number % len(sites)].app, address) for number in range(SENDERS)]


def same_browser(sites: list[Site], phone: ClientPhone) -> list[ClientPhone]:
    """Return a browser as it is at each process, several times."""
    copies = strangers(sites, phone.address)
    for copy in copies:
        copy.take(phone.cookies)
    return copies


def statuses(phones: list[ClientPhone], path: str, form: Callable[[int], dict[str, str]]) -> Counter[int]:
    """Have all phones send a form at the same moment, and return how often each status was the answer."""
    sent = [partial(phone.post, path, form(number)) for number, phone in enumerate(phones)]  # type: ignore[arg-type]
    return Counter(answer.status_code for answer in at_once(sent))
