"""The log's history in words: what an entry says now, a hand in one line, why a correction is refused."""

from dataclasses import dataclass

from markupsafe import Markup

from tracker.app.log_history import History, HistoryLine
from tracker.core.errors import NoLongerFits, TableError
from tracker.core.payment_list import won_in_hand
from tracker.web.drawing.player_token import PlayerToken, PotLabel, label_of, player_tokens
from tracker.web.events import sentences
from tracker.web.wording.game_words import words_of
from tracker.web.wording.texts import gettext as _, refusal


def line_sentence(history: History, line: HistoryLine) -> Markup:
    """Return what an entry says as it stands; of a correction, what the entry it corrects says."""
    if line.is_correction:
        target = history.target(line.entry)
        return (
            line_sentence(history, history.line(target))
            if target
            else sentences.event_subject(line.event, history.night)
        )
    if line.after is None:
        return sentences.event_subject(line.event, line.before)
    return sentences.sentence(line.event, line.before, line.after)


def refusal_in_log(error: TableError, history: History) -> str:
    """Return why a correction is refused; of an entry that would no longer fit, what it says."""
    if not isinstance(error, NoLongerFits):
        return refusal(error)
    line = history.line(error.number)
    text = _("Then this would no longer fit, in hand %(hand)s: %(what)s. (%(why)s)")
    page_context = {"hand": line.hand, "what": line_sentence(history, line), "why": refusal(error.cause)}
    return Markup(text) % page_context  # noqa: S704  our own text


@dataclass(frozen=True)
class HandLine:
    """A hand in one line: who dealt and won it, who took which places, what everybody won or lost."""

    hand: int
    winner: PlayerToken | None
    dealer: PlayerToken | None
    taken: tuple[tuple[PotLabel, tuple[PlayerToken, ...], int], ...]
    changes: tuple[tuple[PlayerToken, int], ...]
    title: str = ""
    """Score games: what was played for."""


def hand_line(history: History, hand: int) -> HandLine:
    night = history.after_hand(hand)
    tokens, won = player_tokens(night), won_in_hand(history.after_hand(hand - 1), night)
    changes = tuple((tokens[seat], won[seat]) for seat in night.all_seats if won.get(seat))
    deal = history.deal_of(hand)
    board = night.preset.board
    return HandLine(
        hand=hand,
        winner=tokens.get(next(iter(hand_winners(history, hand)), "")),
        dealer=tokens.get(deal.dealer) if deal else None,
        taken=tuple(
            (label_of(board[pot]), tuple(tokens[seat] for seat in (taken.seat, *taken.others)), taken.chips)
            for pot, taken in (deal.taken if deal else {}).items()
            if taken.chips and pot in board and board[pot].won_by != "out"
        ),
        changes=changes,
        title=words_of(night.preset).hand_title(night, hand),
    )


def hand_winners(history: History, hand: int) -> tuple[str, ...]:
    """Return who was out first in a hand, or has won a round or deal; several on a tie."""
    night = history.before_end(hand)
    return night.hand_winners if night.hand == hand else ()
