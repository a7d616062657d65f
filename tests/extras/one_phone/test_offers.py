"""The app of one browser, as its worker asks it: every offer of its table is taken, as on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlencode

import pytest
from support.client_phones import ClientPhone, Site
from support.offer_walk import Walk
from support.random_nights import every_preset
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse

from tracker.extras.one_phone.bridge import Bridge
from tracker.storage import Store

PRESETS = [preset.id for preset in every_preset()]
PRESETS_APART = 10
"""Of all presets, every so many-th is walked in the short run."""
STEPS, LONG_STEPS = 5, 40


class BridgePhone(ClientPhone):
    """The one phone, whose requests take the way of the worker's."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge.app)
        self._bridge = bridge

    def _open(self, method: str, path: str, form: dict[str, str | list[str]], headers: dict[str, str]) -> TestResponse:
        sent = [(name.replace("_", "-"), value) for name, value in headers.items() if name != "Origin"]
        kind = [("Content-Type", "application/x-www-form-urlencoded")] if method == "POST" else []
        answer = self._bridge.answer(method, path, [*sent, *kind], urlencode(form, doseq=True).encode())
        request = EnvironBuilder(path).get_request()
        return TestResponse([answer.body], str(answer.status), Headers(answer.headers), request)


class BridgeSite(Site):
    """A browser with its nights."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge, self.tables, self.app = bridge, bridge.nights, bridge.app

    def host(self, *_: str) -> ClientPhone:
        return BridgePhone(self._bridge)


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with closing(Bridge(Store(tmp_path_factory.mktemp("data") / "nights.db"), "https://localhost")) as bridge:
        yield BridgeSite(bridge)


def test_every_offer_is_accepted_and_undone_as_on_a_server(
    site: Site, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    walks = []
    for preset in PRESETS[:: short_or_long(PRESETS_APART, 1)]:
        walk = Walk(site, preset, "one", {"stack": "30"})
        walk.run(short_or_long(STEPS, LONG_STEPS), most=1)
        assert walk.findings == [], preset
        walks.append(walk)
    states, offers = sum(len(one.states) for one in walks), sum(one.offers for one in walks)
    assert offers > 10 * len(walks)
    figure(f"offers of one phone: {len(walks)} walks, {states} states, {offers} offers taken")
