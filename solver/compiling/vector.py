"""A Numba type for vectors of 32-bit words, with the usual operators.

The number of words in a vector, its lanes, is part of the type: `vectors` creates an array whose
items are vectors, and compiled functions are specialized for the lanes of their arguments. LLVM
lowers a vector to one or several registers of the processor. Arithmetic wraps around at 32 bits. A
shift by 32 or more is undefined. An integer operand is broadcast to all lanes. Outside of arrays,
vectors exist only in compiled functions.

How to add a type to Numba: https://numba.readthedocs.io/en/stable/extending/
"""

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable
from numpy.typing import NDArray

from solver.compiling.codegen import (
    Builder,
    Context,
    NumbaType,
    Signature,
    Value,
    Values,
    intrinsic,
)

_WORDS = "words"  # the only field of an array's items
SHORT_LANES = 8
ALIGNMENT = 64  # alignment of vector arrays in bytes, the size of the widest registers
WORD = ir.IntType(32)

_OPERATORS = {
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.add: "add",
    operator.sub: "sub",
    operator.lshift: "shl",
    operator.rshift: "lshr",
}


class VectorType(types.Type):
    """The Numba type of a vector with a given number of words."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lowered = ir.VectorType(WORD, lanes)
        self.zero = ir.Constant(self.lowered, [0] * lanes)
        super().__init__(name=f"Vector{lanes}")


Vectors = NDArray[np.void]  # made by `vectors`
_SHORT = VectorType(SHORT_LANES)


@cache
def _item(lanes: int) -> np.dtype[np.void]:
    return np.dtype([(_WORDS, np.uint32, (lanes,))])


def vectors(rows: int, lanes: int) -> Vectors:
    """Return an array (rows,) of zero vectors with this many lanes.

    Its field "words" is (rows, lanes) uint32. The array is aligned to 64 bytes, so that none of its
    vectors crosses a cache line.
    """
    raw = np.zeros(rows * lanes + ALIGNMENT // 4, np.uint32)
    start = -raw.ctypes.data % ALIGNMENT // 4
    return raw[start : start + rows * lanes].view(_item(lanes))


def vector_type(array: NumbaType) -> VectorType:
    """Return the type of the vectors in an array, given the Numba type of the array."""
    return VectorType(array.dtype.fields[_WORDS].type.shape[0])


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: NumbaType, kind: VectorType) -> None:
        super().__init__(manager, kind, kind.lowered)


def _splat(builder: Builder, kind: VectorType, value: Value) -> Value:
    """Generate code for a vector in which every word is `value`, an integer of any width."""
    width = value.type.width
    word = builder.trunc(value, WORD) if width > 32 else builder.zext(value, WORD)
    nothing = ir.Constant(kind.lowered, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.Constant(WORD, 0))
    return builder.shuffle_vector(first, nothing, kind.zero)


def _define(operation: Callable[..., Any], instruction: str) -> None:
    @type_callable(operation)
    def _type(context: Context) -> Callable[..., NumbaType]:
        def typer(left: NumbaType, right: NumbaType) -> VectorType | None:
            vectors = {kind for kind in (left, right) if isinstance(kind, VectorType)}
            if len(vectors) != 1:
                return None
            kind = vectors.pop()
            fits = all(side is kind or isinstance(side, types.Integer) for side in (left, right))
            return kind if fits else None

        return typer

    def lower(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        left, right = (
            value
            if kind is signature.return_type
            else _splat(builder, signature.return_type, value)
            for kind, value in zip(signature.args, arguments, strict=True)
        )
        return getattr(builder, instruction)(left, right)

    for kinds in (
        (VectorType, VectorType),
        (VectorType, types.Integer),
        (types.Integer, VectorType),
    ):
        lower_builtin(operation, *kinds)(lower)


for _operation, _instruction in _OPERATORS.items():
    _define(_operation, _instruction)


@type_callable(operator.invert)
def _type_invert(context: Context) -> Callable[..., NumbaType]:
    return lambda vector: vector if isinstance(vector, VectorType) else None


@lower_builtin(operator.invert, VectorType)
def _lower_invert(
    context: Context, builder: Builder, signature: Signature, arguments: Values
) -> Value:
    return builder.not_(arguments[0])


def address_of(
    context: Context, builder: Builder, kind: NumbaType, array: Value, offset: Value, to: Value
) -> Value:
    """Generate the address `offset` bytes into an array, as a pointer to type `to`.

    `kind` is the array's Numba type.
    """
    data = context.make_array(kind)(context, builder, array).data
    place = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [offset])
    return builder.bitcast(place, to.as_pointer())


def vector_address(
    context: Context, builder: Builder, kind: NumbaType, array: Value, row: Value
) -> tuple[Value, int]:
    """Generate the address of the vector at index `row` of an array. Also return its alignment.

    `kind` is the array's Numba type. The alignment is in bytes.
    """
    vector = vector_type(kind)
    size = 4 * vector.lanes
    offset = builder.mul(row, ir.Constant(row.type, size))
    place = address_of(context, builder, kind, array, offset, vector.lowered)
    return place, min(size, ALIGNMENT)


def _word_address(
    context: Context, builder: Builder, kind: NumbaType, array: Value, row: Value, lane: Value
) -> Value:
    """Generate the address of the word in one lane of the vector at index `row` of an array.

    `kind` is the array's Numba type.
    """
    lanes = ir.Constant(row.type, vector_type(kind).lanes)
    offset = builder.shl(builder.add(builder.mul(row, lanes), lane), ir.Constant(row.type, 2))
    return address_of(context, builder, kind, array, offset, WORD)


@intrinsic
def lane_count(typing_context, array):  # type: ignore[no-untyped-def]
    """Return the number of lanes of an array's vectors, as a constant that LLVM can see."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        return ir.Constant(ir.IntType(64), vector_type(signature.args[0]).lanes)

    return types.intp(array), generate


@intrinsic
def load(typing_context, array, row):  # type: ignore[no-untyped-def]
    """Return the vector at index `row` of an array made by `vectors`."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        place, alignment = vector_address(context, builder, signature.args[0], *arguments)
        return builder.load(place, align=alignment)

    return vector_type(array)(array, types.intp), generate


@intrinsic
def store(typing_context, array, row, vector):  # type: ignore[no-untyped-def]
    """Write a vector to index `row` of an array made by `vectors`."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        place, alignment = vector_address(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], place, align=alignment)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector_type(array)), generate


@intrinsic
def load_lane(typing_context, array, row, lane):  # type: ignore[no-untyped-def]
    """Return the word in one lane of the vector at index `row` of an array."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        return builder.load(_word_address(context, builder, signature.args[0], *arguments))

    return types.uint32(array, types.intp, types.intp), generate


@intrinsic
def store_lane(typing_context, array, row, lane, word):  # type: ignore[no-untyped-def]
    """Write a word to one lane of the vector at index `row` of an array."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        place = _word_address(context, builder, signature.args[0], *arguments[:3])
        builder.store(arguments[3], place)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, types.uint32), generate


def gatherer(words: int) -> Any:
    """Return a compiled function gather(array, row, lane).

    It collects the words in one lane of the vectors `row`, `row` + 1, … of an array. It returns a
    vector of eight lanes: the first `words` lanes hold the collected words, and the others are
    zero.
    """

    @intrinsic
    def gather(typing_context, array, row, lane):  # type: ignore[no-untyped-def]
        def generate(
            context: Context, builder: Builder, signature: Signature, arguments: Values
        ) -> Value:
            array, row, lane = arguments
            vector = _SHORT.zero
            for number in range(words):
                here = builder.add(row, ir.Constant(row.type, number))
                place = _word_address(context, builder, signature.args[0], array, here, lane)
                vector = builder.insert_element(
                    vector, builder.load(place), ir.Constant(WORD, number)
                )
            return vector

        return _SHORT(array, types.intp, types.intp), generate

    return gather


def copier(words: int) -> Any:
    """Return a compiled function copy(source, lane, target, target_lane).

    It copies the words in one lane of the first `words` vectors of an array to a lane of another
    array. If an array has vectors of one word, its words are contiguous, and `lane` is the index of
    the first one.
    """

    @intrinsic
    def copy(typing_context, source, lane, target, target_lane):  # type: ignore[no-untyped-def]
        def generate(
            context: Context, builder: Builder, signature: Signature, arguments: Values
        ) -> Value:
            # The copies are unrolled. LLVM would turn a loop into slow gathers and scatters.
            source, lane, target, target_lane = arguments
            kinds = signature.args[0], signature.args[2]
            for number in range(words):
                row = ir.Constant(lane.type, number)
                place = _word_address(context, builder, kinds[0], source, row, lane)
                to = _word_address(context, builder, kinds[1], target, row, target_lane)
                builder.store(builder.load(place), to)
            return context.get_dummy_value()

        return types.void(source, types.intp, target, types.intp), generate

    return copy


@intrinsic
def align_stack(typing_context):  # type: ignore[no-untyped-def]
    """Make the calling function align its stack for spilled vectors.

    LLVM chooses the stack alignment before it knows which vectors it will spill. A variable that
    can't be optimized away requests the alignment. Without it, sweeps take a sixth longer.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        with builder.goto_entry_block():
            variable = builder.alloca(ir.VectorType(WORD, ALIGNMENT // 4))
        variable.align = ALIGNMENT
        nothing = ir.FunctionType(ir.VoidType(), [variable.type])
        builder.asm(nothing, "", "r", [variable], side_effect=True)
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def not_unrolled(typing_context, number):  # type: ignore[no-untyped-def]
    """Return `number`, but hide its value from LLVM, so that loops up to it aren't unrolled.

    Unrolling long loops would make the code too large for the processor's cache of decoded
    instructions.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        word = ir.IntType(64)
        return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", arguments, side_effect=False)

    return types.intp(types.intp), generate


@intrinsic
def splat(typing_context, array, word):  # type: ignore[no-untyped-def]
    """Return a vector that holds `word` in every lane.

    It has as many lanes as the vectors of `array`.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        return _splat(builder, signature.return_type, arguments[1])

    return vector_type(array)(array, types.uint32), generate


@intrinsic
def nonzero(typing_context, vector):  # type: ignore[no-untyped-def]
    """Return a word with one bit per lane, bit 0 for the first: 1 if the lane isn't zero."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        flags = builder.icmp_unsigned("!=", arguments[0], vector.zero)
        return builder.zext(builder.bitcast(flags, ir.IntType(vector.lanes)), WORD)

    return types.uint32(vector), generate


@intrinsic
def minimum(typing_context, left, right):  # type: ignore[no-untyped-def]
    """Return the lane-wise minimum of two vectors. All words must be less than 2^31."""

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        return builder.select(builder.icmp_signed("<", *arguments), *arguments)

    return left(left, right), generate


@intrinsic
def ctz32(typing_context, word):  # type: ignore[no-untyped-def]
    """Return the index of the lowest set bit, 0 … 31, as an unsigned word.

    The word must not be zero.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint32(types.uint32), generate
