"""The pages of score games. An extra makes a `ScorePages` or `DealPages` for the game that it brings."""

import secrets
from typing import Any, Generic, NamedTuple, TypeVar

from flask import abort, render_template

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, record
from tracker.core.payment_list import nets_in_cents
from tracker.core.queries.undo_policy import undone
from tracker.extras._score.view import NOBODY, Counted, DealRow, DealView, ScoreView
from tracker.extras._template_pages import page_of
from tracker.streaming.stream import Page
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.events.sentences import last_event
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages, clock_of
from tracker.web.table.game_pages import Counted as CountedDeal
from tracker.web.table.told import told_entry, with_correction
from tracker.web.wording.game_words import rule_lines
from tracker.web.wording.texts import amount, gettext as _, language, ngettext


class ScorePages:
    """The pages of one kind of score game. Its templates get it as `game`, and what it gives by `context`."""

    own: str
    """The template of what is one viewer's own, which extends `score/_own.html`."""
    shared: str
    """The template of what everybody sees alike."""
    tv = ""
    """The template of a screen to be read from the sofa, where the game needs its own."""
    person = ""
    """The template of what can happen to one person, in the sheet of that person, where there is something."""

    def view(self, table: OpenNight, viewer: Viewer) -> ScoreView:
        raise NotImplementedError

    def context(self) -> dict[str, Any]:
        """Return what the templates of this game need besides."""
        return {}

    def counted(self, _table: OpenNight, _viewer: Viewer) -> CountedDeal | None:
        return None

    # Sentences

    def leaving(self, _view: ScoreView, name: str, _seat: str) -> str:
        """Return what it means that somebody who has played leaves the table."""
        return _("%(name)s keeps the points, and can’t win the night any more.", name=name)

    def leaving_now(self, _view: ScoreView, _seat: str) -> str:
        """Return what else it means in the deal that is being played."""
        return ""

    def menu_note(self) -> str:
        """Return what the menu says of people to whoever records for all; nothing where a round is all there is."""
        return ""

    def leavers(self, _view: ScoreView) -> str:
        """Return what the menu calls the list of people; nothing where a person is tapped at the table."""
        return _("Somebody leaves")

    # Pages

    def page(self, table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
        context = self._context(table, self.view(table, viewer))
        more = {"live": live, "sheet": open_sheet, "name": table.name, "tab": secrets.token_hex(4)}
        return render_template("score/score.html", is_temporary=False, **more, **context)

    def fragments(self, table: OpenNight, viewer: Viewer, messages: Messages) -> Page:
        view = self.view(table, viewer)
        told = {"asked": messages.asked, "notices": messages.notices, "error": messages.refusal}
        facts = self._context(table, view)
        told["told"] = told_entry(table, view.snapshot, viewer, facts["last"])
        own = page_of(view.snapshot, ("own", viewer), self.own, {**facts, **told})
        may = {"may_tap": view.records_for_all, "may_change": viewer.role == "host"}  # a person; a deal's correction
        key = ("shared", *may.values())

        def for_all() -> Page:
            facts = {**self._context(table, self.view(table, Viewer())), **may, "clock": clock_of(table)}
            return page_of(view.snapshot, key, self.shared, facts)

        shared = view.snapshot.cached((*key, language()), for_all)
        return Page(own.frame + shared.frame, own.groups + shared.groups)

    def sheet(self, table: OpenNight, viewer: Viewer, seat: str | None) -> str:
        """Return what else the table offers, or what can happen to one person; 404 for somebody who isn't here."""
        view = self.view(table, viewer)
        if seat is not None and seat not in view.night.seats:
            abort(404)
        facts = {**self._context(table, view), "seat": seat, "lang": language()}
        return get_template("score/_sheet.html").render(**facts)

    def page_for_all(self, table: OpenNight, template: str, **more: Any) -> Page:
        """Return what a template shows of this night to somebody who has no seat."""
        view = self.view(table, Viewer())
        return page_of(view.snapshot, template, template, {**self._context(table, view), **more})

    def _context(self, table: OpenNight, view: ScoreView) -> dict[str, Any]:
        decimals = view.night.house_rules.money_decimals
        return {
            "game": self,
            "view": view,
            "base": f"/n/{table.code}",
            "last": with_correction(table, last_event(view.snapshot, view.night)),
            "money": {account: amount(cents, decimals) for account, cents in nets_in_cents(view.night).items()},
            "rule_lines": rule_lines(view.night.preset),
            "result": NightResult(table.history()) if view.is_over else None,
            **self.context(),
        }


DealKind = TypeVar("DealKind", bound=DealView)


class DealPages(ScorePages, Generic[DealKind]):
    """The pages of a game whose hands, or points of a round, are counted and then paid."""

    own = "score/_round_own.html"
    shared = "score/_deal_shared.html"
    kind: type[DealKind]
    """What its pages show."""

    def view(self, table: OpenNight, viewer: Viewer) -> DealKind:
        """Return what a viewer sees of the deal that is counted; one taken back shows its hands again."""
        deals = tuple(
            DealRow(len(night.deals), number, night.deals[-1], night.points)
            for number, event, night in table.history().steps
            if event.ends_deal
        )
        snapshot, how = snapshot_of(table), deal_ending(table)
        known = Counted(snapshot.out, how, dict(snapshot.count.cards), snapshot.count.cover)
        back = undone(snapshot)
        if back is not None and not (known.winner or known.counts or how):
            known = self.kind.taken_back(back, snapshot.night) or known
        if how == NOBODY:
            known = Counted(None, "", known.counts, known.said_of)
        return self.kind(snapshot, viewer, known.winner, known.how, known.counts, deals, known.said_of)

    def counted(self, table: OpenNight, viewer: Viewer) -> CountedDeal | None:
        view = self.view(table, viewer)
        return (view.said, view.closing) if view.moment == "count" else None

    # Sentences

    def deal_name(self, view: DealKind) -> str:
        """Return what the deal is called that is played now."""
        return _("Round %(n)s", n=view.deal_number)

    def counting(self, view: DealKind) -> str:
        """Return why the hands of this deal are counted."""
        return self.deal_name(view)

    def where(self, view: DealKind) -> str:
        """Return where the night is, in a few words."""
        rules, n = view.night.house_rules, view.deal_number
        if view.moment == "ended":
            return ngettext("%(num)s round", "%(num)s rounds", len(view.deals))
        if view.moment == "count":
            return _("Points of this round")
        if rules.game == "deals":
            return _("Round %(n)s of %(most)s", n=n, most=rules.game_deals)
        if rules.game == "target":
            return ngettext("Round %(n)s, to %(num)s point", "Round %(n)s, to %(num)s points", rules.game_target, n=n)
        return _(view.night.preset.name)

    def seat_note(self, view: DealKind, seat: str) -> str:
        """Return what stands below the name of somebody without a part in this deal."""
        return _("pauses") if seat in view.paused else ""

    def hand_note(self, _view: DealKind, _seat: str) -> str:
        """Return what the points come to that somebody has said, before they are written down."""
        return ""

    def fault(self, _offence: str) -> str:
        """Return what an offence is called."""
        return ""


class DealEnding(NamedTuple):
    """How a deal ends while its hands are counted."""

    head: int = 0
    """Number of events in the log when it was said; 0 when nothing was."""
    how: str = ""


class DealSettings(NightSettings):
    """The settings of a night, with how the deal ends that is counted."""

    deal_ending = record("deal-ends", DealEnding, DealEnding(), ":")


def deal_ending(table: OpenNight) -> str:
    """Return how the deal that is being counted ends; nothing when somebody simply goes out."""
    ending = table.settings.declared_by(DealSettings).deal_ending
    is_past = any(entry.event.ends_deal for entry in table.entries[ending.head :])
    return "" if is_past else ending.how


def save_deal_ending(table: OpenNight, kept: str) -> None:
    if kept != deal_ending(table):
        table.settings.declared_by(DealSettings).deal_ending = DealEnding(table.head, kept)
