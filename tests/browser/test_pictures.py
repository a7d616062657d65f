"""The README's pictures show the pages as they are."""

import json
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser
from support.of_extras import needs_all_extras
from support.pictures import LOBBY, MILLISECONDS, MOVING, SCREEN, STILL, STRIP, WORDS, first_hand


def test_the_pages_still_say_what_the_pictures_show(browser: Browser, tmp_path: Path) -> None:
    """Where not: `PYTHONPATH=tests python tests/support/pictures.py` makes them anew."""
    needs_all_extras()
    shown = json.loads(WORDS.read_text(encoding="utf-8"))
    stale = {one.name for one in first_hand(browser, tmp_path) if one.words != shown.pop(one.name, None)}
    assert stale == set()
    assert shown == {}


def test_the_moving_picture_lasts_ten_seconds_and_is_small() -> None:
    words = json.loads(WORDS.read_text(encoding="utf-8"))
    with Image.open(MOVING) as moving:
        assert moving.n_frames == len(words.keys() - {LOBBY, SCREEN})  # type: ignore[attr-defined]
        assert moving.n_frames * MILLISECONDS == 10_000  # type: ignore[attr-defined]
        assert moving.size == (390, 844)
    assert MOVING.stat().st_size < 300_000
    assert {*STRIP} < words.keys()
    assert STILL.stat().st_size < 60_000
