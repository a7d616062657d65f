"""What is told of a night: its best moments, and how long it took."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from markupsafe import Markup

from tracker.web.night_result import NightResult


class ToldMoment(Protocol):
    """A moment of a night that people will talk about."""

    @property
    def kind(self) -> str: ...
    @property
    def hand(self) -> int: ...
    @property
    def pot(self) -> str:
        """The pot that was taken, or empty."""


@dataclass(frozen=True)
class NightStory:
    """What an extra tells of a night; nothing without one."""

    moments: Sequence[tuple[ToldMoment, Markup]] = ()
    """The best moments and their sentences, the greatest first."""
    hand_times: Sequence[str] = ()
    """How long each hand took, in words, by number; empty for one that was given up, none where no log says it."""
    time_line: str = ""
    """How long the night, its longest hand and its longest wait took, as a sentence; empty as `hand_times`."""


def story_of_night(result: NightResult) -> NightStory:
    """Return what is told of a night; nothing where no extra tells it."""
    return cast(NightStory, result.story or NightStory())
