"""Loans between people: the lender agrees before anything is recorded, on the own phone, or the host says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import abort

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import AlreadyDone
from tracker.core.events import Amount, Borrow
from tracker.core.night import Night
from tracker.web.access.devices import Identity
from tracker.web.access.pin import check_pin
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.idempotency import id_from_content
from tracker.web.snapshot import snapshot_of
from tracker.web.table.view import TableView

Form = Mapping[str, str]


@dataclass(frozen=True)
class LoanRequest:
    """A loan that somebody asks for, as one viewer is shown it."""

    borrower: PlayerToken
    lender: PlayerToken
    chips: int
    may_answer: bool
    """Whether this viewer lends or is the host; the borrower can only withdraw it."""
    is_mine: bool
    """Whether this viewer is who lends."""
    is_possible: bool = True
    """Whether the lender has so many chips now."""


def needs_consent(table: OpenNight, identity: Identity, lender: str) -> bool:
    """Return whether a loan by this account has to be asked for before this phone may note it."""
    is_trusted = identity.role == "host" or table.settings.is_open_to_all or identity.seat == lender
    return lender in table.night.seats and not is_trusted


def ask_for_loan(table: OpenNight, borrower: str, lender: str, chips: int | None) -> None:
    """Keep what the lender is asked; `chips` is None for what the borrower lacks for the ante.

    Raises TableError where the loan would be refused.
    """
    if chips is not None:
        table.preview(Borrow(borrower, lender, Amount(chips)))
    table.choose(NightSettings.loans, {borrower: f"{lender}:{chips or ''}"})


def answer_loan(table: OpenNight, identity: Identity, argument: str, form: Form) -> None:
    """Record a loan that was asked for, or drop the request. `argument` is `yes/<borrower>` or `no/<borrower>`.

    Answers 403 unless the lender or the host says so; the borrower may withdraw it. Raises TableError.
    """
    answer, _, borrower = argument.partition("/")
    if table.outcome_of(id_from_content(form), by=identity.by):
        return
    lender, chips = _asked(table.night, snapshot_of(table).loans, snapshot_of(table).moment.short, borrower)
    is_answer = identity.role == "host" or identity.seat == lender
    if identity.role not in ("host", "seat") or not (is_answer or (answer == "no" and identity.seat == borrower)):
        abort(403)
    if answer == "yes" and snapshot_of(table).loans[borrower].endswith(":"):
        table.choose(NightSettings.plan, {borrower: lender})
    elif answer == "yes":
        event = Borrow(borrower, lender, Amount(chips))
        check_pin(table, identity, event)
        table.record(event, id=id_from_content(form), by=identity.by)
    table.choose(NightSettings.loans, {borrower: None})


def loan_requests(view: TableView) -> tuple[LoanRequest, ...]:
    """Return the loans that this viewer is asked about, or has asked for."""
    return tuple(_requests(view)) if view.may_act else ()


def _requests(view: TableView) -> Iterator[LoanRequest]:
    viewer, snapshot = view.viewer, view.snapshot
    for borrower in snapshot.loans:
        try:
            lender, chips = _asked(snapshot.night, snapshot.loans, snapshot.moment.short, borrower)
        except AlreadyDone:
            continue
        may_answer = viewer.role == "host" or viewer.seat == lender
        if may_answer or viewer.seat == borrower:
            faces = view.faces[borrower], view.faces[lender]
            is_possible = snapshot.night.stack(lender) >= chips
            yield LoanRequest(*faces, chips, may_answer, viewer.seat == lender, is_possible)


def _asked(night: Night, loans: Mapping[str, str], short: Mapping[str, int], borrower: str) -> tuple[str, int]:
    """Return who is asked by a borrower, and for how many chips. AlreadyDone where that holds no more."""
    lender, _, chips = loans.get(borrower, ":").partition(":")
    wanted = int(chips) if chips else short.get(borrower, 0)
    if lender not in night.seats or borrower not in night.seats or not wanted:
        raise AlreadyDone("this loan is not asked for any more: look at the table")
    return lender, wanted
