"""A rule card as plain text, for a terminal or a message."""

from tracker.extras.editor.rule_card import RuleCard, RuleCardLine
from tracker.web.wording.texts import gettext as _


def card_text(card: RuleCard) -> str:
    """Return the lines of a card under their headings, with marks for what its sheet does not say."""
    lines = [card.name, card.about, ""]
    for part in card.parts:
        lines += [part.title, *(_text_line(line, card.base) for line in part.lines), ""]
    if card.dropped:
        lines += [_("Left out here, but printed on the sheet:"), *(f"  - {text}" for text in card.dropped), ""]
    if card.has_defaults:
        lines.append(f"° {_('Our default: the source leaves it open.')}")
    if card.source:
        lines.append(_("Source: %(source)s", source=card.source))
    return "\n".join(lines).rstrip() + "\n"


def _text_line(line: RuleCardLine, base: str) -> str:
    text = f"{line.text} {line.painted}".rstrip()
    if line.is_our_default:
        return f"  - {text}°"
    if line.was:
        was = _("our default: %(was)s", was=line.was) if line.is_silent else _("printed: %(was)s", was=line.was)
        return f"  * {text} ({was})"
    return f"  {'*' if line.is_new and base else '-'} {text}"
