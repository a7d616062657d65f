"""The type of a house rule's words and of the groups that they stand in, and what several rules' sentences share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tracker.core.house_rules import Value
from tracker.core.preset import Preset
from tracker.web.wording.texts import ngettext

CardPart = Literal["deal", "play", "out", "poker", "score", "end"]
"""A part of the rule card."""


class RuleGroup(NamedTuple):
    """House rules that belong together: their heading in the forms, in English, and where the card says them."""

    title: str
    part: CardPart


@dataclass(frozen=True)
class RuleWords:
    """Everything the pages say about one house rule, in English; it is translated where it is shown."""

    label: str
    """Its name in the forms and in the log."""
    help: str = ""
    """What the name and the values leave open; behind "why?"."""
    choices: Mapping[Value, str] = field(default_factory=dict)
    """What each of its values is called in the forms; empty for a number."""
    sentences: Mapping[Value, str] = field(default_factory=dict)
    """What the rule card says for each value; a value without one changes nothing that is worth a line."""
    sentence: Callable[[Preset], str] | None = None
    """Returns the sentence, already translated, that needs more than the value; it follows that of `sentences`."""
    said_with: str = ""
    """The key of the rule whose sentence covers this one as well."""
    part: CardPart | None = None
    """The part of the rule card that says it, where it is not its group's."""
    card_order: int = 0
    """Its sentence follows those of the part with a smaller number; among equals the order is that of the forms."""


def chips_in_words(count: int) -> str:
    return ngettext("%(num)s chip", "%(num)s chips", count)
