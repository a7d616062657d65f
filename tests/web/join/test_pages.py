"""Pages beside the way to a table: help for phones that can't open it, the way back, the list of a night's phones."""

from support.client_phones import HOST, ClientPhone, Site
from support.html_page import HtmlPage, Tag, text_of
from support.paths import ROOT
from support.routes import app_rules, path_of
from support.sample_nights import SampleNight

STEP = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


def in_markdown(page: HtmlPage) -> str:
    """Return the page's text as the docs have it, with nothing of this one night."""
    parts = [f"## {text}\n" for text in page.texts("details.shows h2")]
    for at, shown in enumerate(page.select("details.shows")):
        parts[at] += "\n" + "".join(f"* {cure(one)}\n" for one in shown.select(".cures > li"))
    return "\n".join([*parts, page.text("p.note") + "\n"]).replace(f": http://{HOST}", "")


def cure(item: Tag) -> str:
    way = f" {STEP} ".join(text_of(step) for step in item.select(".help-steps > li"))
    return text_of(item.select("p")[0]) + (f" **{way}**" if way else "")


def test_the_docs_have_the_same_texts_as_the_help_for_phones_that_cannot_open_it(site: Site) -> None:
    page = HtmlPage(site.phone().get("/help").text)
    assert len(page.select("details.shows")) == 7
    assert f"http://{HOST}" in page.text("#insecure")
    assert (ROOT / "docs/cant-open-it.md").read_text("utf-8").partition("\n## ")[2] == in_markdown(page)[3:]


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


def pages_from(phone: ClientPhone, start: str, code: str) -> set[str]:
    """Return the pages of a night that a page and those pages lead to."""
    seen, ahead = {start}, [start]
    while ahead:
        page = HtmlPage(phone.get(ahead.pop()).text)
        links = {link.partition("#")[0].partition("?")[0] for link in page.values("a", "href")}
        new = {link for link in links if link.startswith(f"/n/{code}/")} - seen
        new = {link for link in new if phone.get(link).mimetype == "text/html"}
        seen |= new
        ahead += new
    return seen


def way_back(phone: ClientPhone, page: str) -> list[str]:
    links = HtmlPage(phone.get(page).text).values("header.bar a[aria-label=Back]", "href")
    return [link.rstrip("/") for link in links]


def test_back_leads_to_the_lobby_while_it_is_open_and_to_the_table_after_that(
    site: Site, host: ClientPhone, code: str
) -> None:
    walked = {phone: pages_from(phone, f"/n/{code}/lobby", code) for phone in (host, site.join(code, "Ben"))}
    assert len(walked[host]) > 5
    for phone, pages in walked.items():
        assert [page for page in pages if f"/n/{code}" in way_back(phone, page)] == []
    site.start_first_hand(host, code)
    for page in ("rules", "log", "share", "sounds"):
        assert way_back(host, f"/n/{code}/{page}")[0] == f"/n/{code}", page


def test_the_host_sees_every_phone_that_is_in_and_sends_any_away(site: Site, host: ClientPhone, code: str) -> None:
    ben, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    page = host.get(f"/n/{code}/phones").text
    assert [name in page for name in ("Ruth", "Ben", "Watching")] == [True] * 3
    ways = HtmlPage(page).values(f'form[action^="/n/{code}/devices/"][action$="/away"]', "action")
    assert len(ways) == 2
    for way in ways:
        assert host.post(way, {"from": "phones"}).location == f"/n/{code}/phones"
    assert [phone.get(f"/n/{code}/lobby").status_code for phone in (ben, watcher, host)] == [403, 403, 200]


def test_somebody_at_the_table_is_led_back_to_it_from_a_page_of_the_host(site: Site, code: str) -> None:
    page = site.join(code, "Mia").get(f"/n/{code}/settings").text
    assert "You are not at this table" not in page
    assert f'href="/n/{code}">To the table</a>' in page
    assert "You are not at this table" in site.phone().get(f"/n/{code}/settings").text
