"""Lines of numbers over time, drawn; and those of one night, hand by hand. No extra itself."""

from tracker.core.night import Night


def starting_points(night: Night, seat: str) -> int:
    """Return the points that `seat` was given by coming late or back: 0 for whoever played every round."""
    return night.points.get(seat, 0) - sum(one.change.get(seat, 0) for one in night.deals)


def rounds_before(night: Night, seat: str) -> int:
    """Return how many rounds or deals there were before the first of `seat`, or in all without one."""
    return next((at for at, one in enumerate(night.deals) if seat in one.players), len(night.deals))
