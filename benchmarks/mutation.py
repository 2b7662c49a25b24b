"""Mutation testing of `solver.checks`: change one operator or number, and see whether a test fails.

    python benchmarks/mutation.py [MODULE …] [--sample N] [--seed N]

Every other guarantee about results rests on the checks, so their tests have to notice changes.
Prints the mutants that survive, then the figures. `benchmarks/results/mutation-testing.md` records
a run.

Each mutant lives in a fork of this process, which has imported everything and loaded all compiled
code. There it replaces the code of the functions that differ. `boards` runs in Python instead of
being compiled, and `classic` is compiled for each mutant.
"""

import argparse
import ast
import gc
import importlib
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    f"solver.checks.{path.relative_to(ROOT / 'solver/checks').with_suffix('').as_posix()}".replace(
        "/", "."
    )
    for path in sorted((ROOT / "solver/checks").rglob("*.py"))
    if path.name != "__init__.py"
]
FOLDER = "tests/solver/checks/"
TESTS = {  # the tests of each module, and those of all others
    "givens": [FOLDER + "test_givens.py"],
    "boards": [FOLDER + "test_verification.py"],
    "classic": [FOLDER + "test_verification.py"],
    "verification": [FOLDER + "test_verification.py", FOLDER + "test_rule_checks.py"],
    "constraints": [FOLDER + "test_verification.py", FOLDER + "test_rule_checks.py"],
    "": [FOLDER + "test_rule_checks.py"],
}
MOST_SECONDS = 120  # A mutant that takes longer counts as killed, because it loops forever.

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}  # fmt: skip
NOT_CODE = ("annotation", "returns", "decorator_list")
NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield changed versions of a syntax tree node, such as one with another operator.

    Yields nothing for nodes of other types than those that can be changed.
    """
    changed = deepcopy(node)
    match changed:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARISONS:
            changed.ops[0] = COMPARISONS[type(op)]()
            yield changed
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            changed.op = OPERATORS[type(op)]()
            yield changed
        case ast.BoolOp(op=op):
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield changed
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.copy_location(ast.Constant(not value), node)
        case ast.Constant(value=int(value)):
            yield ast.copy_location(ast.Constant(value + 1), node)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            changed.id = NAMES[name]
            yield changed
        case ast.comprehension(ifs=[_, *_]):
            changed.ifs.pop()
            yield changed


def code_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and then its descendants, in order, without annotations and decorators."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if name not in NOT_CODE and isinstance(child, ast.AST):
                yield from code_nodes(child)


def mutants(tree: ast.Module) -> Iterator[tuple[int, ast.Module]]:
    """Yield (line, module) for each possible change of a module's syntax tree.

    `line` is the line of the change. The module is a copy of the tree with this change alone.
    """
    for parent in code_nodes(tree):
        for name, value in ast.iter_fields(parent):
            if name in NOT_CODE:
                continue
            nodes = value if isinstance(value, list) else [value]
            for place, node in enumerate(nodes):
                for changed in changes(node) if isinstance(node, ast.AST) else ():
                    if isinstance(value, list):
                        value[place] = changed
                    else:
                        setattr(parent, name, changed)
                    line = getattr(node, "lineno", getattr(parent, "lineno", 0))
                    yield line, ast.fix_missing_locations(deepcopy(tree))
                    if isinstance(value, list):
                        value[place] = node
                    else:
                        setattr(parent, name, node)


def functions_of(module: str) -> dict[tuple[str, int], list[FunctionType]]:
    """Return all function objects in memory that belong to a module.

    `module` is the name of the module. Methods and nested functions are included. The result maps
    the qualified name and the first line of a function to all objects with this name and line.
    There are several if the code ran more than once: closures, or a module that was executed again.
    """
    found: dict[tuple[str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__module__ == module:
            key = thing.__qualname__, thing.__code__.co_firstlineno
            found.setdefault(key, []).append(thing)
    return found


def install(module: ModuleType, tree: ast.Module) -> None:
    """Replace the code of a loaded module with that of a mutant.

    Functions are changed in place, so that modules that imported them use the mutant, too. This
    doesn't work for `boards` and `classic`, which are compiled. They get new functions instead.
    """
    code = compile(tree, str(module.__file__), "exec")
    last = module.__name__.rpartition(".")[2]
    if last in ("boards", "classic"):
        jit: Any = importlib.import_module("solver.compiling.jit")
        jit.compiled = jit.compiled_without_cache
        if last == "boards":
            jit.compiled = jit.kernel = lambda function: function
        exec(code, module.__dict__)
        return
    old = functions_of(module.__name__)
    names = {"__name__": module.__name__, "__file__": module.__file__}
    exec(code, names)
    new = functions_of(module.__name__)
    for key, functions in old.items():
        fresh = [function for function in new.get(key, ()) if function not in functions]
        for function in functions if fresh else ():
            function.__code__ = fresh[0].__code__
    for name, value in vars(module).items():
        if isinstance(value, int | str | tuple) and not name.startswith("__"):
            setattr(module, name, names[name])
        with suppress(AttributeError):
            value.cache_clear()


def is_killed(module: ModuleType, tree: ast.Module) -> bool:
    """Return whether the tests of a module fail with a mutant, in a child process.

    `tree` is the mutant's syntax tree. A mutant that takes too long counts as killed.
    """
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.alarm(MOST_SECONDS)
        try:
            install(module, tree)
            status = int(run_tests(module.__name__))
        except BaseException:
            status = 1
        os._exit(status)
    _, status = os.waitpid(child, 0)
    return status != 0


def run_tests(module: str) -> int:
    """Run the tests of a module until one fails, and return pytest's exit status."""
    tests = TESTS.get(module.rpartition(".")[2], TESTS[""])
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests])


def main() -> None:
    """Run the tests on the mutants of each module, and print the mutants that survive.

    Exits with a message if the tests fail without a mutant, or with an unchanged copy of a module.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="*", default=MODULES, metavar="MODULE")
    parser.add_argument("--sample", type=int, help="at most this many mutants of each module")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.chdir(ROOT)
    total: Counter[str] = Counter()
    for name in options.modules:
        if run_tests(name):
            sys.exit("the tests fail without any mutant")
        module = importlib.import_module(name)
        source = Path(str(module.__file__)).read_text()
        if is_killed(module, ast.parse(source)):
            sys.exit(f"the tests fail with an unchanged copy of {name}")
        every = list(mutants(ast.parse(source)))
        chosen = every
        if options.sample is not None and options.sample < len(every):
            chosen = random.Random(options.seed).sample(every, options.sample)
        began, survived = time.monotonic(), 0
        for line, tree in chosen:
            if is_killed(module, tree):
                continue
            survived += 1
            before, after = source.splitlines()[line - 1].strip(), difference(source, tree, line)
            print(f"  {name}:{line}: {before}\n    → {after}", flush=True)
        seconds = time.monotonic() - began
        total.update(mutants=len(every), tested=len(chosen), survived=survived)
        print(f"{name}: {len(every)} mutants, {len(chosen)} tested, {survived} survived, "
              f"{seconds:.0f} s", flush=True)  # fmt: skip
    print(dict(total))


def difference(source: str, tree: ast.Module, line: int) -> str:
    """Return the first line of a mutant that differs from the source, in normalized form.

    Returns "line N", with the number `line`, if none differs.
    """
    old = ast.unparse(ast.parse(source)).splitlines()
    new = ast.unparse(tree).splitlines()
    return next((b.strip() for a, b in zip(old, new, strict=False) if a != b), f"line {line}")


if __name__ == "__main__":
    main()
