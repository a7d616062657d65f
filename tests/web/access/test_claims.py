"""Who may claim a place that somebody took: players for their own seat, with a yes of whoever has it or of the host."""

import json

import pytest
from support.client_phones import ClientPhone, Site
from support.sample_nights import TableNight

from tracker.web.base.snapshot import snapshot_of

POT = "ten-hearts"


@pytest.fixture(name="night")
def _night(site: Site) -> TableNight:
    """A hand in which Mia has taken a place."""
    night = TableNight(site).begin()
    assert claim(night, night.host, "mia", do="collect") == 200
    return night


def claim(night: TableNight, phone: ClientPhone, seat: str, pot: str = POT, do: str = "whose") -> int:
    return night.tap(do, phone, seat=seat, pot=pot).status_code


def asked(night: TableNight) -> dict[str, str]:
    return dict(snapshot_of(night.table).requests)


def answer(night: TableNight, phone: ClientPhone, word: str = "yes") -> int:
    """Answer what Ben has claimed."""
    return night.tap(f"agree:{word}/ben", phone, request=json.loads(asked(night)["ben"])["id"]).status_code


def taker(night: TableNight) -> str | None:
    return night.table.night.current_deal().taken[POT].seat


def test_the_host_corrects_at_once_and_a_player_asks(night: TableNight) -> None:
    assert claim(night, night.phones["ben"], "ben") == 200
    assert (taker(night), [*asked(night)]) == ("mia", ["ben"])
    assert claim(night, night.host, "ruth") == 200
    assert taker(night) == "ruth"


@pytest.mark.parametrize("who", ["mia", "ruth"])
def test_whoever_has_it_or_the_host_says_yes_or_no(night: TableNight, who: str) -> None:
    for word, taken_by in (("no", "mia"), ("yes", "ben")):
        claim(night, night.phones["ben"], "ben")
        assert answer(night, night.phones[who], word) == 200
        assert (taker(night), asked(night)) == (taken_by, {})


def test_nobody_claims_for_another_seat_or_says_yes_to_the_own_claim(night: TableNight) -> None:
    ben = night.phones["ben"]
    assert [claim(night, ben, seat) for seat in ("tom", "ben")] == [403, 200]
    assert answer(night, ben) == 403
    assert taker(night) == "mia"


def test_what_nobody_took_is_refused_in_a_sentence(night: TableNight) -> None:
    assert claim(night, night.phones["ben"], "ben", "queen-hearts") == 409
    assert claim(night, night.host, "ben", "nonsense") == 409
    assert asked(night) == {}


def test_a_claim_is_forgotten_with_the_hand_that_it_is_about(night: TableNight) -> None:
    claim(night, night.phones["ben"], "ben")
    assert "not you?" in night.page(night.phones["mia"])
    night.tap(f"undo:{night.table.head}")
    assert "not you?" not in night.page(night.phones["mia"])
