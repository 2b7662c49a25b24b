"""Find where the elements of a JSON list end, without parsing them."""

import re
from collections.abc import Callable, Iterator
from itertools import count

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# A list or object without nested containers and strings.
_FLAT = rb'[\[{][^"\[\]{}]*+[\]}]'
# Skips irrelevant text up to a mark. A lone quote as the mark begins an incomplete string.
_BETWEEN_ELEMENTS = re.compile(
    rb'(?:[^"\[\]{,]++|%b|%b)*+([\[{]+|[,\]"])' % (_STRING, _FLAT), re.DOTALL
)
_IN_ELEMENT = re.compile(
    rb'(?:[^"\[\]{}]++|%b|%b)*+([\[{]+|[\]}]+|")' % (_STRING, _FLAT), re.DOTALL
)

_CHECK_EVERY = 4_096  # brackets or commas


def find_ends(
    data: bytes | memoryview, start: int, *, check: Callable[[], None] = lambda: None
) -> Iterator[int]:
    """Yield the offsets of the commas and the closing bracket that end a list's elements.

    `start` is inside the list, where an element or the white space before it begins. Truncated or
    malformed text yields no closing bracket. `check` is called after every few thousand brackets or
    commas. It may raise an exception to stop an expensive scan.
    """
    depth = 0
    for step in count(1):
        if step % _CHECK_EVERY == 0:
            check()
        match = (_IN_ELEMENT if depth else _BETWEEN_ELEMENTS).match(data, start)
        if match is None or match[1] == b'"':
            return
        start, marks = match.end(), match.end() - match.start(1)
        if match[1][:1] in (b"[", b"{"):
            depth += marks
        elif depth:
            start -= max(marks - depth, 0)  # rescan surplus closing brackets
            depth = max(depth - marks, 0)
        else:
            yield match.start(1)
            if match[1] == b"]":
                return
