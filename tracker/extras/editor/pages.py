"""The boards of a table: list, change, keep, delete, carry as a file or a code, and read as a rule card."""

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.errors import PresetError, TableError, Unknown
from tracker.core.preset import LONGEST_NAME, Pot, Preset, Seats
from tracker.extras.editor.board_form import (
    LONGEST_ABOUT,
    EditorSheet,
    PresetDraft,
    changed,
    drawing_of,
    read,
    sheet_from,
    sheet_of,
)
from tracker.extras.editor.codes import LONGEST_PRESET_CODE, preset_from_code, preset_to_code
from tracker.extras.editor.library import EditedLibrary
from tracker.extras.editor.palette import PALETTE
from tracker.extras.editor.rule_card import card_of
from tracker.extras.editor.words import field_hint, field_label
from tracker.formats.built_in import printed_game
from tracker.formats.codec import preset_from_toml, preset_to_toml
from tracker.web.access.join_link import link_to, own_addresses
from tracker.web.access.permissions import in_turn
from tracker.web.access.roles import ANYONE, HOST, may
from tracker.web.base.context import get_nights, redirect_to
from tracker.web.drawing.colors import tint_of
from tracker.web.drawing.qr_code import qr_code
from tracker.web.responses import attachment
from tracker.web.wording.game_words import rule_form
from tracker.web.wording.texts import gettext as _, reason, refusal

bp = Blueprint("presets", __name__)
bp.add_app_template_global(card_of)

LARGEST_FILE = 40_000
BLANK = "blank"
LONGEST_IN_QR = 1200
"""Letters of a code: more make squares too small to scan from a screen."""


def library() -> EditedLibrary:
    return EditedLibrary(get_nights().store)


# The list


@bp.get("/boards")
@may(HOST)
def index() -> str:
    """Show the table's own boards, and those to begin from."""
    gone = request.args.get("gone", "")
    own = library().own()
    given = [one for one in library().all() if one not in own]
    return render_template("editor/library.html", own=own, given=given, gone=gone)


@bp.post("/boards/<preset>/delete")
@may(HOST)
def delete(preset: str) -> ResponseReturnValue:
    """Delete a board of their own; the next page offers to bring it back."""
    library().delete(preset)
    return redirect_to("presets.index", gone=preset)


@bp.post("/boards/<preset>/bring-back")
@may(HOST)
def restore(preset: str) -> ResponseReturnValue:
    library().restore(preset)
    return redirect_to("presets.index")


@bp.post("/boards/<preset>/duplicate")
@may(HOST)
@in_turn
def duplicate(preset: str) -> ResponseReturnValue:
    """Make a copy and open it."""
    name = _("%(name)s, copy", name=library().find(preset).name)
    return redirect_to("presets.edit", preset=library().duplicate(preset, name[:LONGEST_NAME]).id)


# The editor


@bp.get("/boards/<preset>")
@may(HOST)
def edit(preset: str) -> ResponseReturnValue:
    """Show a board to be changed; one that comes with the tracker as a copy."""
    start = start_of(preset)
    return form_page(preset, start, read(sheet_of(start), start), sheet_of(start))


def start_of(preset: str) -> Preset:
    """Return what the form begins with: the table's own board, a copy of a given one, or an empty board."""
    if preset == BLANK:
        pot = Pot("pot", _("Pot"), _("Pot"), "out")
        return Preset(BLANK, _("Our board"), "pots", Seats(3, 8), stack=100, pots=(pot,), rules={"dummy": "none"})
    found = _fines_marked(library().find(preset))
    if library().is_own(preset):
        return found
    name = _("%(name)s, our way", name=_(found.name))[:LONGEST_NAME]
    return replace(_in_readers_language(found), name=name, base=library().base_of(found))


def _fines_marked(preset: Preset) -> Preset:
    """Return a preset whose board marks the place that takes the fines: the editor ticks it there."""
    if preset.house_rules.stop_pot not in preset.board:
        return preset
    pots = tuple(replace(pot, takes_fines=pot.id == preset.house_rules.stop_pot) for pot in preset.pots)
    return replace(preset, pots=pots, rules={key: value for key, value in preset.rules.items() if key != "stop.pot"})


def _in_readers_language(preset: Preset) -> Preset:
    """Return a preset whose texts are those that its reader has seen: a copy keeps them for everybody."""

    def text(known: str) -> str:
        return _(known) if known else ""

    return replace(
        preset,
        about=text(preset.about)[:LONGEST_ABOUT],
        pots=tuple(replace(pot, name=text(pot.name), label=text(pot.label)) for pot in preset.pots),
        dues=tuple(replace(due, name=text(due.name)) for due in preset.dues),
        chips=tuple(replace(chip, name=text(chip.name)) for chip in preset.chips),
    )


def form_page(
    preset: str, start: Preset, draft: PresetDraft, sheet: EditorSheet, *, is_refused: bool = False
) -> ResponseReturnValue:
    is_fragment = request.headers.get("HX-Request") == "true"
    page = render_template(
        "editor/_editor_form.html" if is_fragment else "editor/editor.html",
        id=preset,
        start=start,
        draft=draft,
        sheet=sheet,
        is_own=library().is_own(preset),
        is_refused=is_refused,
        drawing=drawing_of(draft.preset),
        field_label=field_label,
        field_hint=field_hint,
        palette=PALETTE,
        tint=tint_of,
        **rule_form(start, draft.preset, printed=printed_game(start), without=("stop.pot",)),
    )
    return page, 422 if is_refused else 200


@bp.post("/boards/<preset>/form")
@may(HOST, most_bytes=60_000)
def redraw_form(preset: str) -> ResponseReturnValue:
    """Redraw the form after a tap on one of its buttons: a place moved, added or taken away. Nothing is saved."""
    start = start_of(preset)
    sheet = changed(sheet_from(request.form, start), request.form.get("do", ""))
    return form_page(preset, start, read(sheet, start), sheet)


@bp.post("/boards/<preset>/preview")
@may(HOST, most_bytes=60_000)
def preview(preset: str) -> str:
    """Draw the board that is being typed and say what is wrong with it. Nothing is saved."""
    start = start_of(preset)
    draft = read(sheet_from(request.form, start), start)
    return render_template("editor/_preview.html", draft=draft, drawing=drawing_of(draft.preset))


@bp.post("/boards/<preset>")
@may(HOST, most_bytes=60_000)
@in_turn
def save(preset: str) -> ResponseReturnValue:
    """Keep the board: over the table's own, or as a new one. With anything wrong, nothing is kept."""
    start = start_of(preset)
    sheet = sheet_from(request.form, start)
    draft = read(sheet, start)
    if not draft.wrong:
        is_new = not library().is_own(preset) or "as-new" in request.form
        try:
            kept = library().add(draft.preset) if is_new else library().save(draft.preset)
            return redirect_to("presets.rule_card_page", preset=kept.id, saved="1")
        except TableError as error:
            draft = replace(draft, wrong={"": refusal(error)})
    return form_page(preset, start, draft, sheet, is_refused=True)


# The rule card


@bp.get("/boards/<preset>/card")
@may(HOST)
def rule_card_page(preset: str) -> str:
    found = library().find(preset)
    return render_template(
        "editor/rule-card.html", id=preset, card=card_of(found), preset=found, saved="saved" in request.args
    )


# Files and codes


@bp.get("/boards/<preset>/board.toml")
@may(HOST)
def download_toml(preset: str) -> Response:
    found = library().find(preset)
    return attachment(found.name, preset_to_toml(found), "toml", "application/toml")


@bp.get("/boards/<preset>/share")
@may(HOST)
def share(preset: str) -> str:
    found = library().find(preset)
    code = preset_to_code(found)
    address = next(iter(own_addresses()), request.host)
    link = link_to(address, f"/b/{code}")
    qr = qr_code(link) if len(code) <= LONGEST_IN_QR else None
    return render_template("editor/share.html", id=preset, preset=found, code=code, link=link, qr=qr)


@bp.get("/b/<payload>")
@may(ANYONE, needs_others=True)
def shared_preset(payload: str) -> ResponseReturnValue:
    """Show the board inside a scanned code, to anyone: to keep here, or to carry on to their own tracker."""
    try:
        found = preset_from_code(payload)
    except TableError as error:
        return import_form(fault_sentences(error), 404)
    can_keep = g.identity.role == "host"
    own = next((one for one in library().own() if replace(one, id=found.id) == found), None)
    return render_template(
        "editor/offer.html", preset=found, card=card_of(found), code=preset_to_code(found), can_keep=can_keep, own=own
    )


@bp.get("/boards/import")
@may(HOST)
def import_form(faults: Sequence[str] = (), status: int = 200) -> ResponseReturnValue:
    """Ask for a board: a file, or the code of another table."""
    can_keep, more = g.identity.role == "host", max(0, len(faults) - 20)
    return render_template("editor/import.html", faults=faults[:20], more=more, can_keep=can_keep), status


@bp.post("/boards/import")
@may(HOST, most_bytes=60_000)
@in_turn
def import_preset() -> ResponseReturnValue:
    """Keep the board of a file or code as a new one; refused with every fault, and nothing changed."""
    try:
        found = preset_from_import()
        kept = library().add(found)
    except Unknown:
        abort(404)
    except TableError as error:
        return import_form(fault_sentences(error), 422)
    return redirect_to("presets.rule_card_page", preset=kept.id, saved="1")


def fault_sentences(error: TableError) -> list[str]:
    listed = error.faults if isinstance(error, PresetError) else ()
    return [reason(one) for one in listed if one is not error] or [refusal(error)]


def preset_from_import() -> Preset:
    """Return the board of the form's file or code; PresetError says what is wrong with it."""
    sent = request.files.get("board")
    raw = sent.stream.read(LARGEST_FILE + 1) if sent and sent.filename else b""
    if len(raw) > LARGEST_FILE:
        raise PresetError("this file is far too large for a board")
    code = request.form.get("code", "").strip()
    if not raw and not code:
        raise PresetError("choose a file, or paste a code")
    if not raw:
        return preset_from_code(code[: LONGEST_PRESET_CODE + 1])
    try:
        return preset_from_toml(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PresetError("this is no preset file: it is not text") from None
