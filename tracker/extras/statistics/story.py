"""What people will talk about of one night, as sentences: its best moments, and how long it took."""

from collections.abc import Mapping

from markupsafe import Markup, escape

from tracker.extras._durations import duration_words
from tracker.extras.statistics.figures import without_breaks
from tracker.extras.statistics.moments import Moment, best_moments
from tracker.extras.statistics.playing_time import PlayingTime, playing_time
from tracker.web.night_result import NightResult, NightStory
from tracker.web.wording.texts import gettext as _, listed, signed


def story_of(result: NightResult) -> NightStory:
    """Return the best moments of a night and its times."""
    history, names = result.history, {seat: face.name for seat, face in result.faces.items()}

    def place_name(moment: Moment) -> str:
        return history.after_hand(moment.hand).preset.pot(moment.pot).name if moment.pot else ""

    chosen = best_moments(state for _number, _event, state in history.steps)
    told = (moment_sentence(one, names, place_name(one), result.nets, is_pots=result.is_pots) for one in chosen)
    time = playing_time(history.entries, history.steps)
    return NightStory(tuple(zip(chosen, told, strict=True)), hand_times(time), time_line(time) if time else "")


def hand_times(time: PlayingTime | None) -> list[str]:
    """Return how long each hand took, in words, by number; nothing for one that was given up, or without times."""
    known = dict(zip(time.numbers, time.hands, strict=True)) if time else {}
    return [duration_words(known[hand]) if hand in known else "" for hand in range(1, max(known, default=0) + 1)]


def time_line(time: PlayingTime) -> str:
    """Return how long the night, its longest hand and its longest wait took, as a sentence."""
    line = _(
        "Played for %(time)s. The longest hand (%(hand)s) took %(most)s, the longest wait %(wait)s.",
        time=duration_words(time.played),
        hand=time.longest_hand,
        most=duration_words(max(time.hands)),
        wait=duration_words(time.longest_wait),
    )
    return f"{line} {without_breaks()}"


def moment_sentence(
    moment: Moment, names: Mapping[str, str], place: str, nets: Mapping[str, int], *, is_pots: bool
) -> Markup:
    """Return a moment as a sentence; `names` and `nets` are by seat, `place` is the name of the pot that was taken."""
    who = listed(_bold(names[seat]) for seat in moment.seats)
    facts = {"name": who, "hand": moment.hand, "chips": _number(moment.chips)}
    if moment.kind == "pot":
        said = _pot(moment, who, place)
    elif moment.kind == "hand":
        said = _("Best hand: %(name)s, %(net)s in hand %(hand)s", net=_number(signed(moment.chips)), **facts)
    elif moment.kind == "comeback":
        said = _comeback(moment, who, nets[moment.seats[0]], is_pots=is_pots)
    elif moment.kind == "streak":
        said = _streak(moment, who, is_pots=is_pots)
    elif moment.kind == "dummy":
        price, won = _number(moment.price), _number(signed(moment.chips))
        said = _("%(name)s paid %(price)s for the dummy: %(net)s in hand %(hand)s", price=price, net=won, **facts)
    else:
        first, second = (_bold(names[seat]) for seat in moment.seats)
        said = _("%(name)s was ahead of %(other)s by only %(chips)s", **{**facts, "name": first, "other": second})
    return Markup(said)  # noqa: S704  names are escaped in _bold


def _pot(moment: Moment, names: str, place: str) -> str:
    facts = {"name": names, "chips": _number(moment.chips), "place": escape(_(place)), "hand": moment.hand}
    hands = moment.hands_grown
    if hands > 1 and len(moment.seats) > 1:
        return _("%(name)s shared %(chips)s from %(place)s, which had grown for %(num)s hands", num=hands, **facts)
    if hands > 1:
        return _("%(name)s took %(chips)s from %(place)s, which had grown for %(num)s hands", num=hands, **facts)
    if len(moment.seats) > 1:
        return _("%(name)s shared %(chips)s from %(place)s in hand %(hand)s", **facts)
    return _("%(name)s took %(chips)s from %(place)s in hand %(hand)s", **facts)


def _comeback(moment: Moment, name: str, net: int, *, is_pots: bool) -> str:
    low, end = _number(signed(moment.chips)), _number(signed(net))
    facts = {"name": name, "hand": moment.hand, "low": low, "end": end}
    if is_pots:
        return _("%(name)s was at %(low)s after hand %(hand)s and ended at %(end)s", **facts)
    return _("%(name)s was at %(low)s after round %(hand)s and ended at %(end)s", **facts)


def _streak(moment: Moment, name: str, *, is_pots: bool) -> str:
    facts = {"name": name, "num": moment.times}
    if moment.is_in_a_row:
        if is_pots:
            return _("%(name)s went out first %(num)s times in a row", **facts)
        return _("%(name)s won %(num)s rounds in a row", **facts)
    if is_pots:
        return _("%(name)s went out first %(num)s times", **facts)
    return _("%(name)s won %(num)s rounds", **facts)


def _bold(name: str) -> Markup:
    return Markup("<b><bdi>{}</bdi></b>").format(name)


def _number(text: object) -> Markup:
    return Markup('<b class="num">{}</b>').format(text)
