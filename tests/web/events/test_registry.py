import pytest

from tracker.core.events import KINDS
from tracker.core.game import GAMES
from tracker.web.events.registry import EVENT_KINDS, by_word

BOARD = EVENT_KINDS["pots"]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_event_of_a_game_has_a_record_of_its_own_class(game: str) -> None:
    assert EVENT_KINDS[game].keys() == {*GAMES[game].handlers, "undo", "amend"}
    assert all(kind.event is KINDS[word] for word, kind in EVENT_KINDS[game].items())


def test_a_kind_without_a_record_and_a_record_of_no_kind_are_refused_by_name() -> None:
    fewer = BOARD.keys() - {"collect"}
    for kinds, words in (([BOARD[word] for word in fewer], BOARD.keys()), (BOARD.values(), fewer)):
        with pytest.raises(TypeError, match="in web/events alone: collect"):
            by_word(kinds, words)
