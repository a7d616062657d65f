"""The limits and links of `rate_limits` for several processes: what was tried at one counts at all of them."""

from __future__ import annotations

import secrets

from tracker.storage import TemporaryRows
from tracker.web.access.rate_limits import (
    HOST_LINK_SECONDS,
    MOST_PIN_TRIES,
    PIN_OPEN_SECONDS,
    PIN_PAUSE_SECONDS,
    GuessLimit,
    HostLinks,
    PhoneTransfer,
    PinLimits,
    TransferLinks,
    token_key,
)

EVERY_SENDER = 1 << 30


class SharedGuessLimit(GuessLimit):
    """Guesses in the last minute, at all processes together."""

    def __init__(self, rows: TemporaryRows, kind: str, each: int = 5, in_all: int = 20, seconds: float = 60) -> None:
        super().__init__(each, in_all, seconds)
        self._rows, self._kind = rows, kind

    def take(self, address: str) -> bool:
        """Take one guess and return whether there was one left; counted before the guess is compared."""
        return self._rows.count_one(self._kind, address, self.seconds, each=self.each, in_all=self.in_all)

    def give_back(self, address: str) -> None:
        """Give one guess back to an address that guessed right."""
        self._rows.give_back(self._kind, address)


class SharedHostLinks(HostLinks):
    """The links that make a browser the host, good once at any process."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def mint(self) -> str:
        """Return a new 256-bit token."""
        token = secrets.token_urlsafe(32)
        self._rows.add("host-link", token_key(token), HOST_LINK_SECONDS)
        return token

    def is_good(self, token: str) -> bool:
        """Return whether redeeming this token would work now."""
        return self._rows.value("host-link", token_key(token)) is not None

    def redeem(self, token: str) -> bool:
        """Use the token up, and return whether it was still good; of many at once exactly one hears yes."""
        return self._rows.take("host-link", token_key(token)) is not None


class SharedTransferLinks(TransferLinks):
    """The links by which a seat moves to another phone, good once at any process."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def mint_for(self, moving: PhoneTransfer) -> str:
        """Return a new token; those this phone showed before are worth nothing from now on."""
        token, value = secrets.token_urlsafe(32), f"{moving.code} {moving.device}"
        self._rows.remove_value("phone-link", value)
        self._rows.add("phone-link", token_key(token), HOST_LINK_SECONDS, value)
        return token

    def moving(self, token: str) -> PhoneTransfer | None:
        """Return what this token would move now, or None."""
        return _transfer(self._rows.value("phone-link", token_key(token)))

    def take(self, token: str) -> PhoneTransfer | None:
        """Use the token up and return what it moves; of many at once exactly one is given it."""
        return _transfer(self._rows.take("phone-link", token_key(token)))


def _transfer(value: str | None) -> PhoneTransfer | None:
    if value is None:
        return None
    code, device = value.split(" ")
    return PhoneTransfer(code, int(device))


class SharedPinLimits(PinLimits):
    """Which phones have typed the PIN lately, and how often it was typed wrong, at all processes together."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def is_open(self, device: int | None) -> bool:
        """Return whether this phone has typed the PIN in the last five minutes."""
        return device is not None and self._rows.value("pin-open", str(device)) is not None

    def open(self, device: int) -> None:
        """Note that this phone has typed the PIN."""
        self._rows.add("pin-open", str(device), PIN_OPEN_SECONDS)

    def take(self, code: str) -> bool:
        """Take one of five tries a minute for a night, and return whether there was one left."""
        return self._rows.count_one("pin-try", code, PIN_PAUSE_SECONDS, each=MOST_PIN_TRIES, in_all=EVERY_SENDER)

    def forget(self, code: str) -> None:
        """Give all tries back: it was typed right."""
        self._rows.take("pin-try", code)
