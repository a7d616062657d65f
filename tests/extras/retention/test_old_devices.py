"""The phones of a night end two days of the program after it is over, when the next one begins."""

from datetime import UTC, datetime, timedelta

import pytest
from support.api_scripts import with_command_token
from support.client_phones import ClientPhone, Site

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core.events import End
from tracker.extras.retention.program_days import DaysRun, DaysSettings, ProgramDays


@pytest.mark.parametrize(("where", "how"), [("", "again"), (ARCHIVED, "new"), (DELETED, "script")])
def test_phones_of_a_night_long_over_are_strangers_once_the_next_begins(
    site: Site, host: ClientPhone, where: str, how: str
) -> None:
    now, uptime = [datetime.now(UTC)], [0.0]
    site.app.extensions["program_days"] = ProgramDays(site.tables.store, lambda: now[0], lambda: uptime[0])
    over_now, long_over = site.open_night(host), site.open_night(host)
    ben, mia = site.join(over_now, "Ben"), site.join(long_over, "Mia")
    site.tables.get(long_over).record(End(), id="the-end", by="ruth")
    for jump, days in ((0, 0), (0, 1), (400, 0), (-400, 0), (0, 1)):
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
        assert mia.get(f"/n/{long_over}/settle").status_code == 200, "the evening, a day later, or the clock has jumped"
        now[0], uptime[0] = now[0] + timedelta(days=jump + days), uptime[0] + days * 24 * 3600
    site.tables.get(over_now).record(End(), id="the-end", by="ruth")
    for code in (over_now, long_over):
        site.tables.get(code).settings.put_away = where
    assert mia.get(f"/n/{long_over}/settle").status_code == 200
    if how == "new":
        site.open_night(host)
    elif how == "script":
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
    else:
        assert host.post(f"/nights/{over_now}/again", {"key": new_id()}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 403
    if how == "again":  # and Ben's phone goes along
        assert ben.get(f"/n/{over_now}/settle").status_code == 303
    assert ben.get(f"/n/{over_now}/settle").status_code == 200


@pytest.mark.parametrize("stored", ["6 2026-11-22 2026-11-23", None])
def test_the_days_are_stored_by_their_type_and_read_as_earlier_versions_wrote_them(
    tables: Nights, stored: str | None
) -> None:
    settings, days = DaysSettings(tables.store), DaysRun(6, "2026-11-22", "2026-11-23")
    if stored:
        settings.write("days-run", stored)
    else:
        settings.days_run = days
        assert settings.texts()["days-run"] == '{"number":6,"counted_at":"2026-11-22","seen_at":"2026-11-23"}'
    assert settings.days_run == days
    settings.write("days-run", "{")
    assert settings.days_run == DaysRun()
