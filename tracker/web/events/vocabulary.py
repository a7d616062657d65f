"""How the people and pots of a night are called in a sentence, as text or as markup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.texts import listed


@dataclass(frozen=True)
class Vocabulary:
    """The words of one event's sentence; without the state before it, what was borrowed on paper is not said."""

    before: Night | None
    after: Night
    is_markup: bool
    reader: str | None = None
    """The seat whose own phone shows the sentence."""

    def name(self, account: str) -> str:
        night = self.after
        if account in night.people:
            name = night.people[account].name
            return str(Markup("<b><bdi>{}</bdi></b>").format(name)) if self.is_markup else name
        if account == BANK:
            return _("the bank")
        return self.text(_(night.preset.board[account].name) if account in night.preset.board else account)

    def names(self, accounts: Iterable[str]) -> str:
        return listed(self.name(account) for account in accounts)

    def text(self, typed: str) -> str:
        """Return what somebody typed, made safe for markup."""
        return str(Markup("<bdi>{}</bdi>").format(typed)) if self.is_markup else typed

    def number(self, number: int) -> str:
        """Return a number as it stands in a short sentence."""
        return str(Markup('<b class="num">{}</b>').format(number)) if self.is_markup else str(number)

    def chips_moved(self, *, source: str | None = None, target: str | None = None) -> int:
        """Return the chips that this event moved from or to an account."""
        made = self.after.last_transfers
        return sum(one.chips for one in made if source in (None, one.source) and target in (None, one.target))

    def iou_chips(self, debtor: str, holder: str) -> int:
        """Return the IOU in chips that this event wrote; 0 when the state before is not known."""
        if self.before is None:
            return 0
        then, now = self.before.ledger.iou, self.after.ledger.iou
        return now.get((debtor, holder), 0) - then.get((debtor, holder), 0)


@dataclass(frozen=True)
class ShortVocabulary(Vocabulary):
    """The words of a short sentence: not its names stand out, but its numbers."""

    def name(self, account: str) -> str:
        if account not in self.after.people:
            return super().name(account)
        return self.text(self.after.people[account].name)
