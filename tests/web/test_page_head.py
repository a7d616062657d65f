"""What a page says to the browser: the colour of its own bars, and what does not work without scripts."""

import re

from support.client_phones import Site
from support.html_page import HtmlPage
from support.paths import ROOT


def paper(style: str) -> str:
    found = re.search(r"--paper: (#\w{6})", (ROOT / "static/shared" / style).read_text("utf-8"))
    assert found
    return found[1]


def test_the_browsers_own_bars_have_the_colour_of_the_page(site: Site) -> None:
    by_system = "(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"
    for chosen, light, dark in (("", *by_system), ("dark", "not all", "all"), ("light", "all", "not all")):
        phone = site.phone()
        phone.client.set_cookie("theme", chosen, domain="192.168.1.23")
        colours = HtmlPage(phone.get("/join").text).select("meta[name=theme-color]")
        found = {tag.get("data-shade"): (tag.get("content"), tag.get("media")) for tag in colours}
        assert found == {"light": (paper("tokens.css"), light), "dark": (paper("dark.css"), dark)}, chosen


def test_without_scripts_a_page_says_what_does_not_work(site: Site) -> None:
    assert "nothing can be recorded" in HtmlPage(site.phone().get("/join").text).text("noscript")
