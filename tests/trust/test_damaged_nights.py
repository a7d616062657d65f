"""One night whose rows are not what was written takes no list down: it is a line, and it can be saved and erased."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.data_files import chained_again, unguarded
from support.of_extras import functions_of_extras, of_extras
from support.routes import app_rules, path_of
from support.sample_nights import ended_night, night_in_third_hand, visible_text

from tracker.app.nights import Nights
from tracker.app.settings import NightSettings, Setting, SettingGroup
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SOUND = "A sound night"
DATES = ("0001-01-01", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31", "2026-W48-4", "junk", "", "20:15")


@pytest.fixture(name="sound", scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, str]]:
    """Give a data file with a sound night and one more; the code of that one, and the cookies of its host."""
    path = tmp_path_factory.mktemp("sound") / "nights.db"
    with closing(Store(path)) as store:
        site = Site(Nights(store, StreamHub()))
        store.rename(ended_night(site).table.code, SOUND)
        night = night_in_third_hand(site)
        cookies = night.host.cookies
        assert night.host.get("/").status_code == 200
        return path, night.table.code, cookies


Damage = Callable[[sqlite3.Connection, str], object]


def night_with(column: str, value: object, *, is_chained: bool = True) -> Damage:
    def damage(db: sqlite3.Connection, code: str) -> None:
        db.execute(f"UPDATE night SET {column} = ? WHERE code = ?", [value, code])
        if is_chained:
            chained_again(db, code)

    return damage


def event_with(number: int, column: str, value: object, *, is_chained: bool = True) -> Damage:
    def damage(db: sqlite3.Connection, code: str) -> None:
        db.execute(f"UPDATE event SET {column} = ? WHERE code = ? AND number = ?", [value, code, number])
        if is_chained:
            chained_again(db, code)

    return damage


def events_at(first: str, last: str) -> Damage:
    return lambda db, code: (event_with(1, "at", first)(db, code), event_with(12, "at", last)(db, code))


def event_missing(number: int) -> Damage:
    return lambda db, code: db.execute("DELETE FROM event WHERE code = ? AND number = ?", [code, number])


def without_events(column: str, value: object) -> Damage:
    def damage(db: sqlite3.Connection, code: str) -> None:
        db.execute("DELETE FROM event WHERE code = ?", [code])
        db.execute(f"UPDATE night SET {column} = ? WHERE code = ?", [value, code])

    return damage


def every_setting(text: str) -> Damage:
    def damage(db: sqlite3.Connection, code: str) -> None:
        for setting in vars(NightSettings).values():
            key = setting.key if isinstance(setting, Setting) else ""
            key = f"{setting.prefix}1" if isinstance(setting, SettingGroup) else key
            if key and key not in ("put-away", "pin"):
                db.execute("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", [code, key, text])

    return damage


def devices_with(column: str, value: object) -> Damage:
    return lambda db, code: db.execute(f"UPDATE device SET {column} = ? WHERE code = ?", [value, code])


FLY, LATE = json.dumps({"kind": "fly"}), json.dumps({"kind": "collect", "seat": "ruth", "pot": "ace-hearts"})
DAMAGES: Mapping[str, Damage] = {
    **{f"created_at {date}": night_with("created_at", date) for date in DATES},
    "created_at of no events": without_events("created_at", DATES[0]),
    "created_at unchained": night_with("created_at", "junk", is_chained=False),
    **{f"preset {text[:9]}": night_with("preset", text) for text in ("junk", "[]", '{"id": "x"}')},
    **{f"options {text}": night_with("options", text) for text in ("junk", "null", '{"poker.when": 7}')},
    "preset of no events": without_events("preset", "junk"),
    **{f"name {name!r}": night_with("name", name) for name in ("", "\ud7ff\u202e")},
    **{f"event body {text[:14]}": event_with(3, "body", text) for text in ("junk", "[]", FLY, LATE)},
    "event body nested": event_with(3, "body", "[" * 20_000),
    "event body unchained": event_with(3, "body", LATE, is_chained=False),
    **{f"events at {date}": events_at(date, last) for date, last in zip(DATES[::2], DATES[1::2], strict=True)},
    "event by": event_with(2, "by", "\u202e"),
    "event missing": event_missing(2),
    "first event missing": event_missing(1),
    "settings junk": every_setting("junk"),
    "settings empty": every_setting(""),
    "settings nested": every_setting("[" * 20_000),
    **{f"devices {column}": devices_with(column, "junk") for column in ("made_at", "seen_at", "seat")},
    **{name: damage for damages in functions_of_extras("damages") for name, damage in damages().items()},
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_page_is_answered_lists_the_sound_night_and_the_damaged_one_as_a_line_that_can_be_saved_and_erased(
    sound: tuple[Path, str, dict[str, str]], tmp_path: Path, damage: str
) -> None:
    path, code, cookies = sound
    shutil.copy(path, tmp_path / "nights.db")
    with unguarded(tmp_path / "nights.db") as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        DAMAGES[damage](db, code)
    with closing(Store(tmp_path / "nights.db")) as store:
        site = Site(Nights(store, StreamHub()))
        host = site.phone()
        host.take(cookies)
        check_pages(site, host, code)
        for check in functions_of_extras("check_damaged_night"):
            check(site, host, code)


def check_pages(site: Site, host: ClientPhone, code: str) -> None:
    of_nights = [rule for rule in app_rules(site.app) if {"code", "night"} & rule.arguments]
    pages = {path_of(rule, code).replace("<night>", code) for rule in of_nights if "GET" in (rule.methods or ())}
    pages |= {"/", f"/nights/{code}", f"/n/{code}/log/1"}
    pages |= {*of_extras("lists"), *(path.format(year=2026) for path in of_extras("lists_of_year"))}
    pages |= {*of_extras("lists_of_nights"), *of_extras("csv_of_nights"), "/api/nights", "/new"}
    answers = {path: host.get(path).status_code for path in sorted(pages) if not path.endswith("stream")}
    assert {path: status for path, status in answers.items() if status >= 500} == {}
    assert SOUND in "".join(visible_text(host.get(path)) for path in ("/", *of_extras("lists_of_nights")))
    for address in of_extras("csv_of_nights")[:2]:
        assert SOUND in host.get(address).text
    said = [*site.tables.store.faults(), *site.app.extensions["known_nights"].replay_faults()]
    assert all("\n" not in one for one in said)  # in sentences, whatever it is
