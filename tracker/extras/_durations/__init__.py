"""How long something took, in words. No extra itself."""

from tracker.web.wording.dates import NO_BREAK


def duration_words(seconds: float) -> str:
    """Return `2 h 41 min`, `9 min`, or below a minute `50 s`: in symbols that are the same in all our languages."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{NO_BREAK}s"
    hours, minutes = divmod((whole + 30) // 60, 60)
    parts = [f"{hours}{NO_BREAK}h"] * (hours > 0) + [f"{minutes}{NO_BREAK}min"] * (minutes > 0)
    return NO_BREAK.join(parts)
