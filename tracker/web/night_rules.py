"""The rules of a night that is going on: the card that everybody can read, and a rule changed by the host."""

from __future__ import annotations

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.errors import TableError
from tracker.core.events import Rule
from tracker.core.house_rules import Value
from tracker.core.night import Night
from tracker.core.preset import rules_of
from tracker.sealing import new_id
from tracker.web import access, words
from tracker.web.boards import card_of
from tracker.web.here import see, the_table
from tracker.web.join import form_key
from tracker.web.options import rules_typed
from tracker.web.rule_words import change_words, rule_form

bp = Blueprint("night_rules", __name__)


@bp.get("/n/<code>/rules")
def page(code: str) -> ResponseReturnValue:
    """Shows how this night is played."""
    return rules_page(code)


def rules_page(code: str, wrong: dict[str, str] | None = None, why: str = "") -> ResponseReturnValue:
    table = the_table(code)
    night, game = table.night, table.preset.game
    shown = render_template(
        "night-rules.html",
        table=table,
        night=night,
        card=card_of(night.preset),
        soon=[change_words(game, key, value) for key, value in night.new_rules.items()],
        can_change=g.who.role == "host" and not night.is_over,
        now={key: str(value) for key, value in standing(night).items()},
        wrong=wrong or {},
        typed=request.form if wrong or why else {},
        why=why,
        key=new_id(),
        **rule_form(game),
    )
    return shown, 422 if wrong or why else 200


def standing(night: Night) -> dict[str, Value]:
    """Returns the house rules as they will be in the next hand."""
    return {key: night.new_rules.get(key, night.preset[key]) for key in rules_of(night.preset.game)}


@bp.post("/n/<code>/rules")
def change(code: str) -> ResponseReturnValue:
    """Records the house rules that the host changed, from the next hand on; refused with every fault at its field."""
    table = the_table(code)
    now = standing(table.night)
    wrong: dict[str, str] = {}
    changes = rules_typed(request.form, table.preset.game, now, wrong)
    if wrong:
        return rules_page(code, wrong)
    if not changes:
        return see("night_rules.page", code=code)
    event = Rule(changes)
    assert access.may_record(g.who, event, table.night, is_open=False)  # the role table lets only the host post here
    try:
        table.record(event, id=form_key(), by=g.who.by)
    except TableError as error:
        return rules_page(code, why=words.refusal(error))
    return see("night_rules.page", code=code)
