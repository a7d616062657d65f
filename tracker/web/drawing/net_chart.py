"""The small picture of a night in a list: everybody's net as a line, the winner's in front; the row says who."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from markupsafe import Markup

WIDTH, HEIGHT, EDGE = 72, 40, 3


def net_chart(series: Sequence[Sequence[int]], best: Collection[int]) -> Markup:
    """Return the chart of the totals after each hand; `best` are the places of the winners' lines in `series`."""
    hands = max(map(len, series), default=0)
    values = [0, *(value for one in series for value in one)]
    low, high = min(values), max(values)
    scale = (HEIGHT - 2 * EDGE) / max(high - low, 1)

    def path(one: Sequence[int]) -> str:
        points = ((x * WIDTH / max(hands, 1), EDGE + (high - value) * scale) for x, value in enumerate((0, *one)))
        return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)

    order = sorted(range(len(series)), key=lambda place: place in best)
    lines = (f'<path class="n-line{" best" if place in best else ""}" d="{path(series[place])}"/>' for place in order)
    zero = f'<path class="n-zero" d="M0 {EDGE + high * scale:.0f}H{WIDTH}"/>'
    svg = f'<svg class="net-chart" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{zero}{"".join(lines)}</svg>'
    return Markup(svg)  # noqa: S704 - numbers and our own classes
