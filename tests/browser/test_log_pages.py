"""The log and the settlement in the machine's own browser: what appears by itself, and what a late script does."""

from playwright.sync_api import Route
from support.client_phones import Site
from support.sample_nights import night_in_third_hand
from support.served_app import Screens


def test_a_change_made_before_the_scripts_are_there_shows_its_difference_and_back_shows_the_entry_as_it_stands(
    screens: Screens, site: Site
) -> None:
    here = night_in_third_hand(site)
    page, held = screens.open(here.host, f"{here.base}/log"), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/vendor/htmx.min.js*", hold)
    page.goto(f"{page.url.removesuffix('/log')}/change/{here.number('collect', 3)}", wait_until="commit")
    chosen = page.input_value("label.pick input:checked >> nth=0")
    page.click("label.pick:has-text('Tom')")
    assert not page.is_visible("text=They are right")
    for route in held:
        route.continue_()
    page.wait_for_selector("text=They are right")
    page.unroute_all()
    page.click("text=Take it back instead")
    page.wait_for_url("**/take-back/*")
    page.go_back()
    page.wait_for_selector("#fix")
    shows_a_difference = page.is_visible("text=They are right")
    assert shows_a_difference or page.input_value("label.pick input:checked >> nth=0") == chosen


def test_undo_in_the_log_takes_back_and_brings_back_in_place(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page = screens.open(here.host, f"{here.base}/log")
    row = f"#e-{here.number('collect', 3)}"
    page.click(f"{row} >> text=Undo")
    page.click(f"{row} >> text=Bring back")
    page.wait_for_selector(f"{row} >> text=Undo")
    assert [entry.event.kind for entry in here.table.entries[-2:]] == ["undo", "undo"]
    assert here.table.night.pot("queen-hearts") == 0
