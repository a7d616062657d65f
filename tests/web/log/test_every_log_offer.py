"""Every offer of the log's pages is taken: undo, bring back, and each question of a correction answered otherwise.

Nothing that a page offers is refused, the chips that move are those of the difference that was shown and of the
sentences on what to hand over, and taking the correction back leaves the night as it was.
"""

from collections.abc import Callable

import pytest
from support.client_phones import Site
from support.log_walk import LogWalk
from support.random_nights import every_preset

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

PRESETS = [preset.id for preset in every_preset() if preset.game != "points"] + ["score-sheet"]
"""The other score sheets differ in their house rules only."""


@pytest.fixture(name="walks", scope="module")
def _walks(
    tmp_path_factory: pytest.TempPathFactory, short_or_long: Callable[[int, int], int]
) -> Callable[[str], LogWalk]:
    """Give a function that returns a preset's walk; each is made once."""
    store = Store(tmp_path_factory.mktemp("data") / "nights.db")
    site, made = Site(Nights(store, StreamHub())), dict[str, LogWalk]()

    def walk_of(preset: str) -> LogWalk:
        if preset not in made:
            made[preset] = LogWalk(site, preset, short_or_long(0, 1), rows=short_or_long(2, 6))
            made[preset].run(short_or_long(3, 20))
        return made[preset]

    return walk_of


@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_log_offers_is_accepted_and_does_what_it_says(walks: Callable[[str], LogWalk], preset: str) -> None:
    walk = walks(preset)
    assert walk.offers > 5
    assert not walk.findings


def test_how_much_of_the_log_was_walked(walks: Callable[[str], LogWalk], figure: Callable[[str], None]) -> None:
    made = [walks(preset) for preset in PRESETS]
    states, offers = sum(one.states for one in made), sum(one.offers for one in made)
    undos, refused = sum(one.undos for one in made), sum(one.refused for one in made)
    figure(
        f"offers of the log: {len(made)} nights, {states} states, {offers} taken, {undos} undone or brought back, "
        f"{refused} refused on the page before they could be taken"
    )
    assert {one.preset for one in made} == set(PRESETS)
