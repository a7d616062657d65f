"""Every offer of the table's pages is taken, in every state that a walk over the offers themselves comes to."""

from collections import Counter, defaultdict
from collections.abc import Callable

import pytest
from support.client_phones import Site
from support.offer_walk import Walk
from support.random_nights import every_kind_of_preset

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

POOR = {"stack": "12"}
"""So few chips that somebody can't pay soon."""
FINED = {"stop.fine": "2"}
"""Being stuck costs chips, on every board."""
SHORTAGES = ("buy_in", "iou", "cap")
GAMES = {preset.id: preset.game for preset in every_kind_of_preset()}
PRESETS = [*GAMES]
EACH_RUN = [
    *((preset, ("one", "own")[at % 2], "en") for at, preset in enumerate(PRESETS)),
    ("michigan-rummy", "open", "de"),
    *[(preset, "own", "de") for preset, game in GAMES.items() if game != "pots"][:1],
]
"""The preset, whose phones there are (`one` for all, everybody's `own`, or own ones that are `open` to record for
everybody), and the language; with `--long` every preset is walked both ways."""
WALKS = [*EACH_RUN, *((preset, ("own", "one")[at % 2], "en") for at, preset in enumerate(PRESETS))]
Compared = dict[object, Counter[object]]


@pytest.fixture(name="shared", scope="module")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Compared]:
    """Give one site for all walks, and what they have compared, by the kind of walk."""
    store = Store(tmp_path_factory.mktemp("data") / "nights.db")
    return Site(Nights(store, StreamHub())), defaultdict(Counter)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "phones", "language"),
    [pytest.param(*one, id="-".join(one), marks=() if one in EACH_RUN else pytest.mark.long) for one in WALKS],
)
def test_what_a_page_offers_is_accepted_moves_the_chips_it_names_and_is_undone_as_all_screens_and_the_log_say(
    shared: tuple[Site, Compared], preset: str, phones: str, language: str, short_or_long: Callable[[int, int], int]
) -> None:
    """Also: being stuck is always offered."""
    (site, compared), is_long = shared, bool(short_or_long(0, 1))
    form = {**POOR, "shortage": SHORTAGES[PRESETS.index(preset) % 3]} if phones == "one" else FINED
    before = Counter[object]() if is_long else compared[GAMES[preset], phones, language]
    walk = Walk(site, preset, phones, form, language=language, is_long=is_long, compared=before)
    walk.run(short_or_long(20, 80), most=short_or_long(1, 3))
    assert walk.findings == []
    assert walk.offers > (20 if GAMES[preset] == "pots" else 10)
    assert walk.undos > 1
    is_stuck_offered = {"dock rest fine", "sheet fine"} <= {kind for _moment, _role, kind in walk.done}
    assert is_stuck_offered == (GAMES[preset] == "pots" and phones == "own")
