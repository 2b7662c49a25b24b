"""Draw distributions next to each other, as a self-contained SVG picture."""

from collections.abc import Mapping
from html import escape

_WIDTH, _HEIGHT = 760, 300  # of the picture, in pixels
_LEFT, _TOP, _BOTTOM = 48, 64, 32  # margins: labels of the axis, title and legend, values
_GAP = 0.25  # of a group, left free between groups
_COLORS = ("#3b6ea8", "#9a9a9a", "#d08a2e", "#7a4fa0")
_STYLE = """text { font: 13px system-ui, sans-serif; fill: #333; }
.title { font-weight: 600; } .line { stroke: #8886; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }"""
_LEAST = 0.001  # values with lower shares in all distributions are left out


def draw(title: str, distributions: Mapping[str, Mapping[int, float]]) -> str:
    """Return an SVG picture with a group of columns for each value.

    `distributions` maps the name of each distribution, in the order of the columns, to the share of
    each value, from 0 to 1. There are at most four. Values with less than 0.1% in all distributions
    are left out.
    """
    values = sorted(
        value
        for value in set().union(*distributions.values())
        if max(shares.get(value, 0) for shares in distributions.values()) >= _LEAST
    )
    most = max(share for shares in distributions.values() for share in shares.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="20">{escape(title)}</text>',
    ]
    parts += _legend(list(distributions))
    parts += _grid(most)
    group = (_WIDTH - _LEFT) / len(values)
    column = group * (1 - _GAP) / len(distributions)
    for place, value in enumerate(values):
        left = _LEFT + place * group
        for number, (name, shares) in enumerate(distributions.items()):
            share = shares.get(value, 0)
            height = share / most * (_HEIGHT - _TOP - _BOTTOM)
            parts.append(
                f'<rect x="{left + number * column:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}" '
                f'width="{column:.1f}" height="{height:.1f}" fill="{_COLORS[number]}">'
                f"<title>{escape(name)}, {value}: {share:.1%}</title></rect>"
            )
        middle = left + group * (1 - _GAP) / 2
        parts.append(
            f'<text x="{middle:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{value}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _legend(names: list[str]) -> list[str]:
    parts = []
    x = _LEFT
    for name, color in zip(names, _COLORS, strict=False):
        parts.append(f'<rect x="{x}" y="33" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{x + 17}" y="44">{escape(name)}</text>')
        x += 36 + 7 * len(name)
    return parts


def _grid(most: float) -> list[str]:
    step = 0.1 if most > 0.25 else 0.05
    parts = []
    for number in range(int(most / step) + 1):
        y = _HEIGHT - _BOTTOM - number * step / most * (_HEIGHT - _TOP - _BOTTOM)
        parts.append(f'<path class="line" d="M{_LEFT} {y:.1f}H{_WIDTH}"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number * step:.0%}</text>'
        )
    return parts
