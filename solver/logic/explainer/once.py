"""Compiling a function once for all numbers that it is called with."""

from collections.abc import Callable
from typing import Any

from numba import types

from solver.compiling.jit import bare

_unliteral: Any = types.unliteral


def once(function: Callable[..., Any]) -> Any:
    """Compile an inner function as `bare` does, but not anew for each constant in a call.

    Numba's version for each constant, and for each mix of them, is most of the time that the
    ladder would take to compile.
    """
    dispatcher = bare(function)
    template_of = dispatcher.get_call_template

    def general(args: Any, kws: Any) -> Any:
        return template_of(tuple(map(_unliteral, args)), kws)

    dispatcher.get_call_template = general
    return dispatcher
