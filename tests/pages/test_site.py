from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from support.pages_site import SitePhone, WebHost, web_host, write_site

MOST_BYTES = 6_000_000
"""Of a first visit, over the wire."""


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(name="host", scope="module")
def _host(site: Path) -> Iterator[WebHost]:
    with web_host(site) as host:
        yield host


def test_a_first_visit_is_small_and_a_second_one_starts_from_a_snapshot(
    browser: Browser, site: Path, host: WebHost
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    phone = SitePhone(context, host.url)
    assert phone.open() == "plain"
    assert phone.frame.inner_text(".btn.act") == "New game night"
    asked = {path if path != "/" else "/index.html" for path, status in host.sent if status == 200}
    sizes = {path: (site / path[1:]).stat().st_size for path in asked}
    assert sum(sizes.values()) < MOST_BYTES, sizes
    phone.page.wait_for_function("caches.match('/snapshot')", timeout=60_000)
    assert phone.open() == "snapshot"
    assert phone.complaints == []
    context.close()
