"""Settings: each is typed and has one key, the one that data files have had from the start; earlier texts are read."""

from typing import Any

import pytest
from support.client_phones import Site
from support.sample_nights import record, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.preset_library import PresetSettings
from tracker.app.settings import (
    Admission,
    FolderSettings,
    HandChoices,
    HandDraft,
    HandState,
    NightSettings,
    Setting,
    SettingGroup,
    Settings,
    Truncation,
)
from tracker.core.errors import NotAllowed
from tracker.core.events import Amount, Buy
from tracker.formats.built_in import built_in
from tracker.storage import Store
from tracker.web.access.devices import Identity
from tracker.web.notices import notices_for

pytestmark = pytest.mark.every_place

BOARD = built_in("michigan-rummy")
WRITTEN: dict[type[Settings], dict[str, tuple[Any, dict[str, str | None]]]] = {
    NightSettings: {
        "put_away": ("archived", {"put-away": "archived"}),
        "has_begun": (True, {"begun": "on"}),
        "is_open_to_all": (True, {"everyone": "on"}),
        "is_last_hand": (True, {"last": "on"}),
        "starting_stack": (30, {"stack": "30"}),
        "plan": (HandChoices(3, {"ben": "out"}), {"plan": '{"hand":3,"chosen":{"ben":"out"}}'}),
        "waived": (HandChoices(3, {"poker": "nobody"}), {"waived": '{"hand":3,"chosen":{"poker":"nobody"}}'}),
        "requests": (HandChoices(3, {"ben": "{}"}), {"requests": '{"hand":3,"chosen":{"ben":"{}"}}'}),
        "draft": (
            HandDraft(HandState(3, 9, 12), 1, "mia", {"ben": 2}, {"ben": "bank"}, "tom"),
            {
                "draft": '{"state":{"hand":3,"began":9,"changed":12},"claim":1,"winner":"mia","counts":{"ben":2},'
                '"cover":{"ben":"bank"},"excused":"tom","withdrawn":null,"head":0}'
            },
        ),
        "note": ("a note", {"note": "a note"}),
        "group": ("The Saturday table", {"group": "The Saturday table"}),
        "opening_key": ("a1", {"opened-with": "a1"}),
        "truncation": (Truncation(49, 90, "x.db"), {"hurt": '{"events": 49, "seen": 90, "aside": "x.db"}'}),
        "admissions": (
            {"7": Admission("seat", "ben", is_held=True, until=99, sit=3)},
            {"let-in.7": '{"role":"seat","seat":"ben","is_held":true,"until":99,"sit":3}'},
        ),
        "colours": ({"ben": 5}, {"colour.ben": "5"}),
        "previous_night": ("abc234", {"previous-night": "abc234"}),
        "next_night": ("abc234", {"next-night": "abc234"}),
        "next_devices": ({"7": 9}, {"next-device.7": "9"}),
    },
    PresetSettings: {
        "own_presets": ({"ours": BOARD}, {"board:ours": None}),
        "deleted_presets": ({"ours": BOARD}, {"bin:ours": None}),
    },
    FolderSettings: {
        "host_name": ("Ruth", {"host-name": "Ruth"}),
        "address": ("10.0.0.2", {"address": "10.0.0.2"}),
        "invite_secret": ("00ff", {"invite-secret": "00ff"}),
        "admissions": (
            {"7": Admission("host", until=99)},
            {"let-in.7": '{"role":"host","seat":null,"is_held":false,"until":99,"sit":0}'},
        ),
    },
}  # fmt: skip
"""By name, a value of every setting, and the texts that are stored for it (None: not compared)."""
EARLIER: dict[type[Settings], dict[str, dict[str, str]]] = {
    NightSettings: {
        "plan": {"plan": '{"hand": 3, "is": {"ben": "out"}}'},
        "draft": {
            "draft": '{"hand":3,"began":9,"changed":12,"claim":1,"withdrawn":null,"head":0,'
            '"winner":"mia","said":{"ben":2},"cover":{"ben":"bank"},"excused":"tom"}'
        },
        "admissions": {"let-in.7": "seat:ben:held:99:3"},
    },
    FolderSettings: {
        "admissions": {"let-in.7": "host:::99:0"},
    },
}
"""By name, the texts that earlier versions have written for the same values."""
EVERY = [(kind, name) for kind, values in WRITTEN.items() for name in values]


@pytest.fixture(name="table")
def _table(tables: Nights) -> OpenNight:
    table = tables.open("michigan-rummy")
    seat_everybody(table)
    return table


def settings_of(kind: type[Settings], store: Store, table: OpenNight) -> Settings:
    return kind(store, table.code if kind is NightSettings else None)


def test_every_setting_is_tried_here() -> None:
    declared = [
        (kind, name) for kind in WRITTEN for name, one in vars(kind).items() if isinstance(one, Setting | SettingGroup)
    ]
    assert declared == EVERY


def test_a_setting_is_stored_by_its_type_and_read_back(store: Store, table: OpenNight) -> None:
    for kind, name in EVERY:
        settings = settings_of(kind, store, table)
        before = dict(settings.texts())
        value, texts = WRITTEN[kind][name]
        is_group = isinstance(getattr(kind, name), SettingGroup)
        if is_group:
            for key, part in value.items():
                getattr(settings, name).put(key, part)
        else:
            setattr(settings, name, value)
        read = getattr(settings_of(kind, store, table), name)
        assert ({key: read.get(key) for key in read.names()} if is_group else read) == value
        new = {key: text for key, text in settings.texts().items() if before.get(key) != text}
        assert {key: text if texts[key] else None for key, text in new.items()} == texts


def test_what_an_earlier_version_stored_is_read(store: Store, table: OpenNight) -> None:
    for kind, earlier in EARLIER.items():
        for name, texts in earlier.items():
            settings = settings_of(kind, store, table)
            for key, text in texts.items():
                settings.write(key, text)
            read, (value, _) = getattr(settings, name), WRITTEN[kind][name]
            assert (read.all() if isinstance(read, SettingGroup) else read) == value, name


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"hand": []}', '{"hand": 1, "is": 2}', "x:y", "1/2/3"])
def test_a_stored_setting_is_read_as_its_type_or_as_unset(text: str, store: Store, table: OpenNight) -> None:
    for kind, name in EVERY:
        settings, declared = settings_of(kind, store, table), getattr(kind, name)
        settings.write(getattr(declared, "key", "") or f"{declared.prefix}9", text)
        read = getattr(settings, name)
        if name == "truncation":
            assert read == Truncation()
        elif isinstance(declared, SettingGroup):
            one, known = read.get("9"), next(iter(WRITTEN[kind][name][0].values()))
            assert one is None or isinstance(one, type(known)), name
        else:
            assert read == declared.default or type(read) is type(WRITTEN[kind][name][0]), name


@pytest.mark.parametrize("note", ["", "{", "[]", "null", '{"events": 5}', '{"events": 5, "seen": {}, "aside": ""}'])
def test_a_note_of_a_damaged_file_that_can_not_be_read_still_stops_the_night(
    note: str, store: Store, table: OpenNight, site: Site
) -> None:
    store.set_setting(table.code, "hurt", note)
    with pytest.raises(NotAllowed, match=f"ends at event {table.head}"):
        record(table, Buy("ruth", Amount(5)))
    with site.app.test_request_context():
        (shown,) = notices_for(table, Identity("watcher"))
    assert f"All {table.head} entries that are left were checked" in shown.text
    table.settings.truncation = None
    head = table.head
    assert record(table, Buy("ruth", Amount(5))) == head + 1


def test_a_setting_that_stays_as_it_was_is_not_sent_to_anybody(table: OpenNight) -> None:
    table.settings.is_last_hand = True
    version = table.version
    table.settings.is_last_hand = True
    assert table.version == version
    table.settings.is_last_hand = False
    assert table.version == version + 1
