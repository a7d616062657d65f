import pytest

from tracker.core.events import KINDS
from tracker.web.events.registry import EVENT_KINDS, by_word


def test_every_kind_of_the_core_has_a_record_of_its_own_class() -> None:
    assert {word: kind.event for word, kind in EVENT_KINDS.items()} == KINDS


def test_a_kind_without_a_record_is_refused_by_name() -> None:
    records = [kind for word, kind in EVENT_KINDS.items() if word != "collect"]
    with pytest.raises(TypeError, match="no record in web/events for collect"):
        by_word(records, KINDS)


def test_a_record_of_no_kind_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="records in web/events for unknown collect"):
        by_word(EVENT_KINDS.values(), KINDS.keys() - {"collect"})
