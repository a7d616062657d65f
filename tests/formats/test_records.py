"""Records in stored texts: read back by the types of their fields, also as earlier versions have written them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from tracker.formats.records import Record
from tracker.formats.text import UNREADABLE


class Tick(NamedTuple):
    place: int
    by: str | None = None


class Person(NamedTuple):
    name: str
    contact: str


@dataclass(frozen=True)
class Sheet:
    """A record with a field of every kind that is taken."""

    name: str
    count: int = 0
    is_open: bool = False
    last: str | None = None
    ticks: tuple[Tick, ...] = ()
    paid: frozenset[int] = frozenset()
    seats: Mapping[str, int] = field(default_factory=dict)
    rest: Any = None


SHEETS = st.builds(
    Sheet,
    st.text(max_size=9),
    st.integers(),
    st.booleans(),
    st.none() | st.text(max_size=9),
    st.lists(st.builds(Tick, st.integers(), st.none() | st.text(max_size=5)), max_size=3).map(tuple),
    st.frozensets(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    st.none() | st.integers() | st.text(max_size=5),
)


@given(SHEETS)
def test_every_record_is_read_back_as_it_was(sheet: Sheet) -> None:
    assert Record(Sheet).read(Record(Sheet).text(sheet)) == sheet


def test_what_is_not_there_has_its_default_and_what_nobody_knows_is_left_out() -> None:
    assert Record(Sheet).read('{"name":"a","later":[1]}') == Sheet("a")
    assert Record(Tick).read('{"place":3}') == Tick(3)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "{}", '{"name":1}', '{"name":"a","count":true}', '{"name":"a","count":"1"}',
     '{"name":"a","ticks":{}}', '{"name":"a","ticks":[[1]]}', '{"name":"a","ticks":"ab"}', '{"name":"a","seats":[1]}',
     '{"name":"a","is_open":1}', '{"name":"a","paid":["1"]}'],
)  # fmt: skip
def test_a_text_of_other_types_is_refused(text: str) -> None:
    with pytest.raises(UNREADABLE):
        Record(Sheet).read(text)


def test_a_separated_text_of_an_earlier_version_is_read_also_when_it_looks_like_json() -> None:
    assert Record(Tick).read("3 Ruth at home") == Tick(3, "Ruth at home")
    assert Record(Tick, ":").read("3:") == Tick(3, None)
    assert Record(Person, "\n").read("{Ruth}\nby mail") == Person("{Ruth}", "by mail")
