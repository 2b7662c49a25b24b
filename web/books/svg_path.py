"""Convert SVG paths to PDF operators.

Supports the commands that `web.boards.geometry` writes.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin, tan

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}
_MAX_SWEEP = pi / 2  # of one Bézier curve


@lru_cache(maxsize=2048)
def pdf_path(path: str) -> str:
    """Return the PDF operators that build the path of an SVG path, in the same coordinates.

    Curves other than circular arcs aren't supported.
    """
    pieces: list[str] = []
    x = y = start_x = start_y = 0.0
    for command, numbers in _commands(path):
        is_relative, name = command.islower(), command.upper()
        from_x, from_y = (x, y) if is_relative else (0.0, 0.0)
        if name == "Z":
            pieces.append("h")
            x, y = start_x, start_y
            continue
        if name == "A":
            end = (from_x + numbers[5], from_y + numbers[6])
            pieces.extend(_arc((x, y), end, numbers[0], large=numbers[3] > 0, sweep=numbers[4] > 0))
            x, y = end
            continue
        if name == "H":
            x = from_x + numbers[0]
        elif name == "V":
            y = from_y + numbers[0]
        else:
            x, y = from_x + numbers[0], from_y + numbers[1]
        if name == "M":
            start_x, start_y = x, y
        pieces.append(f"{x:g} {y:g} {'m' if name == 'M' else 'l'}")
    return " ".join(pieces)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands of a path, each with its arguments. Repeated ones are yielded singly."""
    tokens = _TOKEN.findall(path)
    place, command = 0, "M"
    while place < len(tokens):
        if tokens[place].isalpha():
            command = tokens[place]
            place += 1
        count = _ARGUMENTS[command.upper()]
        yield command, [float(each) for each in tokens[place : place + count]]
        place += count
        # Further pairs after a moveto are linetos.
        command = {"M": "L", "m": "l"}.get(command, command)


def _arc(
    start: tuple[float, float], end: tuple[float, float], radius: float, *, large: bool, sweep: bool
) -> Iterator[str]:
    """Yield PDF operators for a circular arc, which is approximated by Bézier curves.

    The SVG specification defines the arc (F.6). A radius that is too small is enlarged. Yields
    nothing if the ends are equal.
    """
    (x, y), (end_x, end_y) = start, end
    half = hypot(end_x - x, end_y - y) / 2
    if half == 0:
        return
    radius = max(radius, half)
    away = (radius * radius - half * half) ** 0.5 * (1 if large == sweep else -1)
    across, down = (end_x - x) / 2 / half, (end_y - y) / 2 / half
    center_x = (x + end_x) / 2 + away * down
    center_y = (y + end_y) / 2 - away * across
    first = atan2(y - center_y, x - center_x)
    swept = (atan2(end_y - center_y, end_x - center_x) - first) % (2 * pi)
    if not sweep:
        swept -= 2 * pi
    count = max(1, round(abs(swept) / _MAX_SWEEP + 0.499))
    step = swept / count
    handle = 4 / 3 * tan(step / 4) * radius
    for number in range(count):
        one, two = first + number * step, first + (number + 1) * step
        points = (
            (center_x + radius * cos(one) - handle * sin(one),
             center_y + radius * sin(one) + handle * cos(one)),
            (center_x + radius * cos(two) + handle * sin(two),
             center_y + radius * sin(two) - handle * cos(two)),
            (center_x + radius * cos(two), center_y + radius * sin(two)),
        )  # fmt: skip
        yield " ".join(f"{across:.3f} {down:.3f}" for across, down in points) + " c"
