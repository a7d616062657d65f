"""Every offer of the table's pages is taken, in every state that a walk over the offers themselves comes to.

Nothing that a page offers is refused, what happens is what the page said, Undo takes back what the words beside it
name and leaves every page as it was before, and a notice is gone with the next picture.
"""

from collections import Counter, defaultdict
from collections.abc import Callable

import pytest
from support.client_phones import Site
from support.offer_walk import Walk
from support.random_nights import every_preset

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

pytestmark = pytest.mark.slow

STEPS, LONG_STEPS = 20, 80
POOR = {"stack": "12"}
"""So few chips that somebody can't pay soon."""
FINED = {"stop.fine": "2"}
"""Being stuck costs chips, on every board."""
GAMES = {preset.id: preset.game for preset in every_preset()}
PRESETS = [*(preset for preset, game in GAMES.items() if game != "points"), *({"score-sheet"} & GAMES.keys())]
"""The other score sheets differ in their house rules only."""
EACH_RUN = [
    *((preset, ("one", "own")[at % 2], "en") for at, preset in enumerate(PRESETS)),
    ("michigan-rummy", "open", "de"),
    *((preset, "own", "de") for preset in PRESETS if preset == "michigan-rummy-snake"),
]
"""The preset, whose phones there are (`one` for all, everybody's `own`, or own ones that are `open` to record for
everybody), and the language; with `--long` every preset is walked both ways."""
WALKS = [*EACH_RUN, *((preset, ("own", "one")[at % 2], "en") for at, preset in enumerate(PRESETS))]
each_walk = pytest.mark.parametrize(
    "walk",
    [pytest.param(one, id="-".join(one), marks=() if one in EACH_RUN else pytest.mark.long) for one in WALKS],
    indirect=True,
)


@pytest.fixture(name="walks", scope="module")
def _walks(
    tmp_path_factory: pytest.TempPathFactory, short_or_long: Callable[[int, int], int]
) -> Callable[[tuple[str, str, str]], Walk]:
    """Give a function that returns a walk; each is made once."""
    store = Store(tmp_path_factory.mktemp("data") / "nights.db")
    site, made = Site(Nights(store, StreamHub())), dict[tuple[str, str, str], Walk]()
    steps = short_or_long(STEPS, LONG_STEPS)
    compared = defaultdict[object, Counter[object]](Counter)

    def walk_of(key: tuple[str, str, str]) -> Walk:
        preset, phones, language = key
        if key not in made:
            form, kind = POOR if phones == "one" else FINED, (GAMES[preset], phones, language)
            is_long = steps == LONG_STEPS
            before = Counter[object]() if is_long else compared[kind]
            made[key] = Walk(site, preset, phones, form, language=language, is_long=is_long, compared=before)
            made[key].run(steps, most=short_or_long(1, 3))
        return made[key]

    return walk_of


@pytest.fixture(name="walk", scope="module")
def _walk(walks: Callable[[tuple[str, str, str]], Walk], request: pytest.FixtureRequest) -> Walk:
    return walks(request.param)


@each_walk
def test_every_offer_of_a_page_is_accepted_and_moves_the_chips_it_names(walk: Walk) -> None:
    assert walk.offers > (10 if walk.table.preset.id == "score-sheet" else 20)
    assert not walk.findings.refused


@each_walk
def test_being_stuck_is_offered_on_every_board_by_one_tap(walk: Walk) -> None:
    """On own phones: a phone that records for all has it on the sheet of the person."""
    is_own = len(walk.phones) > 1 and not walk.table.settings.is_open_to_all
    is_offered = any(kind == "dock rest fine" for _moment, _role, kind in walk.done)
    assert is_offered == (walk.table.preset.is_pot_game and is_own)


@each_walk
def test_undo_reverts_the_event_named_beside_it(walk: Walk) -> None:
    assert walk.undos > (1 if walk.table.preset.id == "score-sheet" else 5)
    assert not walk.findings.undone


@each_walk
def test_all_phones_and_the_log_agree_after_every_offer(walk: Walk) -> None:
    """On stacks, pots, what the hand has won, who owes what and what is asked."""
    assert not walk.findings.differing


@each_walk
def test_a_notice_lies_over_every_question_and_is_gone_with_the_next_page(walk: Walk) -> None:
    assert walk.notices >= len(walk.states)
    assert not walk.findings.notices


def test_how_much_was_walked(walks: Callable[[tuple[str, str, str]], Walk], figure: Callable[[str], None]) -> None:
    made = [walks(key) for key in EACH_RUN]
    states, offers = sum(len(one.states) for one in made), sum(one.offers for one in made)
    undos = sum(one.undos for one in made)
    figure(f"offers of the table: {len(made)} walks, {states} states, {offers} offers taken, {undos} undone or redone")
    assert {one.preset for one in made} == set(PRESETS)
