"""The sentences of the rule card of Yaniv, each played."""

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, WORDS, Table, says, scripted

from tracker.core.night import ENDED, PLAY
from tracker.core.preset import Preset

ABOUT_OF_GAMES |= {
    "The caller with the least points takes none, the others their hands.": ("Whoever calls with the least points",),
    "Above 100 one is out; the last one left wins.": ("Above 100 one is out",),
}


WORDS["PENALTY"] = lambda preset: int(preset["yaniv.penalty"])
CALLED = "yaniv seat=a hands"
scripted(
    {
        "Whoever calls with the least points takes none; all others take the points of their hands.": (
            f"{CALLED}=a3,b7,c20,d9 -> b+7 c+20 d+9"
        ),
        "Whoever calls without having the least points takes %(n)s more than the own hand.": (
            f"{CALLED}=a6,b4,c20,d9 -> a+6+n b+4 c+20 d+9"
        ),
        "If somebody else has as few points, the call has failed.": (
            f"{CALLED}=a4,b4,c20,d9 -> a+4+PENALTY b+4 c+20 d+9"
        ),
        "A sum of exactly 50 or 100 is halved.": (
            f"{CALLED}=a1,b25,c50,d100 -> b+25 c+25 d+50; {CALLED}=a1,b25,c50,d9 -> c+50 d+9"
        ),
    }
)


@says("Above 100 one is out, and the last one left wins.")
def _out(preset: Preset) -> None:
    table = Table(preset, "abc")
    for _ in range(2):
        table.record("yaniv", seat="a", hands={"a": 1, "b": 2, "c": 60})
    assert (table.scores["c"], table.night.phase) == (120, PLAY)
    table.record("yaniv", seat="a", hands={"a": 1, "b": 99})
    assert (table.night.phase, table.winners) == (ENDED, ["a"])
