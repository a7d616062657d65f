"""How a whole night is taken away, also a damaged one; see `functions_of_extras`."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import visible_text
from support.taken_away import House


def erase_night(here: House) -> None:
    erased = here.anna.post(f"/nights/{here.code}/erase", {"typed": here.site.tables.get(here.code).name})
    assert erased.location.endswith("?erased=1"), erased.text


def check_damaged_night(site: Site, host: ClientPhone, code: str) -> None:
    page, row = HtmlPage(host.get(f"/nights/{code}/erase").text), site.tables.store.night(code)
    assert row
    answer = host.post(f"/nights/{code}/erase", {**page.form("#erase"), "typed": row.name})
    assert answer.status_code == 303, visible_text(answer)
    assert site.tables.store.night(code) is None
