"""The page of webhooks: which programs of the house are sent what is recorded, and what they are sent."""

import json
import secrets
from datetime import UTC, datetime

from flask import Blueprint, Flask, current_app, request
from flask.typing import ResponseReturnValue

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight, Outcome, is_hand_over
from tracker.app.settings import FolderSettings, records
from tracker.core.errors import NotAllowed
from tracker.extras.webhooks.sender import ALL, END, HAND, POT, REASONS, Pending, Webhook, WebhookSender, find_address
from tracker.formats.codec import entry_to
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access
from tracker.web.access.public_address import Addresses
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, redirect_to
from tracker.web.base.snapshot import snapshot_of, state_of
from tracker.web.log_sentences import line_sentence
from tracker.web.wording.texts import gettext as _, in_language, language, refusal

bp = Blueprint("webhooks", __name__, url_prefix="/webhooks")

MOST = 5
TAKES = ("collect", "share", "poker", "out", "turn-up", "sweep")
"""The kinds of events by which somebody takes a pot."""


class WebhookSettings(FolderSettings):
    """The settings of the data folder, with those of webhooks."""

    webhooks = records("webhook:", Webhook)
    """By id: the programs that are sent what is recorded."""


def settings_of(app: Flask) -> WebhookSettings:
    return WebhookSettings(app.extensions["nights"].store)


def begin(app: Flask) -> None:
    """Have every entry sent to the webhooks that want it."""
    nights: Nights = app.extensions["nights"]
    addresses: Addresses = app.extensions["access"].addresses

    def look_up(name: str, code: str) -> Webhook | None:
        hook = settings_of(app).webhooks.get(name)
        return hook if hook and nights.store.night(code) else None

    def send(table: OpenNight, outcome: Outcome) -> None:
        if not (hooks := settings_of(app).webhooks.all()):
            return
        why = reasons_of(outcome)
        wanted = [name for name, hook in hooks.items() if hook.wants(why)]
        app.extensions["webhook_sender"].put(
            wanted, Pending(table.code, lambda hook: body_of(app, hook, table, outcome))
        )

    app.extensions["webhook_sender"] = WebhookSender(look_up, is_own=addresses.is_own)
    nights.on_recorded.append(send)


def chips_taken(outcome: Outcome) -> int:
    """Return the chips of the pots that somebody took by an event."""
    night = outcome.night
    transfers = night.last_transfers if outcome.entry.event.kind in TAKES else ()
    return sum(one.chips for one in transfers if one.source in night.preset.board and one.target in night.people)


def reasons_of(outcome: Outcome) -> tuple[str, ...]:
    """Return what happened by an entry, besides that it was recorded."""
    before, night = outcome.before, outcome.night
    return (
        *([POT] if chips_taken(outcome) else []),
        *([HAND] if is_hand_over(before, night) and not night.is_over else []),
        *([END] if night.is_over and not before.is_over else []),
    )


def body_of(app: Flask, hook: Webhook, table: OpenNight, outcome: Outcome) -> bytes:
    """Return what a webhook is sent of an entry: its event, its sentence, and the state of the night."""
    with app.app_context(), in_language(hook.lang):
        history = table.history()
        sentence = line_sentence(history, history.line(outcome.entry.number))
        told = {
            "night": table.code,
            "reasons": [ALL, *reasons_of(outcome)],
            "chips_taken": chips_taken(outcome),
            "event": entry_to(outcome.entry),
            "sentence": sentence.striptags(),
            "state": state_of(snapshot_of(table), table.name),
        }
    return json.dumps(told, ensure_ascii=False).encode()


def reason_texts() -> dict[str, str]:
    return {
        ALL: _("Every entry"),
        POT: _("Somebody takes a place"),
        HAND: _("A hand or round is over"),
        END: _("The night is over"),
    }


@bp.get("")
@may(HOST, needs_others=True)
def page(wrong: str = "") -> ResponseReturnValue:
    """Show the webhooks, how the newest request to each ended, and the form for another one."""
    hooks, newest = settings_of(current_app).webhooks.all(), current_app.extensions["webhook_sender"].newest
    return form_page(
        "webhooks/webhooks.html",
        wrong,
        hooks=hooks,
        newest={name: newest[name] for name in hooks if name in newest},
        when=lambda seconds: datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%H:%M:%S"),
        reasons=reason_texts(),
        chosen=request.form.getlist("reason") or [POT, END],
        typed=request.form,
        is_full=len(hooks) >= MOST,
    )


@bp.post("")
@may(HOST, needs_others=True)
def add() -> ResponseReturnValue:
    url, reasons = request.form.get("url", "").strip(), tuple(request.form.getlist("reason"))
    name, hooks = id_from_key(request.form), settings_of(current_app).webhooks.all()
    if name in hooks:
        return redirect_to("webhooks.page")
    if len(hooks) >= MOST:
        return page(_("There are %(n)s already: remove one first.", n=MOST))
    if not reasons or not {*reasons} <= {*REASONS}:
        return page(_("Choose what it is told."))
    hook = Webhook(url, secrets.token_urlsafe(24), reasons, language(), "anywhere" in request.form)
    try:
        find_address(url, is_anywhere=hook.is_anywhere, is_own=get_access().addresses.is_own)
    except NotAllowed as error:
        return page(refusal(error))
    except OSError:
        return page(_("No machine of that name was found."))
    settings_of(current_app).webhooks.put(name, hook)
    return redirect_to("webhooks.page")


@bp.post("/<name>/remove")
@may(HOST, needs_others=True)
def remove(name: str) -> ResponseReturnValue:
    """Remove a webhook; nothing more is sent to it, also of what waits to be sent."""
    settings_of(current_app).webhooks.put(name, None)
    return redirect_to("webhooks.page")
