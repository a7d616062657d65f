"""What the pages say about one kind of game: what its parts are called, its rules in words, its small picture.

An extra makes a `GameWords` for the game that it brings, and adds it by `add_words`.
"""

from collections.abc import Mapping

from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.web.wording.pot_rule_words import POT_RULES
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, ngettext

Rules = Mapping[RuleGroup, Mapping[str, RuleWords]]


class GameWords:
    """The words of one kind of game. Here are those of most score games, which are played in rounds."""

    sentences: tuple[str, ...] = ()
    """What holds in every game of this kind, in English: no house rule changes it."""
    rules: Rules = {}  # noqa: RUF012 - a Mapping
    """The words of the house rules that this game has alone, in the groups and in the order of the forms."""
    has_sheet = True
    """Whether there are printed rules of it."""

    def hand_name(self, _night: Night, hand: int) -> str:
        """Return what a hand is called by its number, from 1; 0 is what comes before the first."""
        return _("Round %(n)s", n=hand) if hand else _("Before the first round")

    def hand_title(self, _night: Night, _hand: int) -> str:
        """Return what a hand was played for, where each is for something else."""
        return ""

    def hands(self, count: int) -> str:
        """Return so many hands in words."""
        return ngettext("%(num)s round", "%(num)s rounds", count)

    def reason(self, _change: int) -> str:
        """Return the reason (`REASON_NAMES`) of the points that somebody got in a hand; nothing where none is said."""
        return "taken"

    def rank_note(self, _night: Night, _seat: str) -> str:
        """Return what stands beside somebody's name in the ranking."""
        return ""

    def correction_note(self, _then: Night, _now: Night) -> str:
        """Return what a correction does to later hands, where it is not what one would think."""
        return ""

    def board_lines(self, _preset: Preset) -> tuple[str, ...]:
        """Return what lies on the table, line by line, for the rule card."""
        return ()

    def picture(self) -> str:
        """Return a small picture of the game, as SVG; nothing stands for a hand of cards."""
        return ""


class _PotWords(GameWords):
    rules = POT_RULES

    def hand_name(self, _night: Night, hand: int) -> str:
        return _("Hand %(n)s", n=hand) if hand else _("Before the first hand")

    def hands(self, count: int) -> str:
        return ngettext("%(num)s hand", "%(num)s hands", count)


GAME_WORDS: dict[str, GameWords] = {"pots": _PotWords()}
"""The words of each kind of game, by its name."""


def words_of(preset: Preset) -> GameWords:
    return GAME_WORDS[preset.game]
