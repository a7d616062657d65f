"""Pages in a browser of 2017: without our scripts, and styled."""

from pathlib import Path

from support.browser_engines import CHROMIUM_64
from support.client_phones import Site
from support.oldest_pictures import GREEN, PAPER, RED_WASH, picture_of, share
from support.served_app import serving

from tracker.streaming.hub import StreamHub


def test_a_phone_is_told_that_its_browser_is_too_old_and_can_ask_for_a_seat(
    site: Site, live: StreamHub, tmp_path: Path
) -> None:
    CHROMIUM_64.unpacked()
    with serving(site.app, live) as url:
        picture = picture_of(site.phone().get("/join").text, url, (390, 844), tmp_path)
    assert share(picture.crop((0, 0, 390, 60)), RED_WASH) > 0.5
    assert share(picture, GREEN) > 0.04  # the button
    assert share(picture, PAPER) > 0.3
