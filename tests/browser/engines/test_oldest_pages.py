"""Pages in a browser of 2017, such as TVs of 2018 have: without our scripts, and styled."""

import io
import re
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image, ImageChops
from support.browser_engines import CHROMIUM_64, oldest_picture
from support.of_extras import needs
from support.page_states import ServedStates

FELT, PAPER, RED_WASH, GREEN = (10, 56, 43), (246, 239, 224), (248, 221, 211), (15, 74, 57)
TV, PHONE = (1280, 720), (390, 844)


@pytest.fixture(autouse=True, scope="module")
def _oldest() -> None:
    """Skip these tests before all nights are served where this browser is missing."""
    CHROMIUM_64.unpacked()


def shown(served: ServedStates, person: tuple[str, str], path: str, size: tuple[int, int], folder: Path) -> Image.Image:
    """Return how a page looks: as it is sent, with its sheets from the server, in a browser that has no cookies."""
    text = served.visitors[person].get(path.format_map(served.codes)).text
    page = folder / "page.html"
    page.write_text(re.sub("<head>", f'<head><base href="{served.url}/">', text, count=1), "utf-8")
    return Image.open(io.BytesIO(oldest_picture(page.as_uri(), folder / "browser", *size))).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> float:
    """Return the share of a picture that has a colour."""
    red, green, blue = (
        band.point([255 * (abs(one - level) < 4) for level in range(256)])
        for band, one in zip(picture.split(), colour, strict=True)
    )
    return ImageChops.multiply(ImageChops.multiply(red, green), blue).histogram()[255] / (
        picture.width * picture.height
    )


def test_the_tv_shows_the_board_and_all_seats_on_one_screen(served: ServedStates, tmp_path: Path) -> None:
    needs("tv")
    picture = shown(served, ("play", "watcher"), "/n/{play}/tv", TV, tmp_path)
    assert 0.1 < share(picture.crop((0, 0, 640, 720)), FELT) < 0.6
    assert share(picture, PAPER) > 0.3
    assert share(picture, RED_WASH) < 0.01  # nobody plays on it: it is not too old


def test_the_tv_shows_a_code_that_can_be_scanned(served: ServedStates, tmp_path: Path) -> None:
    needs("tv")
    picture = shown(served, ("lobby", "watcher"), "/n/{lobby}/lobby/tv", TV, tmp_path)
    assert [found.text.startswith("http") for found in zxingcpp.read_barcodes(picture)] == [True]


def test_a_phone_is_told_that_its_browser_is_too_old_and_can_ask_for_a_seat(
    served: ServedStates, tmp_path: Path
) -> None:
    picture = shown(served, ("site", "stranger"), "/join", PHONE, tmp_path)
    assert share(picture.crop((0, 0, 390, 60)), RED_WASH) > 0.5
    assert share(picture, GREEN) > 0.04  # the button
    assert share(picture, PAPER) > 0.3
