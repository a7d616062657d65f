"""People by choice: whatever is changed, the rows give the same people again, and what is taken back is as before."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tracker.extras._people import KnownPerson, LinkedSeat
from tracker.extras.people.people import BadChange, PeopleTable, StoredPeople
from tracker.formats.text import name_order
from tracker.storage import Store

few = settings(max_examples=25)
"""Each example is a history of up to 40 changes."""
CODES, SEATS = ("aaaaaa", "bbbbbb", "cccccc"), ("mia", "mia-2", "ben")
State = tuple[list[KnownPerson], dict[LinkedSeat, str]]


def state_of(people: StoredPeople) -> State:
    return people.all(), dict(people.seats())


def bodies(store: Store) -> str:
    with store.connection.read() as db:
        return "\n".join(row[0] for row in db.execute("SELECT body FROM person_change"))


def change_something(people: StoredPeople, chance: Random) -> None:
    """Change people at random; what does not fit changes nothing."""
    code, seat = chance.choice(CODES), chance.choice(SEATS)
    ids = [one.id for one in people.all()] or ["nobody"]
    one, other = chance.choice(ids), chance.choice(ids)
    seats = chance.sample([*people.seats_of(one)], chance.randint(0, len(people.seats_of(one))))
    number = chance.randint(1, 30)
    name = f"name{chance.getrandbits(40)}."
    steps = (
        lambda: people.add(name, [(code, seat)]),
        lambda: people.add(name),
        lambda: people.link(code, seat, one),
        lambda: people.link(code, seat, one),
        lambda: people.unlink(code, seat),
        lambda: people.merge(one, other),
        lambda: people.split(one, seats, name),
        lambda: people.rename(one, name),
        lambda: people.set_colour(one, chance.randint(1, 8)),
        lambda: people.hide(one, is_hidden=chance.random() < 0.5),
        lambda: people.undo(number),
        lambda: people.undo(number),
    )
    before = state_of(people)
    try:
        chance.choice(steps)()
    except BadChange:
        assert state_of(people) == before


OPENED: list[Store] = []


@pytest.fixture(autouse=True)
def _close_stores() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()


def store_in_memory() -> Store:
    """Return a new store, which is closed after the test."""
    OPENED.append(Store(None))
    return OPENED[-1]


def grown(seed: int, count: int) -> tuple[Store, StoredPeople, Random]:
    store, chance = store_in_memory(), Random(seed)
    people = StoredPeople(store)
    for _ in range(count):
        change_something(people, chance)
    return store, people, chance


@few
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_any_row_of_changes_gives_the_same_people_when_it_is_read_again(seed: int, count: int) -> None:
    store, people, chance = grown(seed, count)
    other_app = StoredPeople(store)
    assert state_of(other_app) == state_of(people)
    change_something(people, chance)
    for again in (other_app, StoredPeople(store)):
        assert state_of(again) == state_of(people)
        assert again.last_change() == people.last_change()
        assert again.damaged_rows() == ()
    everybody = {one.id for one in people.all()}
    assert {*people.seats().values()} <= everybody


@few
@given(st.integers(0, 2**32), st.integers(0, 20))
def test_taking_the_newest_change_back_restores_exactly_what_was_before(seed: int, count: int) -> None:
    _, people, chance = grown(seed, count)
    for _ in range(30):
        before, last = state_of(people), people.last_change()
        change_something(people, chance)
        newest = people.last_change()
        if newest and newest.number > (last.number if last else 0):
            people.undo(newest.number)
            assert state_of(people) == before
            assert people.last_change() == last
            return


@few
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_somebody_forgotten_leaves_no_name_and_nobody_else_changes(seed: int, count: int) -> None:
    store, people, chance = grown(seed, count)
    mia = people.add("Mia Forgotten", [("dddddd", "mia-forgotten")])
    people.rename(mia.id, "Maria Forgotten")
    people.merge(people.add("Forgotten, M.").id, mia.id)
    for _ in range(3):
        with suppress(BadChange):
            people.link(chance.choice(CODES), chance.choice(SEATS), mia.id)
    seats = people.seats_of(mia.id)
    everybody, owners = state_of(people)
    people.forget(mia.id)
    assert "forgotten," not in bodies(store).lower()
    assert "ia forgotten" not in bodies(store).lower()
    assert "mia-forgotten" not in bodies(store)
    assert mia.id not in bodies(store)
    kept = {seat: owner for seat, owner in owners.items() if owner != mia.id}
    assert state_of(people) == ([one for one in everybody if one.id != mia.id], kept)
    assert state_of(StoredPeople(store)) == state_of(people)
    assert all(people.is_forgotten(*seat) for seat in seats)
    assert people.last_change() is None


def test_people_stand_by_name_and_each_new_one_has_an_own_colour_while_there_are_any() -> None:
    people, names = StoredPeople(store_in_memory()), [*"qponm", "Zoë", "Ägidius", "adam", "Łukasz", "Luzia"]
    assert [people.add(name).colour for name in names] == [1, 2, 3, 4, 5, 6, 7, 8, 1, 2]
    assert [one.name for one in people.all()] == sorted(names, key=name_order)


def test_a_change_that_a_later_one_needs_can_be_taken_back_after_that_one_only() -> None:
    people = StoredPeople(store_in_memory())
    mia = people.add("Mia", [("aaaaaa", "mia")])
    other = people.add("Mia P.", [("bbbbbb", "mia")])
    before = state_of(people)
    people.merge(other.id, mia.id)
    merge = people.last_change()
    people.split(mia.id, [("bbbbbb", "mia")], "Mia the younger")
    split = people.last_change()
    assert merge
    assert split
    with pytest.raises(BadChange, match="Take the later change back first"):
        people.undo(merge.number)
    people.undo(split.number)
    people.undo(merge.number)
    assert state_of(people) == before
    with pytest.raises(BadChange, match="can’t be taken back"):
        people.undo(merge.number)


def test_a_row_that_cannot_be_read_is_named_and_stays() -> None:
    wrong = ("", "{", "[]", "7", '{"kind": "dance"}', '{"kind": "rename", "person": "x"}')
    for body in (*wrong, '{"kind": "undo", "number": "1"}'):
        store = store_in_memory()
        mia = StoredPeople(store).add("Mia", [("aaaaaa", "mia")])
        PeopleTable(store.connection).append("2026-01-01T00:00:00Z", f"{body}  ")
        people = StoredPeople(store)
        assert people.damaged_rows() == (2,), body
        people.rename(mia.id, "Maria")
        assert state_of(StoredPeople(store)) == state_of(people), body
        assert [row.number for row in PeopleTable(store.connection).rows()] == [1, 2, 3], body
        for name in ("", "x" * 300):
            with pytest.raises(BadChange, match="can’t be kept"):
                people.rename(mia.id, name)


@pytest.mark.parametrize("changed", ["replace(body, 'Mia', 'Mua')", "CAST(x'7bff7d' AS TEXT)"])
def test_a_changed_row_is_noticed_and_what_needs_it_is_left_out_but_not_lost(changed: str) -> None:
    store = store_in_memory()
    people = StoredPeople(store)
    mia, ben = people.add("Mia"), people.add("Ben")
    people.link("aaaaaa", "mia", mia.id)
    people.link("aaaaaa", "ben", ben.id)
    with store.connection.write() as db:
        db.execute(f"UPDATE person_change SET body = {changed} WHERE number = 1")
    people = StoredPeople(store)
    assert state_of(people) == ([ben], {("aaaaaa", "ben"): ben.id})
    assert people.damaged_rows() == (1, 3)
    assert len(PeopleTable(store.connection).rows()) == 4
