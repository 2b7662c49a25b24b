"""Limit the work for compiling one puzzle, and cache the tables that puzzles share.

The author of a puzzle decides how large its automata and sets grow, so the functions that build
them count their work. One unit is about a microsecond of Python or a few dozen array elements, and
represents at most 100 bytes. The count depends on the puzzle alone: a cached table costs as much as
one that is built now, and a table that several constraints share is counted once.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
Costs = dict[Hashable, int]  # cost per table

ELEMENTS = 20  # array elements per unit
_MOST_KEPT = 3_000_000  # units of all cached tables of a process; a single table can exceed it


class OverBudget(Exception):
    """The work for a puzzle exceeds its budget. `spent` is the work so far, in units."""

    def __init__(self, spent: int) -> None:
        super().__init__(spent)
        self.spent = spent


class Budget:
    """Counts the work for one puzzle, and raises OverBudget when it exceeds `limit`.

    `spent` is the work so far. The keys of `tables` are those of the tables that are paid for.
    """

    def __init__(self, limit: float) -> None:
        self.spent = 0
        self.tables: dict[Hashable, Any] = {}  # tables that are paid for
        self._limit = limit
        self._building: list[Costs] = []  # the costs of the tables under construction

    def charge(self, work: int) -> None:
        """Add to the work spent, and raise OverBudget if that exceeds the limit.

        While a table is being built, the work is added to the cost of the table instead. `pay`
        spends this cost later. Then OverBudget is raised only if the table alone exceeds the limit,
        because the count must not depend on which tables are already in the cache.
        """
        if not self._building:
            self._spend(work)
            return
        own = self._building[-1][None] = self._building[-1].get(None, 0) + work
        if own > self._limit:  # regardless of the rest of the puzzle
            raise OverBudget(self.spent + own)

    def _spend(self, work: int) -> None:
        self.spent += work
        if self.spent > self._limit:
            raise OverBudget(self.spent)

    @property
    def is_building(self) -> bool:
        """Whether a table is being built, whose cost includes those of the tables in it."""
        return bool(self._building)

    def build(self, table: Hashable, make: Callable[[], Made]) -> tuple[Made, Costs]:
        """Build a table with `make`. Return it with the costs of all tables that it consists of.

        `table` is the key of the table. The costs map the keys of the tables to their own costs,
        without those of the tables that they contain. The key `table` comes last. Nothing is spent
        yet, see `pay`. Raises OverBudget if the table alone costs more than the limit.
        """
        costs: Costs = {}
        self._building.append(costs)
        try:
            made = make()
        finally:
            self._building.pop()
        costs[table] = costs.pop(None, 0) + 1
        return made, costs

    def pay(self, costs: Costs) -> None:
        """Spend the costs of those tables that this puzzle hasn't paid for yet.

        `costs` is a result of `build`. If another table is being built, all of `costs` become part
        of its costs as well. Raises OverBudget if the work spent exceeds the limit.
        """
        for table, work in costs.items():
            if self._building:
                self._building[-1].setdefault(table, work)
            if table not in self.tables:
                self.tables[table] = None
                self._spend(work)


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def spending(limit: float) -> Iterator[Budget]:
    """Count the work that is done in the `with` block, and raise OverBudget above the limit.

    Yields the budget, which counts the calls of `charge` in this block, but not in inner blocks.
    """
    budget = Budget(limit)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


def charge(work: int) -> None:
    """Add to the work spent in the current `spending` block, if there is one.

    Raises OverBudget if its limit is exceeded, so call this before the work, and before allocating
    memory.
    """
    budget = _current.get()
    if budget is not None:
        budget.charge(work)


class _Cache:
    """The most recently used tables of all threads, limited by their total cost.

    It maps the key of each table to (table, costs), as `Budget.build` returns them.
    """

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
    """Decorate a function that builds tables, to cache its results and charge their cost.

    All decorated functions of a process share one cache. The work of building a result is charged
    to the budget of the current `spending` block, if there is one, once per block, and also if the
    result comes from the cache. OverBudget is raised if it exceeds the budget. The function must be
    called with hashable arguments.
    """

    @wraps(make)
    def made(*args: Given.args, **options: Given.kwargs) -> Made:
        table = make, args, tuple(sorted(options.items())) if options else ()
        budget = _current.get()
        found: tuple[Made, Costs] | None = None if budget is None else budget.tables.get(table)
        is_paid = found is not None
        if found is None:
            found = _cache.get(table) or _build(table, lambda: make(*args, **options), budget)
        if budget is not None and (budget.is_building or not is_paid):
            budget.pay(found[1])
            # so that the puzzle doesn't build it twice if the cache drops it
            budget.tables[table] = found
        return found[0]

    return made


def _build(table: Hashable, make: Callable[[], Made], budget: Budget | None) -> tuple[Made, Costs]:
    """Make a table, store it in the cache under the key `table`, and return it with its costs.

    If `budget` is None, the costs aren't limited.
    """
    if budget is None:
        with spending(float("inf")) as unbounded:
            return _build(table, make, unbounded)
    found = budget.build(table, make)
    _cache.put(table, found)
    return found
