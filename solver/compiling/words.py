"""Bits of signed words in compiled code.

Numba widens a sum of an unsigned word and a plain number to a float; signed words stay words.
All 64 bits count: the sign is bit 63.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import extending

# Callers leave out the typing context, of which Numba's own annotations know nothing.
_intrinsic: Any = extending.intrinsic
_WORD = ir.IntType(64)


@_intrinsic
def ones(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return how many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.ctpop(word)

    return types.int64(word), generate


@_intrinsic
def lowest(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the place of the lowest bit of a word; 64 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.cttz(word, ir.Constant(ir.IntType(1), 0))

    return types.int64(word), generate


@_intrinsic
def highest(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the place of the highest bit of a word; −1 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        zeros = builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_WORD, 63), zeros)

    return types.int64(word), generate
