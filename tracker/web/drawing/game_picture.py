"""A small picture of each game, drawn from its preset: the board with its cards, or a fan of cards."""

from functools import cache
from math import cos, sin

from tracker.core.preset import Pot, Preset
from tracker.web.drawing import board
from tracker.web.drawing.colors import tint_of
from tracker.web.wording.game_words import words_of

FAN = "HSDCSHD"


def picture_of(preset: Preset) -> str:
    """Return an SVG of the game's table; its colours are classes, so that it fits both themes."""
    if not preset.is_pot_game:
        return words_of(preset).picture() or hand_picture()
    return board_picture(tuple(pot for pot in preset.board.values() if pot.won_by != "out"))


@cache
def board_picture(pots: tuple[Pot, ...]) -> str:
    """Return the board seen from above, a sign in each place for the cards that win it."""
    count = min(board.MOST, max(board.FEWEST, len(pots)))
    signs = "".join(sign_of(pot, at, count) for at, pot in enumerate(pots[:count]))
    tints = (tint_of(pot.colour) for pot in pots[:count])
    return board.thumb(count, [tint.fill if tint else "" for tint in tints], signs)


def sign_of(pot: Pot, at: int, count: int) -> str:
    turn, reach = board.bearing(at, count), 70 * board.outer_edge(count) / 96.5
    x, y = cos(turn) * reach, sin(turn) * reach
    if pot.won_by == "poker":
        spots = ((-9, 4), (9, 4), (0, -6))
        return "".join(f'<circle class="t-chip" cx="{x + dx:.1f}" cy="{y + dy:.1f}" r="9"/>' for dx, dy in spots)
    suits = {card[-1] for card in pot.cards if card[-1] in "CDHS"}
    red = " red" if suits & set("HD") else ""
    if len(pot.cards) == 1 and suits:
        return use(suits.pop(), x - 17, y - 17, 34, f"t-suit{red}")
    wide, step = (17, 13) if len(pot.cards) < 3 else (15, 10)
    left, size = x - (step * (len(pot.cards) - 1) + wide) / 2, f'width="{wide}" height="22" rx="3"'
    return "".join(
        f'<rect class="t-card{red}" x="{left + step * i:.1f}" y="{y - 13 + 3 * i:.1f}" {size}/>'
        for i in range(len(pot.cards[:4]))
    )


def use(suit: str, x: float, y: float, size: float, kind: str) -> str:
    return f'<use href="#suit-{suit}" class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}"/>'


@cache
def hand_picture() -> str:
    """Return a fan of cards."""
    cards = []
    for at, suit in enumerate(FAN):
        place = f"translate({at * 20 - 78} {sin(at * 0.9) * 22 - 14:.1f}) rotate({at * 5 - 14})"
        red = " red" if suit in "HD" else ""
        cards.append(
            f'<g transform="{place}"><rect class="t-paper" x="-22" y="-34" width="56" height="80" rx="8"/>'
            f"{use(suit, -16, -28, 22, f't-ink{red}')}</g>"
        )
    return f'<svg class="thumb" viewBox="-104 -104 208 208" aria-hidden="true">{"".join(cards)}</svg>'
