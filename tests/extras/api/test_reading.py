"""What a script can read: the state with names and the prompt, all nights and presets, a night as a file."""

import json
from typing import Any

import pytest
from support.api_scripts import Script, host_of_new_night, with_command_token
from support.client_phones import Site
from support.known_people import known_people
from support.paths import NIGHTS
from support.transcripts import VARIETIES, transcript_id

from tracker.app.settings import DELETED
from tracker.web.base.snapshot import snapshot_of

FOUR_HANDS = (NIGHTS / "rummy-four-hands.json").read_text("utf-8")


# The state


def test_the_state_says_who_plays_and_what_the_table_asks(host: Script) -> None:
    before = host.look().json
    assert before["name"] == "Michigan Rummy"
    assert before["names"] == {"ann": "Ann", "bob": "Bob", "cara": "Cara"}
    assert before["prompt"]["name"] == "ante"
    dealt = host.record({"kind": "hand", "dealer": "cara"}).json["prompt"]
    assert (dealt["name"], dealt["turn"], dealt["least"]) == ("dummy", "ann", 1)
    bid = host.record({"kind": "bid", "seat": "ann", "chips": 3}).json["prompt"]
    assert (bid["name"], bid["turn"], bid["least"]) == ("auction", "bob", 4)


def test_the_prompt_is_the_one_that_the_phones_show(site: Site, host: Script) -> None:
    host.record({"kind": "hand", "dealer": "cara"})
    host.record({"kind": "no-sale"})
    table = site.tables.get(host.code)
    assert host.look().json["prompt"]["name"] == snapshot_of(table).moment.name == "play"
    table.set_draft_winner("bob")
    prompt = host.look().json["prompt"]
    assert (prompt["name"], prompt["winner"], prompt["payers"]) == ("count", "bob", ["cara", "ann"])


def test_a_score_game_asks_to_play_until_it_has_ended(site: Site) -> None:
    host = host_of_new_night(site, "eight-round-rummy")
    assert host.look().json["prompt"]["name"] == "play"
    host.record({"kind": "round", "winner": "ann"})
    assert host.look().json["prompt"]["name"] == "play"
    assert host.record({"kind": "end"}).json["prompt"]["name"] == "ended"


def test_a_state_that_the_script_has_is_not_sent_again(site: Site, host: Script) -> None:
    first = host.look()
    path, etag = f"/api/nights/{host.code}", first.headers["ETag"]
    again = host.get(path, {"If-None-Match": etag})
    assert (again.status, again.json, again.headers["ETag"]) == (304, {}, etag)
    assert host.get(path, {"If-Match": "x"}).status == 200  # that is for events
    site.tables.get(host.code).set_draft_winner("bob")  # no event, and yet another prompt once cards are played
    host.record({"kind": "hand", "dealer": "cara"})
    changed = host.get(path, {"If-None-Match": etag})
    assert (changed.status, changed.json["hand"]) == (200, 1)
    assert changed.headers["ETag"] != etag


def test_the_etag_of_a_state_can_be_sent_with_an_event(host: Script) -> None:
    etag = host.look().headers["ETag"]
    buy = {"kind": "buy", "seat": "ann", "chips": 5}
    assert host.record(buy, {"If-Match": etag}).status == 201
    assert host.record(buy, {"If-Match": etag}).json["reason"] == "stale"


# All nights


def test_all_nights_are_listed_with_who_played_and_how_they_ended(site: Site) -> None:
    script = with_command_token(site)
    made = script.post("/api/import", FOUR_HANDS.encode()).json["code"]
    running = host_of_new_night(site)
    nights = {one["code"]: one for one in script.get("/api/nights").json["nights"]}
    assert nights.keys() == {made, running.code}
    state, ended = Script(site.app, script.token, made).look().json, nights[made]
    assert [ended[key] for key in ("names", "winners", "net")] == [state[key] for key in ("names", "winners", "net")]
    assert (ended["phase"], ended["events"]) == ("ended", state["head"])
    going = nights[running.code]
    assert (going["phase"], going["winners"], going["net"]) == ("lobby", [], {})
    assert going["names"]["ann"] == "Ann"


def test_the_list_of_nights_is_read_page_by_page(site: Site) -> None:
    script = with_command_token(site)
    for number in range(5):
        script.post("/api/nights", {"preset": "michigan-kitty", "name": f"Night {number}"})
    found, path, pages = [], "/api/nights?limit=2", 0
    while path:
        page = script.get(path).json
        found += [one["code"] for one in page["nights"]]
        path, pages = page["next"], pages + 1
    assert (pages, found) == (3, [row.code for row in site.tables.nights()])


def test_a_page_of_another_size_is_refused(site: Site) -> None:
    for limit in ("0", "101", "x", "-1", "9" * 20):
        answer = with_command_token(site).get(f"/api/nights?limit={limit}")
        assert (answer.status, answer.json["reason"]) == (400, "bad-request"), limit
        assert "1 to 100" in answer.json["sentence"]


def test_a_damaged_night_is_listed_and_hides_no_other(site: Site, host: Script) -> None:
    site.tables.on_recorded.clear()  # nobody is known again by the name, for which summaries are made
    other = host_of_new_night(site)
    with site.tables.store.connection.write() as db:
        db.execute("DROP TRIGGER event_no_update")
        db.execute("UPDATE event SET body = replace(body, 'Bob', 'Eve') WHERE code = ?", [other.code])
    site.tables._open.pop(other.code)
    nights = {one["code"]: one for one in with_command_token(site).get("/api/nights").json["nights"]}
    assert (nights[other.code]["phase"], nights[other.code]["names"]) == ("unreadable", {})
    assert nights[host.code]["phase"] == "lobby"


def test_people_are_listed_by_name_page_by_page_with_their_seats_of_nights_that_were_not_deleted(
    site: Site, host: Script
) -> None:
    site.tables.on_recorded.clear()  # nobody is known again by the name: the test says who is who
    deleted = host_of_new_night(site)
    people = known_people(site.tables)
    zoe = people.add("Zoe", colour=3)
    ann = people.add("Ann", [(host.code, "ann"), (deleted.code, "ann")])
    people.hide(zoe.id)
    site.tables.get(deleted.code).settings.put_away = DELETED
    script = with_command_token(site)
    first = script.get("/api/people?limit=1").json
    assert [(one["id"], one["name"], one["seats"]) for one in first["people"]] == [
        (ann.id, "Ann", [{"code": host.code, "seat": "ann"}])
    ]
    (last,) = script.get(first["next"]).json["people"]
    assert (last["name"], last["colour"], last["is_hidden"], last["seats"]) == ("Zoe", 3, True, [])
    assert script.get(first["next"]).json["next"] is None
    people.forget(ann.id)
    assert [one["name"] for one in script.get("/api/people").json["people"]] == ["Zoe"]


def test_a_nights_own_token_lists_no_nights_no_people_and_no_presets(host: Script) -> None:
    for path in ("/api/nights", "/api/people", "/api/presets", "/api/presets/michigan-rummy"):
        assert host.get(path).status == 401


# Presets


def test_a_listed_preset_can_be_changed_and_sent_with_a_night(site: Site) -> None:
    script = with_command_token(site)
    listed = {one["id"]: one for one in script.get("/api/presets").json["presets"]}
    assert listed["michigan-rummy"]["game"] == "pots"
    assert not listed["michigan-rummy"]["is_own"]
    whole = script.get("/api/presets/michigan-rummy").json
    made = script.post("/api/nights", {"preset": {**whole, "stack": 55}}).json
    assert site.tables.get(made["code"]).preset.stack == 55
    assert {one.id for one in site.tables.library.all()} == listed.keys()
    assert script.get("/api/presets/chess").status == 404


# Night files


@pytest.mark.parametrize("file", VARIETIES, ids=transcript_id)
def test_a_night_is_exported_and_imported_while_the_server_runs(site: Site, file: Any) -> None:
    script, text = with_command_token(site), file.read_bytes()
    made = script.post("/api/import", text)
    if made.status == 422:  # a transcript that ends with a refusal
        assert made.json["sentence"]
        assert site.tables.nights() == []
        return
    host = Script(site.app, made.json["token"], made.json["code"])
    exported = host.get(f"/api/nights/{host.code}/file")
    copy = script.post("/api/import", json.dumps(exported.json).encode())
    assert copy.status == 201
    assert site.tables.get(copy.json["code"]).entries == site.tables.get(host.code).entries
    assert site.tables.get(copy.json["code"]).name == site.tables.get(host.code).name


def test_a_file_sent_twice_under_one_id_is_one_night(site: Site) -> None:
    script = with_command_token(site)
    first, again = (script.post("/api/import?id=easter", FOUR_HANDS.encode()) for _ in range(2))
    assert (first.status, again.status) == (201, 200)
    assert first.json["code"] == again.json["code"]
    assert len(site.tables.nights()) == 1


def test_a_file_that_cannot_be_read_adds_no_night(site: Site) -> None:
    for old, new, reason in (
        (FOUR_HANDS, "{}", "bad-file"),
        (FOUR_HANDS, "[", "bad-file"),
        ("board-tracker-night", "board-game", "bad-file"),
        ('"version": 1', '"version": 2', "bad-file"),
        ('"michigan-rummy"', '"chess"', "unknown"),
        ('"collect"', '"grab"', "bad-event"),
    ):
        answer = with_command_token(site).post("/api/import", FOUR_HANDS.replace(old, new).encode())
        assert (answer.status, answer.json["reason"]) == (422, reason), new
        assert site.tables.nights() == []


def test_only_the_token_of_the_command_imports(site: Site, host: Script) -> None:
    for script in (host, host.seat("ann"), Script(site.app, None)):
        assert script.post("/api/import", FOUR_HANDS.encode()).status == 401
    assert len(site.tables.nights()) == 1


# People and browsers


def test_a_night_that_a_script_opened_says_how_people_join(site: Site) -> None:
    made = with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).json
    join = made["join"]
    assert join["url"] == f"http://{join['address']}{site.join_link(made['code'])}"
    assert join["code"] == site.typed_code(made["code"])
    dan = site.phone()
    assert dan.get(site.join_link(made["code"])).status_code == 200
    dan.post("/join", {"token": site.join_link(made["code"])[3:], "name": "Dan"})
    assert site.names(made["code"]) == ["Dan"]
