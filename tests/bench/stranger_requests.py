"""What the dearest request of a stranger and of a watcher costs: every page that the table of roles gives them.

Run with `python tests/bench/stranger_requests.py`. Of each page: ms of processor time, which is what it takes of its
budget, and kB of the answer before it is packed, at two nights of 1,500 entries.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from support.client_phones import ClientPhone, Site
from support.of_extras import functions_of_extras, options_of_extras
from support.routes import may_use
from support.sample_nights import SampleNight, play_hand, sample_night

from tracker.app.nights import Nights
from tracker.core import events
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

ENTRIES = 1500
TIMES = 3


def long_nights(site: Site) -> tuple[SampleNight, SampleNight]:
    """Return two nights of 1,500 entries: of 300 hands, and of one hand, with its end."""
    hands, ended = sample_night(site), sample_night(site)
    for night in (hands, ended):
        night.record(*(events.Buy(seat, events.Amount(9000)) for seat in night.table.night.seats))
        play_hand(night.table, "ruth", "ben", "mia")
    while hands.table.head < ENTRIES:
        play_hand(hands.table, ("ruth", "ben", "mia")[hands.table.head % 3], "ben", "mia")
    while ended.table.head < ENTRIES - 1:
        ended.record(events.Buy("ben", events.Amount(1)))
    return hands, ended.record(events.End())


def paths(site: Site, role: str | None, values: dict[str, str], code: str) -> Iterator[str]:
    """Yield the address of every page that somebody may ask for, with these values in it, but for streams."""
    for rule in site.app.url_map.iter_rules():
        is_open = may_use(site.app, rule.endpoint, role) and "GET" in (rule.methods or ())
        is_of_night = "code" in rule.arguments
        if is_open and "stream" not in rule.endpoint and is_of_night != (role is None):
            known = {name: values.get(f"{rule.endpoint} {name}", values.get(name, "1")) for name in rule.arguments}
            _, path = rule.build({**known, **({"code": code} if is_of_night else {})}) or ("", "")
            yield path


def cost_of(phone: ClientPhone, path: str) -> tuple[float, float, int]:
    """Return what a page costs the third time: what is worked out once is known by then, as with any flood."""
    for _ in range(TIMES):
        began = time.process_time()
        answer = phone.get(path)
        took = time.process_time() - began
    return 1000 * took, len(answer.get_data()) / 1000, answer.status_code


def costs(folder: Path) -> Iterator[tuple[tuple[float, float, int], str, str]]:
    """Yield milliseconds, kilobytes and status of each page, who has asked for it, and its address."""
    with closing(Store(folder / "nights.db")) as store:
        site = Site(Nights(store, StreamHub()), options=options_of_extras())
        site.access.counted_roles = frozenset()  # or they would be refused soon
        tokens = {"home.host_link": site.access.mint_host_link().rsplit("/", 1)[1]}
        for tokens_of_extra in functions_of_extras("tokens"):
            tokens |= tokens_of_extra(site, site.host())
        values = {f"{name} token": token for name, token in tokens.items()}
        values |= {"payload": "x", "filename": "vendor/htmx.min.js", "hand": "2"}
        nights = long_nights(site)
        for path in (*paths(site, None, values, ""), *(site.join_link(night.code) for night in nights)):
            yield cost_of(site.phone(), path), "stranger", path
        for night in nights:
            values["join.scan token"] = site.join_link(night.code)[3:]
            for path in paths(site, "watcher", values, night.code):
                yield cost_of(night.watcher, path), "watcher", path


@click.command()
def main() -> None:
    """Print what every page of a stranger and a watcher costs, the dearest first."""
    with tempfile.TemporaryDirectory() as folder:
        found = sorted(costs(Path(folder)), reverse=True)
    click.echo("who       status     ms       kB  path")
    for (ms, kilobytes, status), who, path in found:
        click.echo(f"{who:9} {status:6} {ms:6.1f} {kilobytes:8.1f}  {path[:60]}")


if __name__ == "__main__":
    main()
