"""The board's geometry: every place inside the board, none over another, and files that are what the code draws."""

from collections.abc import Callable
from itertools import pairwise, product
from math import hypot

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import night_in_third_hand

from tracker.formats.built_in import built_in
from tracker.web.drawing.board import (
    FEWEST,
    MOST,
    MOST_DRAWN,
    PlaceShape,
    art,
    css,
    pile,
    pile_size,
    places,
    thumb,
)
from tracker.web.drawing.board_places import board_size
from tracker.web.drawing.player_token import label_of
from tracker.web.flat_styles import without_layers


def place_on_board(place: PlaceShape) -> Callable[[tuple[float, float]], tuple[float, float]]:
    """Give a function from a point of a place's box, in per cent, to that point of the board."""
    left, top, width, height = place.box
    return lambda at: (left + at[0] * width / 100, top + at[1] * height / 100)


def corners(place: PlaceShape) -> list[tuple[float, float]]:
    return list(map(place_on_board(place), place.polygon))


def holds(polygon: list[tuple[float, float]], x: float, y: float) -> bool:
    """Return whether a point lies inside a convex polygon."""
    sides = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def test_a_page_has_the_style_sheet_of_its_board_which_browsers_keep(site: Site) -> None:
    found = night_in_third_hand(site)
    page = HtmlPage(found.host.get(f"/n/{found.table.code}").text)
    size = board_size(found.table.night)
    (address,) = [one for one in page.values("link[rel=stylesheet]", "href") if one.startswith("/static/board/")]
    assert address.startswith(f"/static/board/{size}.css?v=")
    answer = found.host.get(address)
    assert answer.text == without_layers(css(size))
    assert "immutable" in answer.headers["Cache-Control"]
    assert [found.host.get(f"/static/board/{n}.css").status_code for n in (0, FEWEST - 1, MOST + 1)] == [404] * 3


@pytest.mark.parametrize("n", range(FEWEST, MOST + 1))
def test_places_lie_inside_the_board_and_apart_and_hold_their_text_and_pile(n: int) -> None:
    polygons = [corners(place) for place in places(n)]
    assert all(-100 <= x <= 100 and -100 <= y <= 100 for polygon in polygons for x, y in polygon)
    for point in product(range(-99, 100, 7), repeat=2):
        assert sum(holds(polygon, *point) for polygon in polygons) <= 1
    for place, polygon in zip(places(n), polygons, strict=True):
        for x, y in map(place_on_board(place), (place.text, place.pile)):
            assert holds(polygon, x, y)


@pytest.mark.parametrize("n", range(FEWEST, 11))
def test_a_finger_finds_every_place_of_a_board_as_wide_as_a_small_phone(n: int) -> None:
    # 300 px is the board of a 360 px phone; the widest circle in a place is what a finger can hit.
    for place in places(n):
        (x, y), polygon = place_on_board(place)(place.text), corners(place)
        free = min(
            abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / hypot(bx - ax, by - ay)
            for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
        )
        assert free * 2 * 300 / 200 >= 24, (n, place)


def test_art_has_a_symbol_for_the_board_and_for_each_place() -> None:
    assert HtmlPage(art(8)).values("symbol", "id") == ["board", *(f"w{at}" for at in range(8))]
    assert thumb(7).count("b-compartment") == 7


def test_a_pile_shows_every_chip_up_to_twelve_and_grows_without_an_end_after() -> None:
    assert [pile_size(chips) for chips in range(13)] == list(range(13))
    sizes = [pile_size(chips) for chips in range(12, 200)]
    assert sizes == sorted(sizes)
    assert all(12 <= size <= chips for chips, size in enumerate(sizes, 12))
    assert pile_size(126) > pile_size(60) > pile_size(36) > pile_size(18) > pile_size(12)
    assert pile_size(1_000_000) == MOST_DRAWN


def test_every_pile_draws_as_many_chips_as_its_size_with_drawings_that_the_page_of_the_board_has() -> None:
    chips = {f"#{name}" for name in HtmlPage(art(8)).values("g", "id")}
    for name in {f"{colouring}{pile_size(chips)}" for colouring in "abc" for chips in range(1, 400)}:
        drawn = HtmlPage(pile(name)).values("use", "href")
        assert (len(drawn), set(drawn) - chips) == (int(name[1:]), set())


def test_one_more_chip_only_adds_a_chip() -> None:
    chips = [
        {(use.get("x"), use.get("y")) for use in HtmlPage(pile(f"a{size}")).select("use")} for size in range(1, 13)
    ]
    assert all(one < larger for one, larger in pairwise(chips))


def test_labels_of_two_letters_and_a_suit_are_drawn_smaller_as_they_would_reach_the_edge() -> None:
    labels = {label.text: label.is_wide for label in map(label_of, built_in("michigan-rummy").board.values())}
    assert {text for text, is_wide in labels.items() if is_wide} >= {"KQ", "7·8·9"}
    assert not {text for text, is_wide in labels.items() if is_wide} & {"10", "A"}
