"""The page on which a night comes in: its file goes on here, and any other file is refused in a sentence."""

import json
import re
from collections.abc import Mapping

import pytest
from extras.imports.uploads import upload_night
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage
from support.routes import page_rules
from support.sample_nights import SampleNight, night_in_third_hand, visible_text

from tracker.extras._night_files.importing import FORM_LIMIT
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras.imports.night_page import LARGEST_FILE
from tracker.web.access.request_guards import SERVER_LIMIT


def test_a_night_that_is_imported_goes_on_where_it_was(site: Site) -> None:
    table, host = night_in_third_hand(site).table, site.host()
    answer = upload_night(host, table.export())
    assert answer.status_code == 303
    code = answer.location.split("/")[2]
    assert code != table.code
    assert site.tables.get(code).night == table.night
    assert host.get(f"/n/{code}/log").status_code == 200


def test_a_file_that_is_sent_twice_is_imported_once(site: Site) -> None:
    here, host = night_in_third_hand(site), site.host()
    (key,) = HtmlPage(host.get("/import").text).values('form[action="/import"] [name="key"]', "value")
    codes = [upload_night(host, here.table.export(), key=key).location for _ in range(2)]
    assert codes[0] == codes[1]
    assert upload_night(host, here.table.export()).location not in codes
    assert len(site.tables.nights()) == 3


def test_the_importer_of_a_night_hosts_it_and_phones_can_join(site: Site, third: SampleNight) -> None:
    host = site.host()
    code = upload_night(host, third.table.export()).location.split("/")[2]
    assert host.get(f"/n/{code}/settle").status_code == 200
    assert site.access.invites.shown(code)
    assert site.tables.get(code).name == third.table.name != "Friday at ruths"


def test_a_file_without_a_name_is_called_as_the_file_is(site: Site) -> None:
    raw = json.loads(night_in_third_hand(site).table.export())
    del raw["name"]
    code = upload_night(site.host(), json.dumps(raw)).location.split("/")[2]
    assert site.tables.get(code).name == "Friday at ruths"


def test_a_file_with_an_unusable_name_is_refused_in_both_languages(site: Site) -> None:
    raw, host = json.loads(night_in_third_hand(site).table.export()), site.host()
    before = site.tables.nights()
    for name in (7, None, "x" * 201, "Fri\u0007day"):
        for language, sentence in (("en", "The night’s name must "), ("de", "Der Name des Abends ")):
            host.client.set_cookie("lang", language, domain=HERE)
            answer = upload_night(host, json.dumps(raw | {"name": name}))
            assert answer.status_code == 422, name
            assert sentence in answer.text
    assert site.tables.nights() == before


def with_events(*more: Mapping[str, str | int]) -> str:
    """Return a night file of Michigan Rummy."""
    frame = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy"}
    return json.dumps({**frame, "events": [{"kind": "sit", "seat": "ann", "name": "Ann"}, *more]})


def test_a_refused_file_changes_nothing_and_every_fault_is_named(site: Site, host: ClientPhone) -> None:
    seat = {"kind": "sit", "seat": "UP", "name": "Up"}
    answer = upload_night(host, with_events(seat, {"kind": "dance"}, {"kind": "buy", "seat": "ann", "chips": -2}))
    assert answer.status_code == 422
    said = visible_text(answer)
    assert "It was not taken. Nothing was changed." in said
    assert all(f"vent {number} (" in said for number in (2, 3, 4))
    alone = upload_night(host, with_events({"kind": "hand", "dealer": "ann"}))
    assert "Event 2 (hand): a hand needs at least two people." in visible_text(alone)
    for content in (b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"format": "x"}', b"<html>", b"[" * 5000):
        answer = upload_night(host, content)
        assert answer.status_code == 422, content[:20]
        assert "Nothing was changed." in answer.text
    assert site.tables.nights() == []


def test_a_file_of_four_megabytes_is_read_and_a_larger_one_refused(host: ClientPhone) -> None:
    assert "The file is empty" in upload_night(host, b" " * (LARGEST_FILE - 1)).text
    assert upload_night(host, b" " * (LARGEST_FILE + 1)).status_code == 422
    refused = upload_night(host, b" " * (LARGEST_FILE + 100_000))
    assert refused.status_code == 413
    assert "The file is larger than 4 MB" in refused.text


def test_only_a_night_file_takes_more_than_the_server_takes_in_elsewhere(site: Site) -> None:
    posts = {rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    limits = {endpoint: page_rules(site.app, endpoint).most_bytes for endpoint in posts}
    large = {limit for limit in limits.values() if limit >= SERVER_LIMIT}
    assert large == {FORM_LIMIT}
    assert "/import" in site.access.large_bodies


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5000, '{"format": "x"}', '"' + "x" * 10])
def test_faults_of_a_file_are_german(site: Site, host: ClientPhone, text: str) -> None:
    host.client.set_cookie("lang", "de", domain=HERE)
    answer = upload_night(host, text)
    assert answer.status_code == 422
    assert re.search("das (ist|sieht aus wie)|die datei ist", answer.text.lower())
    for english in ("this is", "must be", "is nested", "stands twice", "is no number"):
        assert english not in answer.text
    assert site.tables.nights() == []


def test_a_fault_of_a_file_in_english_names_the_key() -> None:
    with pytest.raises(UnreadableError) as unread:
        json_value('{"a": 1, "a": 2}')
    assert str(unread.value) == 'this is not JSON: the key "a" stands twice in one object'


def test_a_file_of_a_game_that_is_not_there_is_refused_in_one_sentence(site: Site, host: ClientPhone) -> None:
    file = json.loads(night_in_third_hand(site).table.export())
    answer = upload_night(host, json.dumps({**file, "preset": {**file["preset"], "game": "towers"}}))
    assert answer.status_code == 422
    assert "ame must be one of pots" in visible_text(answer)
