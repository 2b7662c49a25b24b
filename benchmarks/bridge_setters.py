"""Measure how long `sudokuq bridge` takes for true candidates with several setters at once.

    PYTHONPATH=tests/support python benchmarks/bridge_setters.py [--setters 5] [--seconds 60]

All setters share one bridge. Each starts from an empty grid, changes it every second or two, and
requests the true candidates after each change, as the userscript for f-puzzles does. After 40
changes, a setter begins another puzzle. From puzzle to puzzle, the changes add givens alone, or
also cages, thermometers, or dots that fit the solution.
"""

import argparse
import random
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from bridges import board, editing, running_bridge

_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
_CHANGES = 40
_KINDS = ("givens", "killercage", "thermometer", "difference")


def main() -> None:
    """Run the bridge and its setters, and print the response times.

    There are percentiles and the longest time, for each kind of puzzle and for all.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setters", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    times: dict[str, list[float]] = defaultdict(list)
    with running_bridge() as port:
        with editing(port) as editor:
            editor.ask("truecandidates", board(_SOLUTION[:40]))  # loads the engines
        end = time.monotonic() + arguments.seconds
        threads = [
            threading.Thread(target=_draw, args=(port, number, end, times))
            for number in range(arguments.setters)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for kind in _KINDS:
        _report(kind, times[kind])
    _report("all", [each for kind in _KINDS for each in times[kind]])


def _report(name: str, times: list[float]) -> None:
    if len(times) > 1:
        cuts = [round(1000 * seconds) for seconds in statistics.quantiles(times, n=100)]
        slow = sum(each > 0.5 for each in times)
        print(
            f"{name}: {len(times)} requests, {slow} over 500 ms: p50 {cuts[49]} ms, "
            f"p95 {cuts[94]} ms, longest {max(times):.2f} s"
        )


def _draw(port: int, number: int, end: float, times: dict[str, list[float]]) -> None:
    """Draw puzzles until the time `end`, and record the response times in seconds by kind.

    This is one user of the bridge at `port`. Their `number` determines the puzzles. `end` is a
    time of `time.monotonic`.
    """
    chance = random.Random(number)
    time.sleep(chance.uniform(0, 1.5))
    with editing(port) as editor:
        while True:
            kind = _KINDS[number % len(_KINDS)]
            for puzzle in _changes(kind, chance):
                if time.monotonic() > end:
                    return
                begin = time.monotonic()
                editor.ask("truecandidates", puzzle)
                times[kind].append(time.monotonic() - begin)
                time.sleep(chance.uniform(1, 2))
            number += 1


def _changes(kind: str, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield a puzzle, as the JSON of f-puzzles, after each of 40 changes.

    Three of four changes add a rule, if the kind has rules. All others add a given.
    """
    cells = chance.sample(range(81), 81)
    shown: set[int] = set()
    rules: list[dict[str, Any]] = []
    for change in range(_CHANGES):
        if kind == "givens" or change % 4 == 3:
            shown.add(cells.pop())
        else:
            rules += _rule(kind, cells[-1], chance)
            cells.insert(0, cells.pop())
        givens = "".join(each if cell in shown else "." for cell, each in enumerate(_SOLUTION))
        drawn: dict[str, Any] = {kind: list(rules)} if rules else {}
        yield board(givens, **drawn)


def _rule(kind: str, cell: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return a list with a rule that begins at a cell and that the solution obeys, or with none.

    `kind` is the rule's key in the JSON of f-puzzles.
    """
    path = [cell]
    longest = 2 if kind == "difference" else chance.randint(2, 4)
    while len(path) < longest:
        ends = [end for end in _neighbors(path[-1]) if _fits(kind, [*path, end])]
        if not ends:
            break
        path.append(chance.choice(ends))
    if len(path) < 2:
        return []
    names = [f"R{place // 9 + 1}C{place % 9 + 1}" for place in path]
    digits = [int(_SOLUTION[place]) for place in path]
    if kind == "killercage":
        return [{"cells": names, "value": str(sum(digits))}]
    if kind == "thermometer":
        return [{"lines": [names]}]
    return [{"cells": names, "value": str(abs(digits[0] - digits[1]))}]


def _neighbors(cell: int) -> list[int]:
    row, column = divmod(cell, 9)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [9 * r + c for r, c in around if r in range(9) and c in range(9)]


def _fits(kind: str, path: list[int]) -> bool:
    digits = [int(_SOLUTION[place]) for place in path]
    if kind == "thermometer":
        return digits == sorted(set(digits))
    return len(set(digits)) == len(digits)


if __name__ == "__main__":
    main()
