"""A vector of thirty-two 32-bit words as a type of Numba's, with the ordinary operators.

LLVM lowers it to what the processor has: two registers with AVX-512, four with AVX2, eight
with SSE2 or NEON. Words wrap around; a shift by 32 or more is undefined. An integer beside a
vector stands for a vector of equal words. Only compiled functions can use one.

How a type is added to Numba: https://numba.readthedocs.io/en/stable/extending/
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.extending import lower_builtin, models, register_model, type_callable

LANES = 32
SHORT_LANES = 16
_BYTES = 4 * LANES
_ALIGNMENT = 64  # of a row: no vector register is wider
_WORD = ir.IntType(32)

# Callers leave out the typing context, of which Numba's own annotations know nothing.
intrinsic: Any = extending.intrinsic

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
    """The type of a vector of some number of words in compiled code."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lowered = ir.VectorType(_WORD, lanes)
        self.zero = ir.Constant(self.lowered, [0] * lanes)
        super().__init__(name=f"Vector{lanes}")


VECTOR = VectorType(LANES)
SHORT = VectorType(SHORT_LANES)


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.lowered)


def _splat(builder: Any, kind: VectorType, value: Any) -> Any:
    """Return the instruction for a vector of equal words."""
    width = value.type.width
    word = builder.trunc(value, _WORD) if width > 32 else builder.zext(value, _WORD)
    nothing = ir.Constant(kind.lowered, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.Constant(_WORD, 0))
    return builder.shuffle_vector(first, nothing, kind.zero)


def _define(operation: Callable[..., Any], instruction: str) -> None:
    @type_callable(operation)
    def _type(context: Any) -> Any:
        def typer(left: Any, right: Any) -> Any:
            vectors = {kind for kind in (left, right) if isinstance(kind, VectorType)}
            if len(vectors) != 1:
                return None
            kind = vectors.pop()
            fits = all(side is kind or isinstance(side, types.Integer) for side in (left, right))
            return kind if fits else None

        return typer

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
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
def _type_invert(context: Any) -> Any:
    return lambda vector: vector if isinstance(vector, VectorType) else None


@lower_builtin(operator.invert, VectorType)
def _lower_invert(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.not_(arguments[0])


def _address(context: Any, builder: Any, kind: Any, array: Any, offset: Any, to: Any) -> Any:
    """Return the address `offset` bytes into an array."""
    data = context.make_array(kind)(context, builder, array).data
    place = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [offset])
    return builder.bitcast(place, to.as_pointer())


@intrinsic
def load(typing_context, array, row):  # type: ignore[no-untyped-def]
    """Return row `row` of an aligned array (rows, LANES) of uint32; see `aligned`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        offset = builder.mul(arguments[1], ir.Constant(ir.IntType(64), _BYTES))
        place = _address(context, builder, signature.args[0], arguments[0], offset, VECTOR.lowered)
        return builder.load(place, align=_ALIGNMENT)

    return VECTOR(array, types.intp), generate


@intrinsic
def store(typing_context, array, row, vector):  # type: ignore[no-untyped-def]
    """Write a vector to row `row` of an aligned array (rows, LANES) of uint32."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        offset = builder.mul(arguments[1], ir.Constant(ir.IntType(64), _BYTES))
        place = _address(context, builder, signature.args[0], arguments[0], offset, VECTOR.lowered)
        builder.store(arguments[2], place, align=_ALIGNMENT)
        return context.get_dummy_value()

    return types.void(array, types.intp, VECTOR), generate


@intrinsic
def load_short(typing_context, array, start):  # type: ignore[no-untyped-def]
    """Return sixteen words from place `start` of a flat array of uint32; any alignment."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        offset = builder.shl(arguments[1], ir.Constant(ir.IntType(64), 2))
        place = _address(context, builder, signature.args[0], arguments[0], offset, SHORT.lowered)
        return builder.load(place, align=4)

    return SHORT(array, types.intp), generate


@intrinsic
def load_word(typing_context, array, offset):  # type: ignore[no-untyped-def]
    """Return four bytes of an array of uint8 as one little-endian word; any alignment."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature.args[0], arguments[0], arguments[1], _WORD)
        return builder.load(place, align=1)

    return types.uint32(array, types.intp), generate


@intrinsic
def store_word(typing_context, array, offset, word):  # type: ignore[no-untyped-def]
    """Write a word as four little-endian bytes into an array of uint8; any alignment."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature.args[0], arguments[0], arguments[1], _WORD)
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint32), generate


def copier(*, words: int, step: int, target_step: int) -> Any:
    """Return a function for compiled code, copy(source, start, target, target_start).

    It copies `words` words, each so many words after the last, from one array of uint32 to
    another. They are written out one by one, since LLVM would make slow gathers and scatters
    of a loop.
    """

    @intrinsic
    def copy(typing_context, source, start, target, target_start):  # type: ignore[no-untyped-def]
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source, start, target, target_start = arguments
            for number in range(words):
                ways = ((0, source, start, step), (2, target, target_start, target_step))
                places = []
                for argument, array, first, way in ways:
                    offset = builder.add(first, ir.Constant(first.type, number * way))
                    offset = builder.shl(offset, ir.Constant(first.type, 2))
                    kind = signature.args[argument]
                    places.append(_address(context, builder, kind, array, offset, _WORD))
                builder.store(builder.load(places[0]), places[1])
            return context.get_dummy_value()

        return types.void(source, types.intp, target, types.intp), generate

    return copy


@intrinsic
def align_stack(typing_context):  # type: ignore[no-untyped-def]
    """Make the function it stands in keep vectors that find no register at aligned addresses.

    LLVM decides on the alignment of a stack before it knows of those vectors, so a variable
    that nothing removes must ask for it. Without it, sweeps take a sixth longer.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        with builder.goto_entry_block():
            variable = builder.alloca(ir.VectorType(_WORD, _ALIGNMENT // 4))
        variable.align = _ALIGNMENT
        nothing = ir.FunctionType(ir.VoidType(), [variable.type])
        builder.asm(nothing, "", "r", [variable], side_effect=True)
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def splat(typing_context, word):  # type: ignore[no-untyped-def]
    """Return a vector of equal words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, VECTOR, arguments[0])

    return VECTOR(types.uint32), generate


@intrinsic
def nonzero(typing_context, vector):  # type: ignore[no-untyped-def]
    """Return a bit for each lane, bit 0 for the first: whether its word is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flags = builder.icmp_unsigned("!=", arguments[0], vector.zero)
        return builder.zext(builder.bitcast(flags, ir.IntType(vector.lanes)), _WORD)

    return types.uint32(vector), generate


@intrinsic
def lowest_bit(typing_context, word):  # type: ignore[no-untyped-def]
    """Return the place of the lowest bit that is set, 0…31; at least one must be."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.zext(zeros, ir.IntType(64))

    return types.intp(types.uint32), generate
