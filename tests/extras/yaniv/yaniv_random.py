"""What holds in every state of a night of Yaniv; see OWN_CHECKS in tests/support/random_nights.py."""

from support.random_nights import OWN_CHECKS

from tracker.core.night import Night


def _check(night: Night, _is_by_preset: bool) -> None:
    assert all(points >= 0 for points in night.points.values())


OWN_CHECKS["yaniv"] = _check
