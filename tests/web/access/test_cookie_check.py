"""A browser that keeps no cookies is told so before it is given anything, at every way in."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.form_walk import forms_at
from support.html_page import HtmlPage
from support.of_extras import functions_of_extras, of_extras, options_of_extras
from support.routes import app_rules, may_use

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

NO_ROLE = {"arrive.send", "home.language", *of_extras("no_role_forms")}
"""Forms of strangers that give no role: a text that waits, the way in of who has a cookie already, a language."""
SAYS = "This browser keeps no cookies"


class ForgetfulPhone(ClientPhone):
    """A browser that throws every cookie away."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.app)
        self.client = site.app.test_client(use_cookies=False)


@pytest.fixture(name="ways_in")
def _ways_in(tmp_path: Path, live: StreamHub) -> Iterator[tuple[Site, list[str]]]:
    """Give a site with a night in its lobby, and every page from which a stranger gets a role there."""
    store = Store(tmp_path / "nights.db")
    site = Site(Nights(store, live), options=options_of_extras())
    house = site.host()
    night = site.open_night(house)
    pages = [site.join_link(night), "/join", site.access.mint_host_link()]
    pages += of_extras("ways_in_of_screens")
    pages += [page for ways_in in functions_of_extras("ways_in") for page in ways_in(site, house)]
    yield site, pages
    store.close()


def everything(site: Site) -> list[object]:
    """Return what a role leaves behind: devices, and who sits where."""
    store = site.tables.store
    codes = [row.code for row in store.nights()]
    return [[site.access.devices.devices_of(code) for code in codes], [site.names(code) for code in codes]]


def test_no_way_in_gives_anything_to_a_browser_that_keeps_no_cookie(ways_in: tuple[Site, list[str]]) -> None:
    site, pages = ways_in
    before, walked = everything(site), set()
    adapter = site.app.url_map.bind("localhost")
    for path in pages:
        phone = ForgetfulPhone(site)
        for form in forms_at(phone, path):
            endpoint = adapter.match(form.action, method="POST")[0]
            if endpoint in NO_ROLE:
                continue
            walked.add(endpoint)
            answer = phone.post(form.action, form.fields)
            assert answer.status_code == 403, form
            assert SAYS in answer.text, form
            address = HtmlPage(answer.text).text("#address-to-copy")
            assert address == f"http://{phone.host}{path}", form
            assert not answer.headers.getlist("Set-Cookie"), form
    strangers = {rule.endpoint for rule in app_rules(site.app) if "POST" in (rule.methods or ())}
    assert walked == {endpoint for endpoint in strangers if may_use(site.app, endpoint, None)} - NO_ROLE
    assert everything(site) == before


def test_a_name_that_was_refused_still_tells_the_address_of_the_page(site: Site, code: str) -> None:
    phone = site.phone()
    link = site.join_link(code)
    form = next(one for one in forms_at(phone, link) if "name" in one.fields)
    again = phone.post(form.action, {**form.fields, "name": "Ruth"})
    assert HtmlPage(again.text).value("input[name=page]") == link
    answer = ForgetfulPhone(site).post(form.action, {**form.fields, "page": '//evil.example/"><b>'})
    assert "evil" not in answer.text
    assert answer.status_code == 403


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8{}) AppleWebKit/537.36 (KHTML, like Gecko)"
IN_APPS = {
    "messenger on Android": f"{ANDROID.format('; wv')} Version/4.0 Chrome/126.0 Mobile Safari/537.36",
    "WhatsApp": f"{ANDROID.format('')} Chrome/120.0 Mobile Safari/537.36 WhatsApp/2.23",
    "WeChat": f"{ANDROID.format('')} Chrome/98 Mobile Safari/537.36 MicroMessenger/8.0",
    "Facebook on iPhone": f"{IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/468.0]",
    "Instagram": f"{IPHONE} Mobile/21 Instagram 330",
    "Wi-Fi sign-in sheet": f"{IPHONE} Mobile/15E148",
}
BROWSERS = {
    "Safari": f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone": f"{IPHONE} CriOS/126.0 Mobile/15E148 Safari/604.1",
    "Chrome": f"{ANDROID.format('')} Chrome/126.0 Mobile Safari/537.36",
    "Firefox": "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0",
    "television": "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0 Safari/537.36",
    "nothing": "",
}


def test_the_window_of_an_app_is_told_where_to_go_on(ways_in: tuple[Site, list[str]]) -> None:
    site, pages = ways_in
    for (name, agent), path in product((IN_APPS | BROWSERS).items(), pages):
        page = HtmlPage(site.phone().get(path, User_Agent=agent).text)
        assert page.has(".other-browser") == (name in IN_APPS), (name, path)
        if name in IN_APPS:
            assert page.text("#address-to-copy").endswith(path)
            other = "Safari" if agent.startswith(IPHONE) else "Chrome"
            assert f"Open the address in {other}" in page.text(".other-browser"), (name, path)
