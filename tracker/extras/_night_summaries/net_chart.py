"""A list's small picture of a night: everybody's total after each hand, as SVG."""

from collections.abc import Collection, Sequence

from markupsafe import Markup


def net_chart(series: Sequence[Sequence[int]], best: Collection[int]) -> Markup:
    """Return a list's small picture of a night: totals after each hand, those at the places `best` in front."""
    width, height, edge = 72, 40, 3
    hands = max(map(len, series), default=0)
    values = [0, *(value for one in series for value in one)]
    low, high = min(values), max(values)
    unit = (height - 2 * edge) / max(high - low, 1)

    def path(one: Sequence[int]) -> str:
        points = ((x * width / max(hands, 1), edge + (high - value) * unit) for x, value in enumerate((0, *one)))
        return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)

    order = sorted(range(len(series)), key=lambda place: place in best)
    lines = (f'<path class="n-line{" best" if place in best else ""}" d="{path(series[place])}"/>' for place in order)
    zero = f'<path class="n-zero" d="M0 {edge + high * unit:.0f}H{width}"/>'
    svg = f'<svg class="net-chart" viewBox="0 0 {width} {height}" aria-hidden="true">{zero}{"".join(lines)}</svg>'
    return Markup(svg)  # noqa: S704 - numbers and our own classes
