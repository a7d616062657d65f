"""What a page looks like in a browser of 2017, such as TVs of 2018 have: without our scripts, and styled."""

import io
import re
from pathlib import Path

from PIL import Image, ImageChops
from support.browser_engines import oldest_picture

FELT, PAPER, RED_WASH, GREEN = (10, 56, 43), (246, 239, 224), (248, 221, 211), (15, 74, 57)


def picture_of(text: str, url: str, size: tuple[int, int], folder: Path) -> Image.Image:
    """Return how a page looks: as it was sent, with its sheets from the server, in a browser that has no cookies."""
    page = folder / "page.html"
    page.write_text(re.sub("<head>", f'<head><base href="{url}/">', text, count=1), "utf-8")
    return Image.open(io.BytesIO(oldest_picture(page.as_uri(), folder / "browser", *size))).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> float:
    """Return the share of a picture that has a colour."""
    red, green, blue = (
        band.point([255 * (abs(one - level) < 4) for level in range(256)])
        for band, one in zip(picture.split(), colour, strict=True)
    )
    found = ImageChops.multiply(ImageChops.multiply(red, green), blue).histogram()[255]
    return found / (picture.width * picture.height)
