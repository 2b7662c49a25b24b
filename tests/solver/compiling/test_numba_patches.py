"""Numba's private APIs are listed and exist, and one switch turns the patches off."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from paths import ROOT

from solver.compiling import numba_patches

COMPILING = ROOT / "solver" / "compiling"
_ENTRY = re.compile(r"^    (numba\.[\w.]+)(?:: ((?:\w+,\s+)*\w+))?$", re.MULTILINE)
LISTED = {
    name: re.findall(r"\w+", members or "")
    for name, members in _ENTRY.findall(numba_patches.__doc__ or "")
}


def _numba_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba.core"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _find(name: str) -> Any:
    """Import the module or attribute with a dotted name."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except AttributeError:
        return importlib.import_module(name)


def test_every_private_import_is_listed_with_its_reason() -> None:
    imported = {name for path in COMPILING.rglob("*.py") for name in _numba_imports(path)}
    modules = {name for name in imported if isinstance(_find(name), ModuleType)}
    assert imported - modules <= LISTED.keys()
    for module in modules:
        assert any(name == module or name.startswith(f"{module}.") for name in LISTED)


@pytest.mark.parametrize("name", [*LISTED])
def test_installed_numba_has_each_private_api(name: str) -> None:
    found = _find(name)
    classes = inspect.getmro(found) if inspect.isclass(found) else ()
    sources = "".join(
        inspect.getsource(each) for each in classes if each.__module__.startswith("numba.")
    )
    for member in LISTED[name]:
        assert hasattr(found, member) or re.search(rf"\bself\.{member}\b", sources), member


def _overrides() -> Iterator[Any]:
    for path in (COMPILING / "numba_patches").glob("[!_]*.py"):
        module = importlib.import_module(f"solver.compiling.numba_patches.{path.stem}")
        for each in vars(module).values():
            if inspect.isclass(each) and each.__module__ == module.__name__:
                parent = each.__mro__[1]
                for name, method in vars(each).items():
                    if inspect.isfunction(method) and hasattr(parent, name) and name[0] != "_":
                        yield pytest.param(method, getattr(parent, name), id=method.__qualname__)


@pytest.mark.parametrize(("override", "original"), [*_overrides()])
def test_overridden_methods_take_the_same_arguments_as_in_numba(
    override: Any, original: Any
) -> None:
    arguments = inspect.signature(override).parameters
    inspect.signature(original).bind(*arguments)


_PROGRAM = """
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Record
from numba.core.types.functions import BaseFunction
from solver.compiling.jit import PATCHED, compiled, helper, kernel

@kernel
def square(number):
    return number * number

@helper
def squares(numbers):
    found = np.empty_like(numbers)
    for i in range(len(numbers)):
        found[i] = square(numbers[i])
    return found

@compiled
def sum_of_squares(numbers):
    return squares(numbers).sum()

patched = [
    type(square).__module__, BaseFunction.get_call_type.__module__,
    Record.mangling_args.fget.__module__,
]
print(PATCHED, sum_of_squares(np.arange(4)), *patched)
"""


@pytest.mark.parametrize("value", ["0", "1", None])
def test_one_variable_turns_all_patches_off(tmp_path: Path, value: str | None) -> None:
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM)
    variables = {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment = {**os.environ, **variables}
    environment.pop("SUDOKUQ_NUMBA_PATCHES", None)
    if value is not None:
        environment["SUDOKUQ_NUMBA_PATCHES"] = value
    command = [sys.executable, str(program)]
    patched, result, *modules = subprocess.check_output(command, env=environment, text=True).split()
    assert result == "14"
    assert patched == str(value != "0")
    are_ours = ["numba_patches" in module for module in modules]
    assert are_ours == [value != "0"] * 3
    assert bool([*(tmp_path / "cache").rglob("*.nbc")]) == (value != "0")
