"""The operators that draw a PDF page."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pikepdf


def operations(page: Any) -> Iterator[tuple[str, list[float], float]]:
    """Yield (operator, numbers, scale) of a page and of the drawings (forms) that it reuses.

    The operations of a form come before the `Do` that draws it. Operands that aren't numbers are
    left out. `scale` is the horizontal enlargement in effect: lengths in `numbers`, times `scale`,
    are in points.
    """
    scale = 1.0
    saved: list[float] = []
    for instruction in pikepdf.parse_content_stream(page):
        operands, name = list(instruction.operands), str(instruction.operator)
        numbers = [float(each) for each in operands if isinstance(each, (int, float, Decimal))]
        if name == "q":
            saved.append(scale)
        elif name == "Q":
            scale = saved.pop()
        elif name == "cm":
            scale *= abs(numbers[0])
        elif name == "Do":
            drawn = page.Resources.XObject[str(operands[0])]
            if drawn.Subtype == "/Form":
                for inner, values, factor in operations(drawn):
                    yield inner, values, factor * scale
        yield name, numbers, scale
