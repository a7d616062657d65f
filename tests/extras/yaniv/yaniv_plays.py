"""The sentences of the rule card of Yaniv, each played."""

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, Table, says

from tracker.core.night import ENDED, PLAY
from tracker.core.preset import Preset

ABOUT_OF_GAMES |= {
    "The caller with the least points takes none, the others their hands.": ("Whoever calls with the least points",),
    "Above 100 one is out; the last one left wins.": ("Above 100 one is out",),
}


def _called(preset: Preset, *hands: int, times: int = 1) -> Table:
    """Return a table of three at which `a` called that often, with these hands."""
    table = Table(preset, "abc")
    for _ in range(times):
        table.record("yaniv", seat="a", hands=dict(zip("abc", hands, strict=True)))
    return table


@says("Whoever calls with the least points takes none; all others take the points of their hands.")
def _call(preset: Preset) -> None:
    assert _called(preset, 3, 7, 20).scores == {"a": 0, "b": 7, "c": 20}


@says("Whoever calls without having the least points takes %(n)s more than the own hand.")
def _failed(preset: Preset, n: int) -> None:
    assert _called(preset, 6, 4, 20).scores == {"a": 6 + n, "b": 4, "c": 20}


@says("If somebody else has as few points, the call has failed.")
def _equal(preset: Preset) -> None:
    assert _called(preset, 4, 4, 20).scores["a"] == 4 + int(preset["yaniv.penalty"])


@says("A sum of exactly 50 or 100 is halved.")
def _halved(preset: Preset) -> None:
    assert _called(preset, 1, 25, 50, times=2).scores == {"a": 0, "b": 25, "c": 75 - 25 + 25}


@says("Above 100 one is out, and the last one left wins.")
def _out(preset: Preset) -> None:
    table = _called(preset, 1, 2, 60, times=2)
    assert (table.scores["c"], table.night.phase) == (120, PLAY)
    table.record("yaniv", seat="a", hands={"a": 1, "b": 99})
    assert (table.night.phase, table.winners) == (ENDED, ["a"])
