"""Bit operations on 64-bit words, signed or unsigned, for compiled code.

Numba promotes the sum of an unsigned word and a Python integer to a float. So use the constants
below, not Python integers, with unsigned words. In signed words, all 64 bits are used, too, and the
sign is bit 63.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from solver.compiling.codegen import (
    Builder,
    Context,
    NumbaType,
    Signature,
    Value,
    Values,
    intrinsic,
)
from solver.compiling.jit import always_inline

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL_ONES = ~ZERO

_types: Any = types  # Numba's annotations are incomplete.
_WORD = ir.IntType(64)
_DEFINED = ir.Constant(ir.IntType(1), 0)  # LLVM's results for zero are defined


def _operation(*, returns: NumbaType = None) -> Callable[[Callable[[Builder, Value], Value]], Any]:
    """Return a decorator that turns a code generator into an operation for compiled functions.

    The generator gets an LLVM builder and a 64-bit value, and returns the value of the operation.
    The operation's result has the Numba type `returns`, or by default the type of its argument.
    """

    def define(build: Callable[[Builder, Value], Value]) -> Any:
        def operation(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
            def generate(
                context: Context, builder: Builder, signature: Signature, arguments: Values
            ) -> Value:
                word = context.cast(builder, arguments[0], signature.args[0], types.int64)
                return build(builder, word)

            return (returns or _types.unliteral(word))(word), generate

        operation.__name__, operation.__doc__ = build.__name__, build.__doc__
        return intrinsic(operation)

    return define


@_operation(returns=types.int64)
def popcount(builder: Builder, word: Value) -> Value:
    """Return the number of set bits."""
    return builder.ctpop(word)


@_operation(returns=types.int64)
def ctz(builder: Builder, word: Value) -> Value:
    """Return the index of the lowest set bit, or 64 if the word is zero."""
    return builder.cttz(word, _DEFINED)


@_operation(returns=types.int64)
def msb(builder: Builder, word: Value) -> Value:
    """Return the index of the highest set bit, or −1 if the word is zero."""
    return builder.sub(ir.Constant(_WORD, 63), builder.ctlz(word, _DEFINED))


@_operation()
def lowest_bit(builder: Builder, word: Value) -> Value:
    """Return a word with only the lowest set bit of `word`, or zero if the word is zero."""
    return builder.and_(word, builder.neg(word))


@_operation()
def reverse_bits(builder: Builder, word: Value) -> Value:
    """Return the word with its 64 bits reversed: bit 0 becomes bit 63."""
    return builder.bitreverse(word)


@always_inline
def at_most_one_bit(word: np.uint64) -> Any:
    """Return whether an unsigned word has at most one bit set. That includes zero."""
    return word & (word - ONE) == ZERO


@always_inline
def has_gaps(word: np.uint64) -> Any:
    """Return whether an unsigned word has a clear bit between its lowest and highest set bits."""
    return word & (word + lowest_bit(word)) != ZERO
