"""The page for phones that can't open the tracker: beside every code, and the same as the page among the docs."""

from support.client_phones import HOST, Site
from support.html_page import HtmlPage, Tag, text_of
from support.paths import ROOT
from support.routes import app_rules, path_of
from support.sample_nights import SampleNight

DOCS = ROOT / "docs" / "cant-open-it.md"
STEP = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


def in_markdown(page: HtmlPage, address: str) -> str:
    """Return the page's text as the docs have it, with nothing of this one night."""
    parts = []
    for shown in page.select("details.shows"):
        heading = shown.select_one("h2")
        assert heading
        parts.append(f"## {text_of(heading)}\n")
        parts.append("".join(f"* {cure(one)}\n" for one in shown.select(".cures > li")))
    return "\n".join([*parts, page.text("p.note") + "\n"]).replace(f": http://{address}", "")


def cure(item: Tag) -> str:
    cause = item.select_one("p")
    assert cause
    way = f" {STEP} ".join(text_of(step) for step in item.select(".help-steps > li"))
    return text_of(cause) + (f" **{way}**" if way else "")


def test_the_docs_have_the_same_texts_as_the_page(site: Site) -> None:
    page = HtmlPage(site.phone().get("/help").text)
    assert len(page.select("details.shows")) == 7
    assert DOCS.read_text("utf-8").partition("\n## ")[2] == in_markdown(page, HOST)[3:]


def test_the_page_is_open_to_everybody_and_says_the_address_with_http_in_front(site: Site) -> None:
    answer = site.phone().get("/help")
    assert answer.status_code == 200
    assert f"http://{HOST}" in HtmlPage(answer.text).text("#insecure")


def test_beside_every_code_to_scan_stands_where_the_help_is(site: Site, third: SampleNight) -> None:
    found = set()
    for rule in app_rules(site.app):
        if "GET" not in (rule.methods or ()) or rule.endpoint.endswith("stream"):
            continue
        with third.host.client.open(path_of(rule, third.table.code), headers={"Host": HOST}) as answer:
            page = HtmlPage(answer.get_data().decode(errors="replace"))
        if page.has("svg.qr"):
            assert page.has("a[href='/help']") or "/help" in " ".join(page.texts("main, aside")), rule.endpoint
            found.add(rule.endpoint)
    assert found >= {"lobby.page", "join.show_code"}
