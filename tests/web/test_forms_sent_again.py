"""Every form that changes something, sent again because of a double tap or a lost answer: it counts once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.form_walk import FormWalk, SentForm, forms_at, state_of, words_of
from support.of_extras import of_extras
from support.page_states import served_states

TRIES = 4
"""How many forms of a kind are sent until one is not refused."""
SENT_NOWHERE = {
    "settlement.award_odd_chips",
    "settlement.award_pool",
    # their events have ids of the form's key, as settlement.finish, which is sent
    "night_options.play_on",  # of a host who was handed a table that is over: test_nights_on_the_first_page
    "home.take_over",  # does nothing where this browser is the host already
    "notices.go_on",  # clears a note
    *of_extras("forms_sent_nowhere"),
}


@pytest.fixture(name="walk")
def _walk(tmp_path: Path) -> Iterator[FormWalk]:
    with served_states(tmp_path) as states:
        yield FormWalk(states)


def faults_of(site: Site, phone: ClientPhone, form: SentForm) -> tuple[bool, list[str]]:
    """Send a form twice, as if the first answer got lost; return whether it was taken, and what the second changed."""
    cookies = dict(phone.client._cookies or {})
    first, after = phone.post(form.action, form.fields), state_of(site)
    phone.client._cookies = cookies
    second, then = phone.post(form.action, form.fields), state_of(site)
    faults = [f"{form}: changes {name} again" for name in after if after[name] != then[name]]
    is_taken = first.status_code < 400
    if first.status_code != second.status_code or (is_taken and words_of(first) != words_of(second)):
        faults.append(f"{form}: {words_of(first)[:2]}, then {words_of(second)[:2]}")
    return is_taken, faults


def test_every_form_of_every_page_counts_once_and_is_answered_alike(walk: FormWalk) -> None:
    faults: list[str] = []
    taken, tried = set[tuple[str, ...]](), Counter[tuple[str, ...]]()

    def send(phone: ClientPhone, form: SentForm) -> None:
        kind = walk.kind(form)
        if kind in taken or tried[kind] == TRIES:
            return
        tried[kind] += 1
        is_taken, found = faults_of(walk.site, phone, form)
        faults.extend(found)
        if is_taken:
            taken.add(kind)

    for phone, form in walk.forms():
        send(phone, form)
    for phone, path, endpoint in walk.prepared():
        found = [one for one in forms_at(phone, path) if walk.endpoint(one) == endpoint]
        assert found, f"{path} has no form of {endpoint}"
        send(phone, found[0])
    for phone, form in walk.late_forms():
        send(phone, form)
    rules = walk.site.app.url_map.iter_rules()
    posts = {rule.endpoint for rule in rules if "POST" in (rule.methods or ()) and "api" not in rule.endpoint}
    assert faults == []
    assert sorted(posts - {endpoint for endpoint, *_ in taken} - SENT_NOWHERE) == []
