"""Back from a page that the lobby leads to comes to the lobby while people sit down, and to the table after that."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage


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
    found = HtmlPage(phone.get(page).text)
    return [*found.values("header.bar a[aria-label=Back]", "href")]


def test_back_leads_to_the_lobby_while_it_is_open_and_to_the_table_after_that(
    site: Site, host: ClientPhone, code: str
) -> None:
    ben = site.join(code, "Ben")
    walked = {phone: pages_from(phone, f"/n/{code}/lobby", code) for phone in (host, ben)}
    assert len(walked[host]) > 10
    for phone, pages in walked.items():
        for page in pages:
            assert f"/n/{code}" not in way_back(phone, page), page
            assert f"/n/{code}/" not in way_back(phone, page), page
    site.start_first_hand(host, code)
    for page in ("rules", "log", "count", "share", "sounds", "hand-over"):
        assert way_back(host, f"/n/{code}/{page}")[0].rstrip("/") == f"/n/{code}", page
