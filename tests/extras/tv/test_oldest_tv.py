"""The big screen in a browser of 2017, such as TVs of 2018 have."""

from pathlib import Path

import zxingcpp
from support.browser_engines import CHROMIUM_64, FELT, PAPER, RED_WASH, picture_of, share
from support.client_phones import Site
from support.sample_nights import night_in_third_hand, sample_night
from support.served_app import serving

from tracker.streaming.hub import StreamHub

SIZE = (1280, 720)


def test_the_board_and_all_seats_are_on_one_screen(site: Site, live: StreamHub, tmp_path: Path) -> None:
    CHROMIUM_64.unpacked()
    here = night_in_third_hand(site)
    with serving(site.app, live) as url:
        picture = picture_of(here.watcher.get(f"{here.base}/tv").text, url, SIZE, tmp_path)
    assert 0.1 < share(picture.crop((0, 0, 640, 720)), FELT) < 0.6
    assert share(picture, PAPER) > 0.3
    assert share(picture, RED_WASH) < 0.01  # nobody plays on it: it is not too old


def test_the_code_can_be_scanned(site: Site, live: StreamHub, tmp_path: Path) -> None:
    CHROMIUM_64.unpacked()
    here = sample_night(site)
    with serving(site.app, live) as url:
        picture = picture_of(here.watcher.get(f"{here.base}/lobby/tv").text, url, SIZE, tmp_path)
    assert [found.text.startswith("http") for found in zxingcpp.read_barcodes(picture)] == [True]
