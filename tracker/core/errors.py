"""What a table may do wrong: each refusal carries a stable reason, its facts and one place that words it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

N_ = str
"""Marks a text that is translated where it is shown, for the script that collects the texts."""


class TranslatableText(str):
    """A fact that is words of ours, as the name of a pot: it is said in the reader's language."""

    __slots__ = ()


class WordedError:
    """A sentence as a template and its facts, so that it can be said in any language; `str()` says it in English."""

    def __init__(self, template: str, /, **facts: Any) -> None:
        self.template, self.facts = template, facts

    def __str__(self) -> str:
        return self.template.format_map(self.facts)


class Fault(WordedError):
    """One thing that is wrong, as a fact of a refusal or one of a list."""

    def __repr__(self) -> str:
        return f"Fault({str(self)!r})"


class Faults(tuple[WordedError, ...]):
    """Several things that are wrong; `str()` is all of them in one line."""

    __slots__ = ()
    between = "; "

    def __new__(cls, faults: Iterable[WordedError]) -> Faults:
        return super().__new__(cls, tuple(faults))

    def __str__(self) -> str:
        return self.between.join(map(str, self))


class Malformed(WordedError, ValueError):
    """A value from outside that is not what it must be."""


class TableError(WordedError, Exception):
    """Something that can't be recorded as it was sent; `str()` is a sentence that says why and what to do."""

    reason: ClassVar[str] = "refused"

    def __init_subclass__(cls, reason: str | None = None) -> None:
        cls.reason = reason or cls.reason

    def __init__(self, template: str, /, *, reason: str | None = None, **facts: Any) -> None:
        super().__init__(template, **facts)
        self.code = reason or self.reason


class BadEvent(TableError, reason="bad-event"):
    """An event whose words or values are malformed; `field` names the one to mend."""

    @property
    def field(self) -> str | None:
        return self.facts.get("field")


class Unknown(TableError, reason="unknown"):
    """A seat, pot, event or preset that is not there."""


class WrongMoment(TableError, reason="wrong-moment"):
    """The night is in another phase than this event belongs to."""


class NotAllowed(TableError, reason="not-allowed"):
    """The preset's rules don't let this happen."""


class Barred(TableError, reason="barred"):
    """The seat may not collect until this hand ends."""


class AlreadyDone(TableError, reason="already-done"):
    """The same fact stands in the log already, so counting it again would count it twice."""


def _told_apart(names: Mapping[str, str], accounts: Iterable[str]) -> dict[str, str]:
    """Return what some accounts are called; two people of one name, which a file may have, by their seats too."""
    every = [name for name in names.values() if not isinstance(name, TranslatableText)]
    called = {account: names[account] for account in accounts if account in names}
    return {account: f"{name} ({account})" if every.count(name) > 1 else name for account, name in called.items()}


class NotEnoughChips(TableError, reason="not-enough-chips"):
    """Someone can't pay; `short` is {account: chips missing}."""

    def __init__(
        self,
        short: dict[str, int],
        names: dict[str, str] | None = None,
        payees: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        called = _told_apart(names or {}, short)
        self.payees = payees
        """Whom everybody who is short would pay first, where that is known."""
        missing = Faults(
            Fault("{name} is {chips} short", name=called.get(account, account), chips=chips)
            for account, chips in short.items()
        )
        super().__init__("{who}: buy, borrow or give an IOU to cover it", who=missing, short=dict(short))

    @property
    def short(self) -> dict[str, int]:
        return dict(self.facts["short"])


class NeedsConsent(TableError, reason="needs-consent"):
    """An event takes chips of seats that have to agree first; `seats` are those."""

    def __init__(self, seats: Iterable[str], names: Mapping[str, str]) -> None:
        self.seats = tuple(seats)
        called = _told_apart(names, self.seats)
        whose = Faults(Fault("chips of {name}", name=called.get(seat, seat)) for seat in self.seats)
        template = "{whose}: who gives them says yes on the own phone first, or the host records it"
        super().__init__(template, whose=whose)


class TooFewThere(NotEnoughChips):
    """A place of the board holds fewer chips than are to be taken from it."""

    def __init__(self, template: str, *, account: str, missing: int, **facts: Any) -> None:
        super().__init__({account: missing})
        self.template = template
        self.facts |= facts


class NoLongerFits(TableError, reason="no-longer-fits"):
    """Taking an event back, or changing it, leaves a later event impossible; `number` names that one."""

    def __init__(self, number: int, kind: str, cause: TableError) -> None:
        super().__init__("event {number} ({kind}) would no longer fit: {cause}", number=number, kind=kind, cause=cause)
        self.number = number
        self.cause = cause


class Stale(TableError, reason="stale"):
    """The page that sent this showed an older state of the night than the present one."""


class PresetError(TableError, reason="bad-preset"):
    """A preset that can't be played; `faults` lists everything that is wrong with it."""

    @property
    def faults(self) -> Faults:
        """Everything that is wrong, each as a sentence of its own; the refusal itself where it lists nothing."""
        listed = self.facts.get("faults")
        return listed if isinstance(listed, Faults) else Faults([self])
