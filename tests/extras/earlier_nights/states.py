"""How the lists of this extra show a damaged night; see `functions_of_extras`."""

import json

from support.client_phones import ClientPhone, Site
from support.of_extras import of_extras
from support.sample_nights import visible_text

from tracker.app.settings import NightSettings


def check_damaged_night(site: Site, host: ClientPhone, code: str) -> None:
    """A night that can't be read is a line wherever nights are listed."""
    is_read = site.app.extensions["known_nights"].get(code) is not None
    assert host.get(f"/nights/{code}").status_code == 200
    assert json.loads(host.get(f"/nights/{code}/rows.json").text)["night"][0]["code"] == code
    listed = host.get("/nights").text
    assert f"/nights/{code}" in listed
    assert ("can’t be shown" in listed) is not is_read
    for path in of_extras("unreadable"):
        assert ("1 night can’t be shown" in visible_text(host.get(path))) is not is_read
    for put_away in ("archived", "deleted"):
        NightSettings(site.tables.store, code).put_away = put_away
        assert "can’t be shown" not in host.get("/nights").text
        assert f"/nights/{code}" in host.get("/put-away").text
    NightSettings(site.tables.store, code).put_away = ""
