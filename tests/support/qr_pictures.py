"""What a camera reads in the QR codes of pages."""

import io
import re

import zxingcpp
from PIL import Image, ImageDraw
from support.html_page import HtmlPage


def text_in_qr(html: str) -> str:
    """Return what a camera reads from the one code on a page."""
    page = HtmlPage(html)
    size = int(page.value(".qr", "viewBox").split()[2])
    picture = Image.new("L", (size * 4,) * 2, 255)
    pen = ImageDraw.Draw(picture)
    for x, y, wide in (map(int, run) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1", page.value(".qr-ink", "d"))):
        pen.rectangle((x * 4, y * 4, (x + wide) * 4 - 1, y * 4 + 3), fill=0)
    codes = zxingcpp.read_barcodes(Image.open(io.BytesIO(as_png(picture))))
    assert len(codes) == 1
    return codes[0].text


def as_png(picture: Image.Image) -> bytes:
    kept = io.BytesIO()
    picture.save(kept, "PNG")
    return kept.getvalue()
