"""The people of the last table, offered in the next lobby."""

from support.client_phones import ClientPhone, Site, add_people

from tracker.core.events import End


def test_the_same_people_as_last_time_sit_down_with_one_tap(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    site.tables.get(code).record(End(), id="the-end", by="ruth")
    again = site.open_night(host)
    assert "Ben, Mia, Tom" in host.get(f"/n/{again}/lobby").text
    host.post(f"/n/{again}/same-people")
    assert site.names(again) == ["Ruth", "Ben", "Mia", "Tom"]
