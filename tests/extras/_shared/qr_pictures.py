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
    # Only codes of this kind, drawn as they are: in the lines of a large one a reader may find a bar code, too.
    drawn = Image.open(io.BytesIO(as_png(picture)))
    codes = zxingcpp.read_barcodes(drawn, formats=zxingcpp.barcode_formats_from_str("QRCode"), is_pure=True)
    assert len(codes) == 1
    return codes[0].text


def as_png(picture: Image.Image) -> bytes:
    kept = io.BytesIO()
    picture.save(kept, "PNG")
    return kept.getvalue()
