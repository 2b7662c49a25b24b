"""Where the elements of a JSON list end, without reading them."""

import re
from collections.abc import Callable, Iterator
from itertools import count

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# A list or object that holds neither another nor a string.
_FLAT = rb'[\[{][^"\[\]{}]*+[\]}]'
# What is of no interest, then a mark; a lone quote begins a string that is not complete.
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
    """Yield the offsets of the commas between elements, last of the bracket that closes them.

    `start` lies in the list, between two elements. Text that ends within an element or is no
    JSON has an end as well, which is not the closing bracket. `check` is called every few
    thousand brackets, and may raise where reading on is too expensive.
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
            start -= max(marks - depth, 0)  # what closes more than is open is looked at again
            depth = max(depth - marks, 0)
        else:
            yield match.start(1)
            if match[1] == b"]":
                return
