"""How pages load: with a style that comes late, from the cache, without `wakeLock`."""

from typing import Any

from support.browser_phones import BrowserNight, at_table

_night = at_table("night", "Ruth", "Ben", others=["Großmama-Wil"])


def test_a_page_whose_style_comes_late_is_not_drawn_zoomed_out(night: BrowserNight) -> None:
    page = night.phones["ben"].page
    night.phones["ben"].excuse("net::ERR_FAILED")
    page.route("**/table.css*", lambda route: route.abort())
    page.goto(f"{night.phones['ben'].origin}/n/{night.code}")
    assert page.evaluate("[innerWidth, visualViewport.scale]") == [390, 1]
    page.unroute("**/table.css*")


def test_a_second_page_asks_again_for_nothing_that_the_first_one_loaded(night: BrowserNight) -> None:
    context = night.browser.new_context(storage_state=night.host.context.storage_state())
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    asked: dict[str, str] = {}

    def note(said: dict[str, Any]) -> None:
        asked[said["requestId"]] = said["request"]["url"]

    def drop(said: dict[str, Any]) -> None:
        if said.get("response", {"fromDiskCache": True})["fromDiskCache"]:
            asked.pop(said["requestId"], None)

    network.on("Network.requestWillBeSent", note)
    network.on("Network.requestServedFromCache", drop)
    network.on("Network.responseReceived", drop)
    loaded = []
    for _ in range(2):
        asked.clear()
        page.goto(f"{night.host.origin}/n/{night.code}/log", wait_until="networkidle")
        page.evaluate("document.fonts.ready")
        loaded.append({url.partition("?")[0].rpartition("/")[2] for url in asked.values() if "/static/" in url})
    context.close()
    assert loaded[0] > {"site.css", "htmx.min.js"}
    fonts = {name for name in loaded[0] if name.endswith(".woff2")}
    assert fonts == {"besley.woff2", "atkinson.woff2", "atkinson-bold.woff2", "atkinson-accented.woff2"}, "a ß"
    assert loaded[1] == set()


def test_where_no_page_can_keep_a_screen_awake_the_table_says_what_to_set(night: BrowserNight) -> None:
    """Over http a phone and a tablet have no `wakeLock`; this machine's own pages have it."""
    night.phones["ben"].context.add_init_script("delete Navigator.prototype.wakeLock")
    for phone in night.phones.values():
        phone.page.goto(f"{phone.origin}/n/{night.code}/sheet")
        phone.tap_word("This phone")
        phone.see("[data-turn]")
        assert phone.page.is_visible("text=So that this screen does not go dark") == (phone is not night.host)
