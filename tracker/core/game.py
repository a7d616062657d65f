"""What the table asks of one kind of game, and the games that there are: extras add score games by `add_game`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tracker.core.errors import Fault, PresetError
from tracker.core.events import Event
from tracker.core.house_rules import END, HOUSE_RULES, MONEY, OWN, RuleSet, add_rules
from tracker.core.night import Night
from tracker.core.preset import Preset

if TYPE_CHECKING:  # the core has no chance of its own
    from random import Random


class Handler(NamedTuple):
    """How events of one kind change a night, and what is checked of new ones."""

    play: Callable[[Night, Any], Night]
    check_new: Callable[[Night, Any], None] = lambda _night, _event: None
    """Raises a TableError for what is refused of a new event, and may be in the log of an older night."""
    check: Callable[[Night, Any], object] | None = None
    """For the kinds that are asked about most: raises whatever `play` does, but for too few chips."""


class Game:
    """One kind of game. A score game is a subclass that says what it does otherwise than most of them."""

    name: str
    """The word in the presets' field `game`."""
    handlers: Mapping[str, Handler]
    """How its events change a night, by their kinds."""
    rules: type[RuleSet] = RuleSet
    """Its house rules: those that the subclass of RuleSet declares, and those of `rule_groups`."""
    rule_groups: tuple[str, ...] = (OWN, END, MONEY)
    order: int = 100
    """Its presets are offered after those of games with a smaller number."""
    package: str = ""
    """The package with its presets, a TOML file each; nothing for those in `tracker/presets`."""
    presets: tuple[str, ...] = ()
    """The ids of its presets, in the order in which they are offered."""

    has_money = True
    """Whether its chips or points can be worth money."""
    settles_points = False
    """Whether its points are paid where they are worth no money."""
    nets_are_points = True
    """Whether somebody's points are what they have won or lost; else that is settled round by round."""

    def fewest_win(self, _preset: Preset) -> bool:
        return False

    def winners(self, night: Night) -> list[str]:
        """Return which of those who can win have the best result, clockwise; several on a tie."""
        return with_best_points(night)

    def nets(self, night: Night) -> dict[str, int]:
        """Return what each seat has won (+) or lost (-)."""
        return {seat: night.points.get(seat, 0) for seat in night.all_seats}

    def first_points(self, _night: Night, _sums: Sequence[int]) -> int:
        """Return with how many points whoever comes late begins; `sums` are those of the others who play."""
        return 0

    def is_out(self, _night: Night, _seat: str) -> bool:
        """Return whether somebody at the table plays no further round of this game."""
        return False

    def has_dealer(self, _preset: Preset) -> bool:
        """Return whether the pages say who deals."""
        return False

    def dealer(self, _night: Night) -> str | None:
        """Return who deals the present round, where the pages say so."""
        return None

    def fault_cost(self, _preset: Preset) -> int:
        return 0

    def before_end(self, _night: Night) -> Event | None:
        """Return an event that the table has to record before the night can end, as a fault that is not paid yet."""
        return None

    def check_rules(self, night: Night, changed: Preset) -> None:
        """Raise a TableError where a night can't go on by changed house rules."""

    def preset_faults(self, _preset: Preset) -> Iterable[Fault]:
        """Return what is wrong with the parts of a preset that only this game has."""
        return ()

    def to_stored(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what is stored of a preset, from what a file would have."""
        return raw

    def from_stored(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a stored preset says in the words of today: an earlier version may have stored it."""
        return raw

    def rehearse(self, _night: Night, _chance: Random) -> Iterator[Event]:
        """Yield the events of one more round that is made up by chance, for rehearsals."""
        yield from ()


class PotGame(Game):
    """The table's own kind: chips are played for on a board of pots."""

    name = "pots"
    rule_groups = ("pots", MONEY)
    order = 0
    settles_points = True

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self.handlers = handlers

    def winners(self, night: Night) -> list[str]:
        most = max((night.net(seat) for seat in night.contenders), default=0)
        return [seat for seat in night.contenders if night.net(seat) == most]

    def nets(self, night: Night) -> dict[str, int]:
        return {seat: night.net(seat) for seat in night.all_seats}

    def has_dealer(self, _preset: Preset) -> bool:
        return True


GAMES: dict[str, Game] = {}
"""Every kind of game that is there, by its name."""


def add_game(game: Game) -> None:
    """Make a kind of game known; the same one again changes nothing."""
    add_rules(game.name, game.rules, game.rule_groups)
    GAMES[game.name] = game


def remove_game(name: str) -> None:
    """Forget a kind of game: its presets and nights are refused in a sentence from now on."""
    GAMES.pop(name, None)
    HOUSE_RULES.pop(name, None)


def game_of(of: Night | Preset) -> Game:
    """Return the kind of game of a night or preset. Raises PresetError where it isn't there."""
    name = of.preset.game if isinstance(of, Night) else of.game
    if name not in GAMES:
        raise PresetError("game must be one of {known}, not {game!r}", known=", ".join(GAMES), game=name)
    return GAMES[name]


def with_best_points(night: Night) -> list[str]:
    """Return which contenders have the best sum, clockwise; of those who completed the game, if any."""
    best = min if game_of(night).fewest_win(night.preset) else max
    completed = [seat for seat in night.contenders if seat in night.completed]
    sums = {seat: night.points[seat] for seat in completed or night.contenders}
    return [seat for seat in sums if sums[seat] == best(sums.values())]
