"""How nights are brought back and codes made new, for tests of what is refused then; see `functions_of_extras`."""

from support.client_phones import Site
from support.html_page import HtmlPage
from support.page_states import ServedStates
from support.taken_away import House

from tracker.extras._backups import backups_of
from tracker.extras._removal import remove_nights


def erase_night_and_bring_it_back(here: House) -> None:
    here.send(here.anna, "/backups")
    backups = backups_of(here.site.tables)
    assert backups
    copy = next(one for one in backups.all() if one.name.startswith("asked"))
    assert remove_nights(here.site.tables, {here.code: here.site.tables.get(here.code).head}) == [here.code]
    page = here.anna.get(f"/backups/{copy.name}/all")
    done = here.anna.post(f"/backups/{copy.name}/all", {"seal": HtmlPage(page.text).value("[name=seal]")})
    assert done.status_code == 200
    assert here.site.tables.get(here.code).night.seats


def make_all_codes_new(here: House) -> None:
    here.send(here.anna, "/backups/new-codes")


def pages_with_forms(states: ServedStates) -> list[str]:
    """Return the pages of a copy of all nights, which is made for them."""
    backups = backups_of(states.site.tables)
    assert backups
    copy = backups.make().name
    return [f"/backups/{copy}", f"/backups/{copy}/all"]


def kept_by_forms(site: Site) -> list[str]:
    """Return the names of all copies."""
    backups = backups_of(site.tables)
    return [copy.name for copy in backups.all()] if backups else []
