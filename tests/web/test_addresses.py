"""Every address and its page: typed with a slash it is the same, its title says which, its head what browsers show."""

import re
from collections import defaultdict

from support.client_phones import HOST, Site
from support.html_page import HtmlPage
from support.paths import ROOT
from support.routes import app_rules, path_of
from support.sample_nights import SampleNight

WITH_A_SHEET_OPEN = {"table.page", "table.sheet"}
"""One page, which shows more or less."""


def test_a_slash_at_the_end_leads_to_the_same_page(site: Site) -> None:
    addresses = site.app.url_map.bind(HOST)
    walked = 0
    for rule in app_rules(site.app):
        for method in {"GET", "POST"} & (rule.methods or set()):
            path = path_of(rule, "code")
            assert addresses.match(f"{path.rstrip('/')}/", method)[0] == addresses.match(path, method)[0], path
            walked += 1
    assert walked > 60
    assert site.phone().get("/join/").status_code == 200


def test_every_page_has_a_title_of_its_own_with_the_nights_name(site: Site, third: SampleNight) -> None:
    token = site.join_link(third.table.code)[3:]
    titled = defaultdict(set)
    for rule in app_rules(site.app):
        if "GET" not in (rule.methods or ()) or rule.endpoint.endswith("stream"):
            continue
        path = path_of(rule, third.table.code, token)
        with third.host.client.open(path, headers={"Host": HOST}) as answer:
            html = answer.get_data().decode(errors="replace")
            if answer.status_code != 200 or not html.startswith("<!doctype"):
                continue
            title = HtmlPage(html).text("title")
        is_of_night = "code" in rule.arguments or rule.endpoint == "join.scan"
        assert title.endswith(third.table.name if is_of_night else "Board Tracker"), (path, title)
        titled[title].add("table.page" if rule.endpoint in WITH_A_SHEET_OPEN else rule.endpoint)
    assert {title: pages for title, pages in titled.items() if len(pages) > 1} == {}
    assert len(titled) >= 18


def paper(style: str) -> str:
    found = re.search(r"--paper: (#\w{6})", (ROOT / "static/shared" / style).read_text("utf-8"))
    assert found
    return found[1]


def test_a_page_says_what_does_not_work_without_scripts_and_gives_the_browsers_bars_its_colour(site: Site) -> None:
    assert "nothing can be recorded" in HtmlPage(site.phone().get("/join").text).text("noscript")
    by_system = "(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"
    for chosen, light, dark in (("", *by_system), ("dark", "not all", "all"), ("light", "all", "not all")):
        phone = site.phone()
        phone.client.set_cookie("theme", chosen, domain="192.168.1.23")
        colours = HtmlPage(phone.get("/join").text).select("meta[name=theme-color]")
        found = {tag.get("data-shade"): (tag.get("content"), tag.get("media")) for tag in colours}
        assert found == {"light": (paper("tokens.css"), light), "dark": (paper("dark.css"), dark)}, chosen
