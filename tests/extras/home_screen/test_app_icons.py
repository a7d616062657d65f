"""What a home screen or a bookmark takes from the tracker: its name, its icon, its colours."""

import io
import re

from PIL import Image, ImageChops
from playwright.sync_api import Browser
from support.client_phones import Site
from support.html_page import HtmlPage
from support.paths import ROOT


def paper() -> str:
    found = re.search(r"--paper: (#\w{6})", (ROOT / "static/shared/tokens.css").read_text("utf-8"))
    assert found
    return found[1]


def test_the_manifest_names_icons_that_are_there_and_opens_in_the_browser_that_has_the_seat(site: Site) -> None:
    phone = site.phone()
    page = HtmlPage(phone.get("/join").text)
    answer = phone.get(page.value("link[rel=manifest]", "href"))
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Board Tracker", "/", "browser")
    assert manifest["theme_color"] == paper()
    for icon in manifest["icons"]:
        with phone.get(icon["src"]) as sent:
            assert (sent.status_code, sent.mimetype) == (200, icon["type"])
            assert "immutable" in sent.headers["Cache-Control"]
            if icon["type"] == "image/png":
                assert "x".join(map(str, Image.open(io.BytesIO(sent.data)).size)) == icon["sizes"]
    for address in ("/favicon.ico", "/apple-touch-icon.png"):  # asked for without reading a page
        assert Image.open(io.BytesIO(phone.get(address).data)).size == (192, 192), address


def test_the_touch_icon_is_the_drawing_of_the_favicon(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 192, "height": 192})
    drawing = (ROOT / "static/shared/favicon.svg").read_text("utf-8")
    page.set_content(f"<body style='margin: 0; background: {paper()}'>{drawing}")
    page.add_style_tag(content="svg { display: block; width: 160px; margin: 16px }")
    drawn = Image.open(io.BytesIO(page.screenshot())).convert("L")
    page.close()
    icon = Image.open(ROOT / "static/shared/icon.png").convert("L")
    different = ImageChops.difference(drawn, icon).histogram()
    assert sum(different[24:]) < 192 * 192 // 100
