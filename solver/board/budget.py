"""The work that compiling one puzzle may take, and the tables that are kept for the next ones.

Whoever writes a puzzle decides how large its automata and sets grow, so the functions that build
them count their work. One unit is about a microsecond of Python, or a few dozen array elements, and
stands for 100 bytes at most. The count depends on the puzzle alone: a table from the cache costs as
much as one that is built now, and a table that several constraints share is counted once.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

Given = ParamSpec("Given")
Made = TypeVar("Made")
Costs = dict[Hashable, int]  # of tables

ELEMENTS = 20  # of an array, which cost one unit
_MOST_KEPT = 3_000_000  # units of all tables in the cache of a process; one may be larger


class OverBudget(Exception):
    """The work for a puzzle exceeds its budget; `spent` is the work so far."""

    def __init__(self, spent: int) -> None:
        super().__init__(spent)
        self.spent = spent


class Budget:
    """Counts the work for one puzzle, and raises OverBudget when it exceeds `limit`."""

    def __init__(self, limit: float) -> None:
        self.spent = 0
        self.tables: dict[Hashable, Any] = {}  # those that are paid for
        self._limit = limit
        self._building: list[Costs] = []  # what the tables under construction cost

    def charge(self, work: int) -> None:
        """Count work; that of a table under construction is paid when the table is complete.

        Each table has a bound of its own. To stop within one would make the count of a puzzle
        depend on what is in the cache.
        """
        if not self._building:
            self._spend(work)
            return
        own = self._building[-1][None] = self._building[-1].get(None, 0) + work
        if own > self._limit:  # whatever else the puzzle has
            raise OverBudget(self.spent + own)

    def _spend(self, work: int) -> None:
        self.spent += work
        if self.spent > self._limit:
            raise OverBudget(self.spent)

    def build(self, table: Hashable, make: Callable[[], Made]) -> tuple[Made, Costs]:
        """Return a table, and the costs of the tables that it is made of, its own last."""
        costs: Costs = {}
        self._building.append(costs)
        try:
            made = make()
        finally:
            self._building.pop()
        costs[table] = costs.pop(None, 0) + 1
        return made, costs

    def pay(self, costs: Costs) -> None:
        """Count the costs of tables that are not paid for yet."""
        for table, work in costs.items():
            if self._building:
                self._building[-1].setdefault(table, work)
            if table not in self.tables:
                self.tables[table] = None
                self._spend(work)


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def spending(limit: float) -> Iterator[Budget]:
    """Count the work that is done in the `with` block, up to a limit."""
    budget = Budget(limit)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


def charge(work: int) -> None:
    """Count work, where there is a budget; called before memory is allocated."""
    budget = _current.get()
    if budget is not None:
        budget.charge(work)


class _Cache:
    """The tables that were used last, as many as their costs allow; for all threads."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Hashable, tuple[Any, Costs]] = OrderedDict()
        self._work = 0
        self._lock = Lock()

    def get(self, table: Hashable) -> tuple[Any, Costs] | None:
        with self._lock:
            found = self._tables.get(table)
            if found is not None:
                self._tables.move_to_end(table)
            return found

    def put(self, table: Hashable, found: tuple[Any, Costs]) -> None:
        with self._lock:
            if table in self._tables:
                return
            self._tables[table] = found
            self._work += found[1][table]
            while self._work > _MOST_KEPT and len(self._tables) > 1:
                oldest, (_, costs) = self._tables.popitem(last=False)
                self._work -= costs[oldest]

    def clear(self) -> None:
        with self._lock:
            self._tables.clear()
            self._work = 0


_cache = _Cache()


def forget_tables() -> None:
    """Empty the cache, for tests and benchmarks."""
    _cache.clear()


def kept_table(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Keep the results of a function that builds tables, and count what each of them costs.

    It is called with hashable arguments, as a function with an `lru_cache` is.
    """

    @wraps(make)
    def made(*args: Given.args, **options: Given.kwargs) -> Made:
        table = make, args, tuple(sorted(options.items()))
        budget = _current.get()
        if budget is not None and budget.tables.get(table) is not None:
            found = cast("tuple[Made, Costs]", budget.tables[table])
        else:
            found = _cache.get(table) or _build(table, lambda: make(*args, **options), budget)
        if budget is not None:
            budget.pay(found[1])
            budget.tables[table] = found  # not built twice for a puzzle, whatever the cache has
        return found[0]

    return made


def _build(table: Hashable, make: Callable[[], Made], budget: Budget | None) -> tuple[Made, Costs]:
    if budget is None:
        with spending(float("inf")) as unbounded:
            return _build(table, make, unbounded)
    found = budget.build(table, make)
    _cache.put(table, found)
    return found
