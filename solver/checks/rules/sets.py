"""Checks of groups of cells, regular expressions, and automata."""

import re
from collections.abc import Iterator
from functools import lru_cache

from solver.checks.rules.filled import Check, Filled, all_differ


def _look_and_say(filled: Filled) -> bool:
    numbers, values = list(filled.numbers), filled.values  # values: count, number, count, …
    return all(numbers.count(values[n + 1]) == values[n] for n in range(0, len(values), 2))


def _same_values(filled: Filled) -> bool:
    length = len(filled.numbers) // filled.number
    starts = range(0, len(filled.numbers), length)
    return len({tuple(sorted(filled.numbers[n : n + length])) for n in starts}) == 1


def _equal_sums(filled: Filled) -> bool:
    left, sums = list(filled.numbers), set()
    for length in filled.values:
        sums.add(sum(left[:length]))
        left = left[length:]
    return len(sums) == 1 and not left


def _lunchbox(filled: Filled) -> bool:
    numbers = list(filled.numbers)
    begin, end = sorted((numbers.index(min(numbers)), numbers.index(max(numbers))))
    return all_differ(numbers) and sum(numbers[begin + 1 : end]) == filled.number


def _matches(filled: Filled) -> bool:
    """Return whether the numbers, written as letters, match the constraint's regular expression.

    A number below 10 is a digit, and 10 is the letter a.
    """
    letters = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = "".join(filled.text.lower().split())
    every = "".join(letters[number] for number in filled.layout.numbers)
    # A class that begins with ^ means the other numbers of the board, as "." means all of them.
    pattern = text.replace(".", f"[{every}]")
    return re.fullmatch(pattern, "".join(letters[number] for number in filled.numbers)) is not None


@lru_cache(maxsize=64)
def _moves(text: str) -> dict[tuple[int, str], set[int]]:
    """Parse the transitions of an automaton, "state-input-state" separated by spaces.

    Returns the set of next states for each (state, input). An input is a number or "|", as text.
    """
    moves: dict[tuple[int, str], set[int]] = {}
    for edge in text.split():
        here, read, to = edge.split("-")
        moves.setdefault((int(here), read), set()).add(int(to))
    return moves


def _is_accepted(filled: Filled) -> bool:
    head, _, tail = filled.text.partition(":")
    head, _, lengths = head.partition("/")
    first, _, last = head.partition(">")
    moves = _moves(tail)
    words = [str(number) for number in filled.numbers]
    for end in _inner_ends(lengths):
        words.insert(end, "|")
    states = {int(state) for state in first.split(",")}
    for word in words:
        states = set().union(*(moves.get((state, word), ()) for state in states))
    return bool(states & {int(state) for state in last.split(",") if state})


def _connected(filled: Filled) -> bool:
    """Return whether the cells with one of the constraint's values are connected along edges.

    There must be at least one such cell.
    """
    pairs = zip(filled.cells, filled.numbers, strict=True)
    first = min(filled.cells)
    # Auxiliary variables form a separate grid, which begins with the first of them.
    first = first if first >= filled.layout.cells else 0
    left = {divmod(cell - first, filled.layout.columns) for cell, n in pairs if n in filled.values}
    if not left:
        return False
    fresh = [left.pop()]
    while fresh:
        row, column = fresh.pop()
        for beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if beside in left:
                left.remove(beside)
                fresh.append(beside)
    return not left


def _inner_ends(lengths: str) -> Iterator[int]:
    """Yield the end of each segment but the last, highest first.

    `lengths` are the numbers of cells in the segments, separated by commas. An end is the number of
    cells up to there.
    """
    pieces = [int(length) for length in lengths.split(",") if length.strip()]
    yield from (sum(pieces[:count]) for count in range(len(pieces) - 1, 0, -1))


SET_CHECKS: dict[str, Check] = {
    "lookandsay": _look_and_say,
    "samevalues": _same_values,
    "equalsum": _equal_sums,
    "countdistinct": lambda filled: len(set(filled.numbers[1:])) == filled.numbers[0],
    "lunchbox": _lunchbox,
    "connected": _connected,
    "regex": _matches,
    "nfa": _is_accepted,
}
