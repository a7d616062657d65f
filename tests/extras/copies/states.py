"""How nights are brought back and codes made new, for tests of what is refused then; see `functions_of_extras`."""

from support.html_page import HtmlPage
from support.taken_away import House

from tracker.extras._removal import remove_nights


def erase_night_and_bring_it_back(here: House) -> None:
    here.send(here.anna, "/backups")
    assert here.site.tables.backups
    copy = next(one for one in here.site.tables.backups.all() if one.name.startswith("asked"))
    assert remove_nights(here.site.tables, {here.code: here.site.tables.get(here.code).head}) == [here.code]
    page = here.anna.get(f"/backups/{copy.name}/all")
    done = here.anna.post(f"/backups/{copy.name}/all", {"seal": HtmlPage(page.text).value("[name=seal]")})
    assert done.status_code == 200
    assert here.site.tables.get(here.code).night.seats


def make_all_codes_new(here: House) -> None:
    here.send(here.anna, "/backups/new-codes")
