"""A night from hand to hand by link: the same log and hashes, after the host's yes, and nothing else by any text."""

import json
from base64 import urlsafe_b64encode
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from extras._shared.dear_texts import link_of, unpacked
from hypothesis import given, strategies as st
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, ended_night, night_in_third_hand, record, visible_text

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.errors import TableError
from tracker.extras._night_files.codes import code_text
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras.copies.night_transfer import LONGEST_TEXT, MOST_BYTES, night_from, to_text
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="elsewhere")
def _elsewhere(tmp_path: Path) -> Any:
    with closing(Store(tmp_path / "elsewhere.db")) as store:
        yield Site(Nights(store, StreamHub()))


def heads(site: Site) -> dict[str, tuple[int, bytes]]:
    """Return the number of events and the hash of the last one of every night."""
    return {row.code: site.tables.store.head(row.code) for row in site.tables.nights()}


def say_yes(host: ClientPhone, text: str) -> str:
    """Open a link as its host, and say yes; return where that leads."""
    shown = host.post("/arrive", {"text": f"http://192.168.1.5:8000/arrive#{text}"})
    assert shown.status_code == 200, shown.text
    form = HtmlPage(shown.text).form('form[action="/arrive/answer"]')
    answer = host.post("/arrive/answer", {**form, "do": "yes"})
    assert answer.status_code == 303, visible_text(answer)
    assert host.post("/arrive/answer", {**form, "do": "yes"}).location == answer.location
    return answer.location


def waiting_form(host: ClientPhone) -> dict[str, str | list[str]]:
    """Return what the form of the first night that waits sends."""
    return {**HtmlPage(host.get("/arrive").text).form('form[action="/arrive/answer"]')}


def looked_at(host: ClientPhone) -> dict[str, str | list[str]]:
    """Look at the first night that waits, and return what the form of the answer sends."""
    shown = host.post("/arrive", waiting_form(host))
    assert shown.status_code == 200, visible_text(shown)
    return {**HtmlPage(shown.text).form('form[action="/arrive/answer"]')}


def test_a_night_goes_on_elsewhere_and_comes_back_with_the_same_log_and_hashes(site: Site, elsewhere: Site) -> None:
    here, there = night_in_third_hand(site), elsewhere.host()
    code, before = here.table.code, heads(site)
    assert say_yes(there, to_text(here.table)) == f"/n/{code}"
    assert heads(elsewhere) == before
    table = elsewhere.tables.get(code)
    assert table.entries == here.table.entries
    record(table, events.Collect("tom", "king-clubs"))
    assert say_yes(here.host, to_text(table)) == f"/n/{code}"
    assert heads(site) == heads(elsewhere)
    assert here.table.night == table.night
    assert say_yes(here.host, to_text(table)) == f"/n/{code}"  # all of it is there already
    assert heads(site) == heads(elsewhere)


def test_a_night_that_went_on_in_two_places_comes_as_one_of_its_own(site: Site, elsewhere: Site) -> None:
    here = night_in_third_hand(site)
    say_yes(elsewhere.host(), to_text(here.table))
    table, before = elsewhere.tables.get(here.table.code), here.table.head
    record(table, events.Collect("tom", "king-clubs"))
    record(here.table, events.Collect("mia", "king-clubs"))
    code = say_yes(here.host, to_text(table)).split("/")[2]
    assert code != here.table.code
    assert site.tables.get(code).night == table.night
    assert here.table.head == before + 1


def test_a_night_from_another_browser_waits_for_the_hosts_yes(site: Site, elsewhere: Site) -> None:
    text, host, guest = to_text(ended_night(elsewhere).table), site.host(), site.phone()
    assert "says yes" in visible_text(guest.post("/arrive", {"text": text}))
    guest.post("/arrive", {"text": text})  # sent twice, it waits once
    assert heads(site) == {}
    assert "1 night was brought" in visible_text(host.get("/"))
    assert guest.post("/arrive/answer", {"place": "1", "do": "yes"}).status_code == 403
    assert host.post("/arrive/answer", {**waiting_form(host), "do": "no"}).status_code == 303
    assert "brought by link" not in visible_text(host.get("/"))
    guest.post("/arrive", {"text": text})
    assert host.post("/arrive/answer", {**looked_at(host), "do": "yes"}).location.endswith("/settle")
    assert heads(site) == heads(elsewhere)
    codes = [night_in_third_hand(elsewhere).table for _ in range(4)]
    assert [guest.post("/arrive", {"text": to_text(table)}).status_code for table in codes] == [200, 200, 200, 429]


def test_the_code_of_a_night_is_taken_by_the_same_page(site: Site, elsewhere: Site) -> None:
    table = ended_night(elsewhere).table
    assert say_yes(site.host(), code_text(table)).endswith("/settle")
    (row,) = site.tables.nights()
    assert site.tables.get(row.code).night == table.night


def test_the_hosts_page_leads_on_to_the_site_to_another_host_or_to_the_file(site: Site, third: SampleNight) -> None:
    text = to_text(third.table)
    assert third.ben.get(f"{third.base}/carry").status_code == 403
    page = HtmlPage(third.host.get(f"{third.base}/carry").text)
    assert page.values("form[data-carry]", "data-carry") == [f"/arrive#{text}"]
    assert not page.has(f'a[href$="{text}"]')
    site.app.config["PAGES"] = "https://cards.example/"
    assert HtmlPage(third.host.get(f"{third.base}/carry").text).has(f'a[href="https://cards.example/#{text}"]')
    assert f"{third.base}/carry" in third.host.get(f"{third.base}/files").text


def test_what_a_phone_has_kept_makes_the_same_link(third: SampleNight) -> None:
    kept = third.watcher.get(f"{third.base}/copy").get_json()
    text = f'{{"night":{json.dumps(kept["night"])},"lines":[{",".join(kept["lines"])}],"seal":"{kept["seal"]}"}}'
    assert night_from(link_of(text)) == night_from(to_text(third.table))


def refusal_of(text: str) -> str:
    try:
        night_from(text)
    except (UnreadableError, TableError) as refused:
        return str(refused)
    return ""


def changed(value: Any, *path: Any, to: Any) -> str:
    """Return the text of a transfer in which one value is another one."""
    whole = json.loads(json.dumps(value))
    at = whole
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return link_of(json.dumps(whole))


def test_whatever_was_changed_on_the_way_is_refused_in_a_sentence(site: Site) -> None:
    here: SampleNight = night_in_third_hand(site)
    text = to_text(here.table)
    whole = unpacked(text)
    bad = ["", "X1", "X2" + text[2:], text[:-9], text[:60] + "A" + text[61:], "X1" + "A" * LONGEST_TEXT]
    others: list[Any] = [None, 1, [], {}, {"night": {}, "lines": [], "seal": ""}]
    bad += [link_of(json.dumps(other)) for other in others]
    bad += [
        changed(whole, *path, to=one) for path in (("night",), ("lines",), ("seal",)) for one in (None, 3, [1], "x")
    ]
    for key in whole["night"]:
        bad += [changed(whole, "night", key, to=one) for one in (None, 3, "", "../x", "x" * 300) if key != "name"]
    bad += [changed(whole, "night", "name", to=one) for one in (None, 3, "a\nb", "x" * 300)]
    for key in ("kind", "id", "at", "name"):
        bad += [changed(whole, "lines", 0, key, to=one) for one in (None, 3, "", "x", "x" * 300)]
    bad += [link_of(" " * (MOST_BYTES + 1)), link_of("[" * 100_000)]
    said = [refusal_of(one) for one in bad]
    assert all(said), [one[:80] for one, why in zip(bad, said, strict=True) if not why]
    assert all("\n" not in one and len(one) < 400 for one in said)
    host = site.host()
    for one in ("", "hello", text[:-9], "N1AAAAAAAAA", "X1"):
        answer = host.post("/arrive", {"text": one, "key": new_id()})
        assert answer.status_code == 422
    assert len(heads(site)) == 1


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_a_sentence(raw: bytes) -> None:
    assert refusal_of(link_of(raw))
    assert refusal_of("X1" + urlsafe_b64encode(raw).decode())


def test_a_night_whose_name_was_typed_in_another_form_of_unicode_goes_by_link(site: Site, elsewhere: Site) -> None:
    here = night_in_third_hand(site)
    for name in ("Café", "Cafe\N{COMBINING ACUTE ACCENT}", "The \N{FAMILY} 👨\N{ZERO WIDTH JOINER}👩 table"):
        here.host.post(f"{here.base}/settings", {"title": name})
        site.tables.store.rename(here.table.code, name)  # as earlier versions kept it
        assert night_from(to_text(here.table)).row.name
    assert say_yes(elsewhere.host(), to_text(here.table)) == f"/n/{here.table.code}"
