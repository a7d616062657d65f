"""The log, the count and the settlement in the machine's own browser: taps, what appears by itself, sizes, themes."""

import re

from playwright.sync_api import Route
from support.client_phones import Site
from support.of_extras import needs
from support.sample_nights import SampleNight, night_in_third_hand, play_hand, record, sample_night
from support.served_app import Screens

from tracker.core import events


def over(site: Site) -> SampleNight:
    here = sample_night(site, rules={"money.chips": 20, "money.cents": 100})
    for hand in range(3):
        play_hand(here.table, "ruth", "ben", ("mia", "tom", "ruth")[hand], left=3)
    record(here.table, events.End())
    return here


def test_an_entry_of_this_hand_is_put_right_in_four_taps(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    tom = here.table.night.stack("tom")
    page = screens.open(here.host, here.base)
    page.click("a[href$='/log']")
    page.click(f"#e-{here.number('collect', 3)} >> text=Change")
    page.click("label.pick:has-text('Tom')")
    page.click("text=They are right")
    page.wait_for_url(re.compile(r"/log\b"))
    assert here.table.night.stack("tom") == tom + 15
    assert "Tom takes 15" in page.inner_text(f"#e-{here.number('collect', 3)}")


def test_a_change_made_before_the_scripts_are_there_shows_its_difference_later(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page, held = screens.open(here.host, f"{here.base}/log"), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/vendor/htmx.min.js*", hold)
    page.goto(f"{page.url.removesuffix('/log')}/change/{here.number('collect', 3)}", wait_until="commit")
    page.click("label.pick:has-text('Tom')")
    assert not page.is_visible("text=They are right")
    for route in held:
        route.continue_()
    page.wait_for_selector("text=They are right")
    page.unroute_all()


def test_back_on_a_correction_shows_the_entry_as_it_stands(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page = screens.open(here.host, f"{here.base}/change/{here.number('collect', 3)}")
    chosen = page.input_value("label.pick input:checked >> nth=0")
    page.click("label.pick:has-text('Tom')")
    page.wait_for_selector("text=They are right")
    page.click("text=Take it back instead")
    page.wait_for_url("**/take-back/*")
    page.go_back()
    page.wait_for_selector("#fix")
    shows_a_difference = page.is_visible("text=They are right")
    assert shows_a_difference or page.input_value("label.pick input:checked >> nth=0") == chosen


def test_a_folded_hand_is_fetched_when_it_is_opened(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page = screens.open(here.host, f"{here.base}/log")
    entry = f"#e-{here.number('collect', 0)}"
    assert page.locator(entry).count() == 0
    page.click("#hand-1 > summary")
    page.wait_for_selector(entry)
    assert page.locator("#hand-1 .entry").count() == len([*here.table.entries[4:9]])


def test_undo_in_the_log_takes_back_and_brings_back_in_place(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page = screens.open(here.host, f"{here.base}/log")
    row = f"#e-{here.number('collect', 3)}"
    page.click(f"{row} >> text=Undo")
    page.click(f"{row} >> text=Bring back")
    page.wait_for_selector(f"{row} >> text=Undo")
    assert [entry.event.kind for entry in here.table.entries[-2:]] == ["undo", "undo"]
    assert here.table.night.pot("queen-hearts") == 0


def test_a_number_typed_on_one_phone_appears_on_the_other_but_not_while_that_one_types(
    screens: Screens, site: Site
) -> None:
    needs("count")
    here = night_in_third_hand(site)
    host = screens.open(here.host, f"{here.base}/count")
    ben = screens.open(here.ben, f"{here.base}/count")
    book = here.table.night.stack("ben")
    ben.click(f"text={book}, yes")
    host.wait_for_selector(f".slot:text('{book}')")
    host.click(".count-row:has-text('Mia') >> text=Other")
    host.fill("input[name=colour-1]:visible", "3")
    assert host.input_value("input[name=counted]:visible") == "15"
    host.press("input[name=counted]:visible", "Enter")
    host.wait_for_selector(".count-row.off:has-text('Mia')")
    host.click("button:has-text('Use the count')")
    host.wait_for_url(re.compile("/log"))
    assert here.table.night.stack("mia") == 15


def test_a_tick_on_one_phone_appears_on_the_other(screens: Screens, site: Site) -> None:
    here = over(site)
    host, ben = screens.open(here.host, f"{here.base}/settle"), screens.open(here.ben, f"{here.base}/settle")
    host.click(".tick >> nth=0")
    ben.wait_for_selector(".tick[aria-pressed=true]")


def test_everything_works_without_scripts(screens: Screens, site: Site) -> None:
    here = night_in_third_hand(site)
    page = screens.open(here.host, f"{here.base}/change/{here.number('collect', 3)}", script=False)
    page.click("label.pick:has-text('Tom')")
    page.click("text=Show the difference")
    page.click("text=Hand over now")
    assert "Ben gives Tom 15" in page.inner_text(".hand-over")
    page.click("text=Done")
    page.click("#hand-1 > summary")
    page.click("#hand-1 >> text=Show its entries")
    page.wait_for_selector(f"#e-{here.number('collect', 0)}")


def test_copying_selects_the_result_for_phones_without_a_clipboard(screens: Screens, site: Site) -> None:
    here = over(site)
    page = screens.open(here.ben, f"{here.base}/settle")
    page.click("summary:has-text('Keep it, send it')")
    page.click("button[data-copy='#result']")
    assert page.evaluate("getSelection().toString()").startswith(here.table.name)
    page.wait_for_selector("button:has-text('Copied')")
