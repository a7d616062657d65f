"""What the table asks about people over many nights; an extra that knows people sets `Nights.people`."""

# ruff: noqa: ARG002 - whoever knows people overrides the methods
from collections.abc import Collection, Iterable


class KnownPeople:
    """The people of a data folder: nobody is known here. Any thread may call any method."""

    def forgotten(self, code: str, seats: Iterable[str]) -> Collection[str]:
        """Return which of these seats of a night were somebody's who was forgotten: their names are not shown."""
        return ()

    def forget_seat(self, code: str, seat: str) -> None:
        """Remove what was said of a seat whose person never sat down: whoever does next may get the same seat id."""
