"""Every limit under a flood from one network: honest phones get through, whatever their addresses are."""

import pytest
from support.client_phones import ClientPhone
from support.floods import FLOODS, HONEST, Flooded, flooded_place

from tracker.app.event_rows import new_id
from tracker.server.server import PER_SENDER
from tracker.storage import Store
from tracker.web.access.devices import (
    MOST_PEOPLE_PER_SENDER,
    MOST_WAITING,
    MOST_WAITING_PER_SENDER,
    MOST_WATCHERS_PER_SENDER,
    SENDERS_OF_A_NETWORK,
)

FAMILY = 12
PAGES = ("", "/live", "/log", "/rules", "/settle", "/share", "/sounds", "/lobby")


@pytest.fixture(name="here", params=FLOODS, ids=lambda flood: flood.__name__)
def _here(request: pytest.FixtureRequest, store: Store) -> Flooded:
    return flooded_place(store, request.param)


def test_guesses_of_a_code(here: Flooded) -> None:
    heard = [phone.post("/join", {"typed": "AAA-AAA", "name": "X"}).status_code for phone in here.phones()]
    assert heard.count(422) == (15 if here.is_one_sender else 150)
    typed = here.site.typed_code(here.code)
    for number, phone in enumerate(here.honest()):
        assert phone.post("/join", {"typed": "BBB-BBB", "name": "X"}).status_code == 422, "a slip is allowed"
        assert phone.post("/join", {"typed": typed, "name": f"Ann {number}"}).status_code == 303


def test_posts_of_strangers(here: Flooded) -> None:
    heard = [phone.post("/language", {"lang": "de"}).status_code for phone in here.phones()]
    assert heard.count(303) == (60 if here.is_one_sender else 240)
    for phone in here.honest():
        assert [phone.post("/language", {"lang": "de"}).status_code for _ in range(20)] == [303] * 20


def test_people_seated_unasked(here: Flooded) -> None:
    for number, phone in enumerate(here.phones(30)):
        phone.post("/join", here.form(name=f"Eve {number}"))
        phone.post("/join", here.form(watch="1"))  # which gives the seat up: else another one could be taken for it
        phone.post("/join", here.form(name=f"Eve {number}"))
    people = [name for name in here.site.names(here.code) if name.startswith("Eve")]
    assert len(people) == MOST_PEOPLE_PER_SENDER * (1 if here.is_one_sender else SENDERS_OF_A_NETWORK)
    for number, phone in enumerate(here.honest()[:3]):
        assert phone.post("/join", here.form(name=f"Ann {number}")).location == f"/n/{here.code}/lobby"


def test_watchers_let_in_unasked(here: Flooded) -> None:
    for phone in here.phones(30):
        phone.post("/join", here.form(watch="1"))
    watchers = here.site.tables.store.devices.of(here.code, "watcher")
    assert len(watchers) == MOST_WATCHERS_PER_SENDER * (1 if here.is_one_sender else SENDERS_OF_A_NETWORK)
    for phone in here.honest():
        assert phone.post("/join", here.form(watch="1")).location == f"/n/{here.code}/lobby"


def test_phones_that_wait_to_be_let_in(here: Flooded) -> None:
    here.site.join(here.code, "Ben")
    here.site.start_first_hand(here.host, here.code)
    for number, phone in enumerate(here.phones(40)):
        phone.post("/join", here.form(name=f"Eve {number}"))
    waiting = here.site.access.devices.join_requests(here.code)
    assert len(waiting) == (MOST_WAITING_PER_SENDER if here.is_one_sender else MOST_WAITING)
    for number, phone in enumerate(here.honest()):
        assert (
            phone.post("/join", here.form(name=f"Ann {number}")).location.partition("?")[0] == f"/n/{here.code}/knock"
        )
    names = [row.name for row in here.site.access.devices.join_requests(here.code)]
    assert [name for name in names if name.startswith("Ann")] == [f"Ann {number}" for number in range(len(HONEST))]


def test_a_lost_answer_and_a_form_that_is_sent_again_are_those_of_the_sender(here: Flooded) -> None:
    """An address of IPv6 changes by itself, in its network."""
    addresses = [here.flood(number) for number in range(2)]
    first, again = (ClientPhone(here.site.app, address) for address in addresses)
    form = here.form(name="Eve", key=new_id())
    assert first.post("/join", form).status_code == 303
    assert again.post("/join", form).status_code == (303 if here.is_one_sender else 422)
    assert (again.cookies == first.cookies) == here.is_one_sender
    other = here.site.host()
    assert other.post("/join", here.form(seat="eve")).location.partition("?")[0] == f"/n/{here.code}/{'knock'}"


def test_twelve_phones_of_one_address_meet_no_limit_though_all_is_sent_at_one_moment(store: Store) -> None:
    """Each mistypes the code once, then types or scans it; four of them watch."""
    here = flooded_place(store, lambda _: "127.0.3.9")
    phones, base, typed = list(here.phones(FAMILY)), f"/n/{here.code}", here.site.typed_code(here.code)
    assert {phone.post("/join", {"typed": "AAA-AAA", "name": "x"}).status_code for phone in phones} == {422}
    for number, phone in enumerate(phones):
        way = {"typed": typed} if number % 2 else here.form()
        who = {"name": f"Guest {number}"} if number < 8 else {"watch": "1"}
        assert phone.post("/join", {**way, **who}).status_code == 303, "seated, or the table is asked"
    for row in here.site.access.devices.join_requests(here.code):
        assert here.host.post(f"{base}/knocks/{row.id}/in").status_code == 303
    for phone in phones:
        phone.post(f"{base}/enter")
    here.site.start_first_hand(here.host, here.code)
    assert {phone.get(base + path).status_code for phone in phones for path in PAGES} == {200}
    sent = {phone.post(f"{base}/record", {"do": "nothing"}).status_code for phone in phones for _ in range(20)}
    assert 429 not in sent
    assert 6 * FAMILY <= PER_SENDER, "a browser opens six connections"
