"""What a score sheet adds to the evening in each engine; see `functions_of_extras`."""

from typing import Any


def step_after_an_evening(evening: Any) -> None:
    """Write down a round of Hearts."""
    host = evening.host
    evening.opens("hearts")
    evening.adds("Ben")
    evening.adds("Mia")
    host.tap("Everyone is here", "Round 1 is over", "5", "8")
    host.tap("Write down round 1")
    host.see("Round 2 is over")
    assert evening.state()["scores"] == {"ruth": 5, "ben": 8, "mia": 13}
