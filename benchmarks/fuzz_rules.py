"""Search for short puzzles that are expensive: all rules with many constraints, cells, and numbers.

    python benchmarks/fuzz_rules.py [--seconds 600] [--seed 1] [--rule regex …] [--worst 20]

Each puzzle is read, and solved with few guesses, in a separate process with a memory limit. Prints
the worst puzzles by CPU time and by memory. If --keep names a folder, they're also written to it.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from limited_process import run_limited

from solver.board.puzzle import Invalid
from solver.formats import parse
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from solver.solving import solve, warm_up

MOST_BYTES = 1 << 20  # of a record, the default of SUDOKUQ_MAX_RECORD_BYTES
MEMORY_BYTES = 6 << 30
CPU_SECONDS = 60
STEP_LIMIT = 20
SIZES = (2, 4, 6, 9, 9, 9, 9, 12, 16, 16, 25, 36, 49, 64, 81, 100)
PATTERNS = (
    ".*[{a}{b}].{{{n}}}.*",
    "(.*{a}.*{b}){{{m}}}",
    "({a}|{b}|.{{{m}}})*",
    "((({a}?){{{m}}}){{{m}}})*.*",
    "[^{a}]*({b}.{{{n}}})?.*",
    "{a}",
)


class Cost(NamedTuple):
    """The cost of a puzzle, and how solving it ended.

    read       CPU seconds to read it
    solved     CPU seconds to solve it
    megabytes  peak memory of its process
    outcome    the outcome, or the reason why there is none
    """

    read: float
    solved: float
    megabytes: int
    outcome: str

    @property
    def seconds(self) -> float:
        """The total CPU seconds to read and solve the puzzle."""
        return self.read + self.solved


def measure(document: str) -> Cost:
    """Read and solve a puzzle in a separate process, and return its cost.

    Memory and CPU time are limited. If the process fails, the reason is the `outcome`, and all of
    its time counts as `read`.
    """
    ended = run_limited(lambda: _run(document), memory_bytes=MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    if ended.failure:
        return Cost(ended.seconds, 0.0, ended.megabytes, ended.failure)
    read, solved, outcome = ended.result
    return Cost(read, solved, ended.megabytes, outcome)


def _run(document: str) -> tuple[float, float, str]:
    start = time.process_time()
    try:
        puzzle = parse(document, format="ndjson")[0]
    except BaseException as error:
        return time.process_time() - start, 0.0, f"reading raised {error!r}"[:200]
    read = time.process_time()
    if isinstance(puzzle, Invalid):
        return read - start, 0.0, f"invalid: {puzzle.detail}"[:200]
    try:
        outcome = solve(puzzle, step_limit=STEP_LIMIT).outcome.name
    except BaseException as error:
        outcome = f"solving raised {error!r}"[:200]
    return read - start, time.process_time() - read, outcome


def constraint(name: str, size: int, chance: random.Random, *, deep: int = 0) -> dict[str, Any]:
    """Return a random constraint of the rule `name` in its JSON form.

    The grid has `size` rows and columns. `deep` is the number of disjunctions that contain the
    constraint.
    """
    rule = RULES[name]
    described: dict[str, Any] = {"type": name}
    if rule.chooses:
        names = [chance.choice([*RULES]) for _ in range(chance.choice((1, 2, 3)))]
        options = []
        for _ in range(chance.choice((1, 2, 3, 10, 64))):
            kinds = names if deep < 2 else [each for each in names if not RULES[each].chooses]
            options.append([constraint(each, size, chance, deep=deep + 1) for each in kinds])
        return described | {"options": options}
    every = [f"r{row}c{column}" for row in range(1, size + 1) for column in range(1, size + 1)]
    lengths = [rule.least, 2, 3, 5, 9, size, size + 1, 2 * size, 30, 81, len(every), 4 * size]
    most = min(rule.most, len(every))
    length = min(max(chance.choice(lengths), rule.least), most)
    kind = chance.randrange(3)
    if kind == 0:
        cells = chance.sample(every, length)
    elif kind == 1:
        first = chance.randrange(max(1, len(every) - length + 1))
        cells = every[first : first + length]
    else:
        line = chance.randrange(size)
        cells = (
            every[line::size][:length] if chance.random() < 0.5 else every[line * size :][:length]
        )
    if rule.repeats and chance.random() < 0.3:
        cells = [chance.choice(every) for _ in range(length)]
    described["cells"] = cells
    if rule.value is None:
        return described
    if rule.text:
        described[rule.value] = text(name, size, chance)
    elif rule.many:
        described[rule.value] = numbers(name, len(cells), size, chance)
    else:
        described[rule.value] = number(size, chance)
    return described


def number(size: int, chance: random.Random) -> int:
    """Return a random number, usually one that makes sense for a rule on a grid of this size.

    It can be up to a million, and is rarely negative.
    """
    span = chance.choice((3, size, size, size * size, 5 * size, 1_000, 1_000_000))
    return chance.randint(0 if chance.random() < 0.9 else -span, span)


def numbers(name: str, length: int, size: int, chance: random.Random) -> list[int]:
    """Return a random list of numbers for a rule whose value is a list.

    For the rules weightedsum, chaosarrow, and equalsum, the length of the list suits a constraint
    with `length` cells. For any other rule `name`, the list has from 1 to 2,000 numbers, at least 0
    and at most `size`², whether or not they make sense for the rule. `size` is the number of rows
    of the grid.
    """
    if name == "weightedsum":
        span = chance.choice((1, 2, 30, 1_000))
        return [number(size, chance), *(chance.randint(-span, span) for _ in range(length))]
    if name == "chaosarrow":
        return [1, *([1] * (length - 2))]
    if name == "equalsum":
        part = chance.randint(1, max(1, length - 1))
        return [part, length - part]
    many = chance.choice((1, 2, 4, 6, size, 100, 2_000))
    return [chance.randint(0, chance.choice((size, size * size))) for _ in range(many)]


def text(name: str, size: int, chance: random.Random) -> str:
    """Return a random regular expression for the rule "regex", or else a random automaton.

    Both match values of a grid with `size` rows.
    """
    top = min(size, 9)
    if name == "regex":
        a, b = chance.randint(1, top), chance.randint(1, top)
        n, m = chance.randint(1, 99), chance.randint(1, 9)
        return chance.choice(PATTERNS).format(a=a, b=b, n=n, m=m)
    states = chance.choice((3, 10, 60, 300, 1_000))
    edges = chance.choice((5, 50, 1_000, 10_000))
    moves = " ".join(
        f"{chance.randrange(states)}-{chance.randint(1, size)}-{chance.randrange(states)}"
        for _ in range(edges)
    )
    return f"0>{chance.randrange(states)}: {moves}"


def document(chance: random.Random, names: list[str]) -> str:
    """Return the JSON of a random puzzle with many constraints.

    `names` are rules and variants. Mostly, the constraints are all of one rule from this list,
    otherwise of up to four rules. The JSON is about as large as a record may be, or smaller.
    """
    size = chance.choice(SIZES)
    kinds = [chance.choice(names)] if chance.random() < 0.8 else chance.choices(names, k=4)
    room = chance.choice((2_000, 20_000, 160_000, MOST_BYTES))
    most = chance.choice((1, 2, 10, 100, 1_000, 5_000))
    alike = chance.random() < 0.2
    made: list[str] = []
    variants = {name for name in kinds if name in VARIANTS}
    if chance.random() < 0.1:
        variants.add(chance.choice([*VARIANTS]))
    kinds = [name for name in kinds if name not in VARIANTS]
    used = 0
    while kinds and len(made) < most:
        if made and alike:
            made.append(made[0])
        else:
            made.append(json.dumps(constraint(chance.choice(kinds), size, chance)))
        used += len(made[-1])
        if used > room:
            made.pop()
            break
    head = json.dumps({"shape": f"{size}x{size}", "variant": [*variants]})
    return f'{head[:-1]}, "constraints": [{", ".join(made)}]}}'


def main() -> None:
    """Parse the command line, measure random puzzles for a while, and print the worst ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=600, help="how long to run (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    parser.add_argument(
        "--rule", nargs="*", default=[*RULES, *VARIANTS], help="rules to test (default: all)"
    )
    parser.add_argument(
        "--worst", type=int, default=20, help="number of puzzles to print (default: %(default)s)"
    )
    parser.add_argument("--keep", type=Path, help="folder for the worst puzzles")
    arguments = parser.parse_args()
    warm_up()
    chance = random.Random(arguments.seed)
    costs: list[tuple[Cost, str]] = []
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        made = document(chance, arguments.rule)
        costs.append((measure(made), made))
        if costs[-1][0].seconds > 3 or costs[-1][0].megabytes > 700:
            print(costs[-1][0], made[:150], file=sys.stderr, flush=True)
    print(f"{len(costs):,} puzzles")
    for title, key in (("seconds", lambda each: each[0].seconds),
                       ("megabytes", lambda each: each[0].megabytes)):  # fmt: skip
        print(title)
        for place, (cost, made) in enumerate(sorted(costs, key=key, reverse=True)):
            if place >= arguments.worst:
                break
            print(
                f"  {cost.read:.1f} + {cost.solved:.1f} s, {cost.megabytes} MB, {cost.outcome}; "
                f"{len(made):,} bytes: {made[:140]}"
            )
            if arguments.keep:
                (arguments.keep / f"{title}-{place}.json").write_text(made)


if __name__ == "__main__":
    main()
