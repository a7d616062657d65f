"""Pages in a browser of 2017, without our scripts and styled; and drawings in one of 2021, without any style."""

import io
import re
from pathlib import Path

from PIL import Image
from support.browser_engines import CHROMIUM_64, ENGINES, GREEN, PAPER, RED_WASH, picture_of, share
from support.client_phones import Site
from support.paths import ROOT
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


# Drawings without any style sheet: each has paint of its own


SPRITE = ROOT / "templates/shared/_sprite.html"
SIDE, IN_A_ROW = 80, 5
MOST_INK = 0.4
"""The share of its square that a drawing of lines covers at most; as a filled shape it is more."""


def drawn_symbols(folder: Path) -> dict[str, Image.Image]:
    """Return what each symbol of the sprite looks like, by its name."""
    sprite = re.sub(r"\{#.*?#\}", "", SPRITE.read_text("utf-8"), flags=re.DOTALL)
    corners = {
        name: (at % IN_A_ROW * SIDE, at // IN_A_ROW * SIDE)
        for at, name in enumerate(re.findall(r'<symbol id="([\w-]+)"', sprite))
    }
    drawn = "".join(
        f'<svg style="position:absolute;left:{x}px;top:{y}px" width={SIDE} height={SIDE}><use href="#{name}"/></svg>'
        for name, (x, y) in corners.items()
    )
    page = folder / "page.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><meta name=viewport content=width=device-width><body>{sprite}{drawn}",
        "utf-8",
    )
    phone = ENGINES["Chromium 91"](folder / "browser")
    try:
        phone.goto(page.as_uri())
        whole = Image.open(io.BytesIO(phone.picture())).convert("RGB")
    finally:
        phone.close()
    return {name: whole.crop((x, y, x + SIDE, y + SIDE)) for name, (x, y) in corners.items()}


def ink(square: Image.Image) -> float:
    """Return the share of a square that is dark."""
    return sum(square.convert("L").histogram()[:128]) / (SIDE * SIDE)


def test_an_icon_is_drawn_by_lines_a_suit_is_filled_and_a_chip_has_a_face_an_edge_and_a_rim(tmp_path: Path) -> None:
    squares = drawn_symbols(tmp_path)
    icons = {name: ink(square) for name, square in squares.items() if name.startswith("i-")}
    assert len(icons) > 30
    assert {name: share for name, share in icons.items() if not 0 < share < MOST_INK} == {}
    assert all(0.2 < ink(squares[f"suit-{suit}"]) < 0.8 for suit in "HDSC")
    colours = squares["token"].getcolors(SIDE * SIDE) or []
    assert len([count for count, _ in colours if count > SIDE]) >= 3
