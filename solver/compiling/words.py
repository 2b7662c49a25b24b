"""Bit operations on signed 64-bit words in compiled code.

Numba promotes the sum of an unsigned word and a Python integer to a float. Signed words stay words.
All 64 bits are used, and the sign is bit 63.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import extending

# Callers omit the typing context, which Numba's annotations don't reflect.
_intrinsic: Any = extending.intrinsic
_WORD = ir.IntType(64)


@_intrinsic
def ones(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the population count of a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.ctpop(word)

    return types.int64(word), generate


@_intrinsic
def lowest(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the index of the lowest set bit, or 64 if the word is zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.cttz(word, ir.Constant(ir.IntType(1), 0))

    return types.int64(word), generate


@_intrinsic
def highest(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the index of the highest set bit, or −1 if the word is zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.cast(builder, arguments[0], signature.args[0], types.int64)
        zeros = builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_WORD, 63), zeros)

    return types.int64(word), generate
