"""All constraints of a puzzle share one budget of work and memory.

Worker processes have a memory limit, too.
"""

import json
import os
import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz_rules import document
from running import Processes, descendants
from services import wait_until

from solver import Invalid, Layout, Puzzle, parse
from solver.board import budget
from solver.board.budget import charge, forget_tables, kept_table, spending
from solver.rules.regions import with_regions
from solver.rules.registry import MOST_WORK, RULES
from solver.rules.variants import VARIANTS
from worker.process_setup import limit_memory
from worker.service import Service

NINES = [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
# A unit of work takes about a microsecond. The factor allows for shared CPUs and for one table that
# was started within the budget.
MOST_SECONDS = 20 * MOST_WORK / 1_000_000
MORE_MEMORY = 1 << 30
DOCUMENTS = 3


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    forget_tables()
    yield
    forget_tables()


def patterns(count: int) -> list[dict[str, Any]]:
    """Return regex lines whose automata have tens of thousands of states each."""
    return [
        {
            "type": "regex",
            "cells": NINES,
            "pattern": f".*[{1 + n % 8}{2 + n % 8}].{{{50 + n % 13}}}.*",
        }
        for n in range(count)
    ]


def automaton(seed: int) -> str:
    """Return a random NFA with 60 states whose determinization has a huge number of states."""
    chance = random.Random(seed)
    moves = [(chance.randrange(60), chance.randint(1, 9), chance.randrange(60)) for _ in range(300)]
    return "0>5: " + " ".join(f"{here}-{read}-{there}" for here, read, there in moves)


def read(constraints: list[dict[str, Any]], **more: Any) -> Puzzle | Invalid:
    (puzzle,) = parse(json.dumps({"shape": "9x9", "constraints": constraints, **more}))
    return puzzle


def detail(constraints: list[dict[str, Any]], **more: Any) -> str:
    puzzle = read(constraints, **more)
    assert isinstance(puzzle, Invalid)
    return puzzle.detail


def test_too_many_large_patterns_are_rejected_with_the_limit_and_the_need() -> None:
    began = time.process_time()
    told = detail(patterns(230))
    assert time.process_time() - began < MOST_SECONDS
    assert f"but the limit is {MOST_WORK:,}" in told
    needed = int(told.split("need at least ")[1].split(" units")[0].replace(",", ""))
    assert MOST_WORK < needed < 3 * MOST_WORK


def test_rejection_does_not_depend_on_the_cache() -> None:
    told = detail(patterns(5))
    assert isinstance(read(patterns(1)), Puzzle)
    assert isinstance(read(patterns(1)[:1] * 40), Puzzle)  # a shared table is counted once
    assert detail(patterns(5)) == told
    forget_tables()
    assert detail(patterns(5)) == told


@pytest.mark.parametrize(
    "constraints",
    [
        [{"type": "sumloop", "cells": NINES, "sum": 600}],
        [{"type": "samevalues", "cells": [f"r{n // 64 + 1}c{n % 64 + 1}" for n in range(4_000)],
          "sets": 4_000}],
        [{"type": "connected", "cells": [f"r{r}c{c}" for r in range(1, 31) for c in range(1, 31)],
          "values": [k, k + 1]} for k in range(1, 5)],
        [{"type": "or", "options": [[each] for each in patterns(9)]}],
        [{"type": "nfa", "cells": NINES, "automaton": automaton(n)} for n in range(20)],
    ],
    ids=["sumloop", "samevalues", "connected", "or", "nfa"],
)  # fmt: skip
def test_every_kind_of_large_table_has_a_limit(constraints: list[dict[str, Any]]) -> None:
    size = 9 if constraints[0].get("cells") in (NINES, None) else 64
    began = time.process_time()
    told = detail(constraints, shape=f"{size}x{size}")
    assert time.process_time() - began < MOST_SECONDS
    assert "need" in told


def in_a_process(text: str) -> tuple[float, str]:
    """Parse in a process with limits on memory and CPU time. Return its CPU seconds and "ok".

    Instead of "ok", returns the exception if one is raised, or "" if the process is killed.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MORE_MEMORY,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(3 * MOST_SECONDS),) * 2)
        try:
            parse(text, format="ndjson")
            os.write(writer, b"ok")
        except BaseException as error:
            os.write(writer, repr(error)[:500].encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        raised = pipe.read()
    _, _, usage = os.wait4(child, 0)
    return usage.ru_utime + usage.ru_stime, raised


@pytest.mark.parametrize("name", sorted({*RULES, *VARIANTS}))
def test_every_rule_is_read_within_time_and_memory(name: str) -> None:
    chance = random.Random(name)
    for _ in range(DOCUMENTS):
        text = document(chance, [name])
        seconds, raised = in_a_process(text)
        assert (raised, seconds < MOST_SECONDS) == ("ok", True), text[:300]


def test_tables_are_cached_up_to_their_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_MOST_KEPT", 1_000)
    made = []

    @kept_table
    def build(number: int) -> int:
        made.append(number)
        charge(400)
        return number

    assert [build(1), build(2), build(1), build(3), build(1), build(2)] == [1, 2, 1, 3, 1, 2]
    assert made == [1, 2, 3, 2]
    with spending(10_000) as spent:
        build(1)
        build(1)
        build(2)
    assert spent.spent == 2 * 401


def test_nested_tables_count_once_even_from_the_cache() -> None:
    @kept_table
    def inner() -> int:
        charge(100)
        return 1

    @kept_table
    def outer(number: int) -> int:
        charge(10)
        return inner() + number

    spent = []
    for _ in range(2):
        with spending(10_000) as own:
            assert (outer(1), outer(2), inner()) == (2, 3, 1)
        spent.append(own.spent)
    assert spent == [123, 123]


def test_boards_without_constraints_cost_nothing() -> None:
    with spending(0):
        assert isinstance(parse("." * 81)[0].layout, Layout)  # type: ignore[union-attr]


def test_worker_process_cannot_allocate_more_than_its_limit() -> None:
    def allocate(writer: int) -> None:
        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        limit_memory(used + (256 << 20))
        np.ones(64 << 20, np.uint8)
        try:
            np.ones(512 << 20, np.uint8)
        except MemoryError:
            os.write(writer, b"refused")

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            allocate(writer)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        assert pipe.read() == "refused"
    os.waitpid(child, 0)


@pytest.mark.redis
def test_processes_of_a_worker_have_a_memory_limit(queue: Service, crew: Processes) -> None:
    worker = crew.worker(concurrency=1)
    wait_until(lambda: queue.registry.slots() == 1)
    limits = [
        resource.prlimit(process, resource.RLIMIT_DATA)[0] for process in descendants(worker.pid)
    ]
    assert queue.settings.worker_memory_bytes in limits


def test_record_that_needs_too_much_memory_does_not_affect_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def compiled(layout: Layout, new: Layout) -> Layout:
        del layout, new
        raise MemoryError

    monkeypatch.setattr("solver.rules.registry._compile", compiled)
    ruled = json.dumps({"puzzle": "." * 81, "constraints": [{"type": "odd", "cells": ["r1c1"]}]})
    plain = json.dumps({"puzzle": "." * 81})
    first, second, third = parse(f"{plain}\n{ruled}\n{plain}\n", format="ndjson")
    assert isinstance(first, Puzzle)
    assert isinstance(third, Puzzle)
    assert isinstance(second, Invalid)
    assert "more memory" in second.detail


def test_boards_with_many_regions_and_variables_are_read_in_linear_time() -> None:
    began = time.process_time()
    names = [f"V{number}" for number in range(1_000)]
    constraints = [{"type": "odd", "cells": names[-500:]} for _ in range(200)]
    assert isinstance(read(constraints, variables=names), Puzzle)
    labels = [str(number) for number in range(10_000)]
    many = with_regions(Layout.boxed(10, 10), tuple(labels))
    assert isinstance(many, Layout)
    assert len(many.houses) == 10_200
    assert time.process_time() - began < 10
