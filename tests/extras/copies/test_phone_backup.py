"""What a phone is given to keep of a night, and how it finds out that the log is another one."""

import gc
import json
from dataclasses import replace
from typing import Any

import pytest
from support.client_phones import ClientPhone, Site
from support.of_extras import of_extras
from support.sample_nights import SampleNight, night_in_third_hand, record, sample_night

from tracker.app.nights import MOST_UNWATCHED
from tracker.core import events
from tracker.core.events import Name
from tracker.extras.copies.arrive import LINES
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, states


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    return night_in_third_hand(site)


def ask(here: SampleNight, phone: ClientPhone, after: object = 0) -> dict[str, Any]:
    answer = phone.get(f"{here.base}/copy?after={after}")
    assert answer.status_code == 200
    found = answer.get_json()
    assert isinstance(found, dict)
    return found


def as_file(copy: dict[str, Any], lines: list[str]) -> str:
    """Return the night file that a phone makes of what it has kept."""
    return json.dumps({**json.loads(copy["frame"]), "events": [json.loads(line) for line in lines]})


def test_the_backup_on_a_phone_equals_the_exported_night(here: SampleNight) -> None:
    copy = ask(here, here.ben)
    text = as_file(copy, copy["lines"])
    assert json.loads(text) == json.loads(here.table.export())
    assert [*states(night_from(text, built_in))][-1] == here.table.night
    assert copy["file"].endswith(".json")


def test_a_phone_that_has_some_is_given_the_rest(here: SampleNight) -> None:
    whole = ask(here, here.host)
    for have in (0, 1, 7, here.table.head):
        part = ask(here, here.host, have)
        assert part["lines"] == whole["lines"][have:]
        assert part["seal"] == whole["seal"]
    first = ask(here, here.ben, here.table.head)
    record(here.table, events.Collect("tom", "king-clubs"))
    then = ask(here, here.ben, here.table.head - 1)
    assert then["known"] == first["seal"]
    assert len(then["lines"]) == 1
    assert then["seal"] != first["seal"]


def test_a_log_with_one_letter_changed_has_other_hashes_from_there_on(here: SampleNight) -> None:
    before = [ask(here, here.ben, number)["known"] for number in range(here.table.head + 1)]
    changed = here.table.entries[2]
    assert isinstance(changed.event, events.Sit)
    here.table.entries[2] = replace(changed, event=replace(changed.event, name=Name("Mio")))
    LINES.clear()  # as a server that is started anew
    after = [ask(here, here.ben, number)["known"] for number in range(here.table.head + 1)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [
        number < 3 for number in range(here.table.head + 1)
    ]


def test_a_log_that_was_read_again_and_goes_on_otherwise_is_hashed_anew(here: SampleNight) -> None:
    ask(here, here.ben)
    last = here.table.entries[-1]
    here.table.entries[-1] = replace(last, id="another")
    assert '"another"' in ask(here, here.ben)["lines"][-1]
    here.table.entries.pop()
    assert len(ask(here, here.ben)["lines"]) == here.table.head


def test_a_log_shorter_than_a_phones_backup_is_not_recognised(here: SampleNight) -> None:
    for after in (here.table.head + 1, 9_999_999):
        found = ask(here, here.ben, after)
        assert (found["known"], found["lines"]) == ("", [])


@pytest.mark.parametrize("after", ["", "x", "-1", "1.5", "\u0661", "9" * 50])
def test_a_number_that_is_none_gives_everything(here: SampleNight, after: str) -> None:
    assert len(ask(here, here.ben, after)["lines"]) == here.table.head


def test_a_person_who_was_let_in_keeps_it_also_to_watch_and_nobody_else(here: SampleNight) -> None:
    for phone in (here.site.phone(), here.site.request_join(here.table.code, name="Jo")):
        assert phone.get(f"{here.base}/copy").status_code == 403
        assert phone.get(here.base).status_code == 403
    for phone in (here.host, here.ben, here.watcher):
        assert len(ask(here, phone)["lines"]) == here.table.head
        assert "phone-backup.js" in phone.get(here.base).text
    for page in of_extras("watched"):
        assert "phone-backup.js" not in here.watcher.get(here.base + page).text, "nobody taps there"


def test_two_nights_with_the_same_people_have_seals_of_their_own(site: Site) -> None:
    one, other = sample_night(site), sample_night(site)
    assert ask(one, one.host)["known"] != ask(other, other.host)["known"]


def test_the_lines_of_a_night_go_with_it_from_memory(site: Site) -> None:
    others = len(LINES)  # of other tests, whose nights may be in memory
    hosts = [(one.host, one.base) for one in (night_in_third_hand(site) for _ in range(MOST_UNWATCHED + 8))]
    for host, base in hosts:
        assert host.get(f"{base}/copy").status_code == 200
    site.open_night(site.host())  # whenever a night comes into memory, others leave it
    gc.collect()
    assert len(LINES) - others <= MOST_UNWATCHED + 2
