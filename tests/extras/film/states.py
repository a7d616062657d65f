"""What the film adds to the evening in each engine; see `functions_of_extras`."""

from typing import Any

CHIPS_FLY = """() => [...document.querySelectorAll('.film-chips [visibility=visible]')]
  .map((one) => one.getBoundingClientRect().width)"""
BOARD_WIDTH = "() => document.querySelector('.film .board').getBoundingClientRect().width"


def step_after_an_evening(evening: Any) -> None:
    """Play the film of the night, in which chips fly that are small beside the board."""
    host = evening.host
    host.goto(f"{evening.command.here}/n/{evening.code}/settle")
    host.tap("How the night went", "Play the film")
    widths = host.until(CHIPS_FLY)
    assert max(widths) < host.run(BOARD_WIDTH) / 6
