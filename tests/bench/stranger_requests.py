"""What the dearest request of a stranger and of a watcher costs: every page that the table of roles gives them.

Run with `python tests/bench/stranger_requests.py`. Of each page: ms of processor time, which is what it takes of its
budget (tracker/web/access/rate_limits.py), and kB of the answer before it is packed, at two nights of 1,500 entries.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from support.client_phones import ClientPhone, Site
from support.of_extras import functions_of_extras, options_of_extras
from support.routes import may_use
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PageBudget

ENTRIES = 1500
TIMES = 3


@dataclass(frozen=True)
class Cost:
    """What one request took."""

    who: str
    path: str
    status: int
    ms: float
    kilobytes: float


class NoLimit(PageBudget):
    """The budget of pages without an end."""

    def has_left(self, account: str, network: str) -> bool:  # noqa: ARG002
        return True


def nights_of(site: Site) -> list[tuple[OpenNight, ClientPhone]]:
    """Return two nights of 1,500 entries, each with a watcher: of 300 hands, and of one hand, with its end."""
    found = []
    for _ in range(2):
        code = site.open_night(site.host())
        found.append((site.tables.get(code), site.request_join(code, watch="1")))
    (hands, _), (ended, _) = found
    for table in (hands, ended):
        seat_everybody(table)
        record(table, *(events.Buy(seat, events.Amount(9000)) for seat in table.night.seats))
    while hands.head < ENTRIES:
        play_hand(hands, ("ruth", "ben", "mia")[hands.head % 3], "ben", "mia")
    play_hand(ended, "ruth", "ben", "mia")
    while ended.head < ENTRIES - 1:
        record(ended, events.Buy("ben", events.Amount(1)))
    record(ended, events.End())
    return found


def paths(site: Site, who: str, values: dict[str, str], code: str) -> Iterator[str]:
    """Yield the address of every page that somebody may ask for, with these values in it, but for streams."""
    role = None if who == "stranger" else who
    for rule in site.app.url_map.iter_rules():
        is_open = may_use(site.app, rule.endpoint, role) and "GET" in (rule.methods or ())
        is_of_night = "code" in rule.arguments
        if not is_open or "stream" in rule.endpoint or is_of_night == (role is None):
            continue
        known = {name: values.get(f"{rule.endpoint} {name}", values.get(name, "1")) for name in rule.arguments}
        _, path = rule.build({**known, **({"code": code} if is_of_night else {})}) or ("", "")
        yield path


def cost_of(who: str, phone: ClientPhone, path: str) -> Cost:
    """Return what a page costs the third time: what is worked out once is known by then, as with any flood."""
    for _ in range(TIMES):
        began = time.process_time()
        answer = phone.get(path)
        took = time.process_time() - began
    size = len(answer.get_data())
    return Cost(who, path, answer.status_code, 1000 * took, size / 1000)


def costs(folder: Path) -> list[Cost]:
    with closing(Store(folder / "nights.db")) as store:
        site = Site(Nights(store, StreamHub()), options=options_of_extras())
        site.access.pages = NoLimit()
        tokens = {"home.host_link": site.access.mint_host_link().rsplit("/", 1)[1]}
        for tokens_of_extra in functions_of_extras("tokens"):
            tokens |= tokens_of_extra(site, site.host())
        tables = nights_of(site)
        values = {f"{name} token": token for name, token in tokens.items()}
        values |= {"payload": "x", "filename": "vendor/htmx.min.js", "hand": "2"}
        found = [cost_of("stranger", site.phone(), path) for path in paths(site, "stranger", values, "")]
        for table, watcher in tables:
            values["join.scan token"] = site.join_link(table.code)[3:]
            found += [cost_of("stranger", site.phone(), site.join_link(table.code))]
            found += [cost_of("watcher", watcher, path) for path in paths(site, "watcher", values, table.code)]
    return found


@click.command()
def main() -> None:
    """Print what every page of a stranger and a watcher costs, the dearest first."""
    with tempfile.TemporaryDirectory() as folder:
        found = costs(Path(folder))
    click.echo("who       status     ms       kB  path")
    for one in sorted(found, key=lambda one: -one.ms):
        click.echo(f"{one.who:9} {one.status:6} {one.ms:6.1f} {one.kilobytes:8.1f}  {one.path[:60]}")


if __name__ == "__main__":
    main()
