"""Load, store, copy, and compare parts of byte arrays that can start at any address."""

from typing import Any

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
from solver.compiling.vector import (
    ALIGNMENT,
    WORD,
    address_of,
    vector_address,
    vector_type,
)

_FOUR = ir.VectorType(WORD, 4)


@intrinsic
def load_word(typing_context, array, offset):  # type: ignore[no-untyped-def]
    """Load the four bytes from byte `offset` of a uint8 array on, as a little-endian word.

    The offset can have any alignment.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        place = address_of(context, builder, signature.args[0], arguments[0], arguments[1], WORD)
        return builder.load(place, align=1)

    return types.uint32(array, types.intp), generate


def byte_copier(number: int) -> Any:
    """Return a compiled function copy(source, offset, target, target_offset).

    It copies `number` bytes from one array to another. Offsets are in bytes, at any alignment.
    """

    @intrinsic
    def copy(typing_context, source, offset, target, target_offset):  # type: ignore[no-untyped-def]
        def generate(
            context: Context, builder: Builder, signature: Signature, arguments: Values
        ) -> Value:
            source, offset, target, target_offset = arguments
            kinds = signature.args[0], signature.args[2]
            for place, to in zip(
                _pieces(context, builder, kinds[0], source, offset, number),
                _pieces(context, builder, kinds[1], target, target_offset, number),
                strict=True,
            ):
                builder.store(builder.load(place, align=1), to, align=1)
            return context.get_dummy_value()

        return types.void(source, types.intp, target, types.intp), generate

    return copy


def comparer(number: int) -> Any:
    """Return a compiled function differ(pattern, found, offset).

    It compares `number` bytes of two arrays, in both of them from the byte `offset` on. It returns
    whether any nonzero byte of `pattern` differs from the byte of `found` at the same offset. Zeros
    of `pattern` match everything.
    """

    @intrinsic
    def differ(typing_context, pattern, found, offset):  # type: ignore[no-untyped-def]
        def generate(
            context: Context, builder: Builder, signature: Signature, arguments: Values
        ) -> Value:
            pattern, found, offset = arguments
            kinds = signature.args
            wrong = ir.Constant(ir.IntType(1), 0)
            for place, other in zip(
                _pieces(context, builder, kinds[0], pattern, offset, number),
                _pieces(context, builder, kinds[1], found, offset, number),
                strict=True,
            ):
                here, there = builder.load(place, align=1), builder.load(other, align=1)
                width = here.type.count
                is_compared = builder.icmp_unsigned("!=", here, ir.Constant(here.type, [0] * width))
                flags = builder.and_(is_compared, builder.icmp_unsigned("!=", here, there))
                word = builder.bitcast(flags, ir.IntType(width))
                some = builder.icmp_unsigned("!=", word, ir.Constant(word.type, 0))
                wrong = builder.or_(wrong, some)
            return wrong

        return types.boolean(pattern, found, types.intp), generate

    return differ


def _pieces(
    context: Context, builder: Builder, kind: NumbaType, array: Value, offset: Value, number: int
) -> list[Value]:
    """Generate pointers to byte vectors that cover `number` bytes of an array from `offset` on.

    Each vector is as wide as possible. They don't overlap.
    """
    done, addresses = 0, []
    while done < number:
        width = min(ALIGNMENT, 1 << (number - done).bit_length() - 1)
        here = builder.add(offset, ir.Constant(offset.type, done))
        piece = ir.VectorType(ir.IntType(8), width)
        addresses.append(address_of(context, builder, kind, array, here, piece))
        done += width
    return addresses


def _transpose_blocks(builder: Builder, rows: list[Value]) -> list[Value]:
    """Generate code that transposes every 4×4 block of words in four vectors.

    Block b consists of the words 4·b to 4·b + 3 of each vector. Returns the four new vectors.
    """
    lanes = rows[0].type.count

    def take(left: Value, right: Value, *words: int) -> Value:
        mask = [block + word for block in range(0, lanes, 4) for word in words]
        constant = ir.Constant(ir.VectorType(WORD, lanes), mask)
        return builder.shuffle_vector(left, right, constant)

    low = [take(rows[i], rows[i + 1], 0, lanes, 1, lanes + 1) for i in (0, 2)]
    high = [take(rows[i], rows[i + 1], 2, lanes + 2, 3, lanes + 3) for i in (0, 2)]
    return [
        take(*half, first, first + 1, lanes + first, lanes + first + 1)
        for half in (low, high)
        for first in (0, 2)
    ]


def _piece_address(
    context: Context, builder: Builder, kind: NumbaType, arguments: Values, lane: int
) -> Value:
    """Generate the address of a lane's 16 bytes in an array, as a pointer to four words.

    `kind` is the array's type. `arguments` are the array, the start, and the stride, as in
    `gather_fours`.
    """
    array, start, stride = arguments
    offset = builder.add(start, builder.mul(stride, ir.Constant(stride.type, lane)))
    return address_of(context, builder, kind, array, offset, _FOUR)


@intrinsic
def gather_fours(typing_context, array, row, source, start, stride):  # type: ignore[no-untyped-def]
    """Read 16 bytes per lane from `source` into four vectors of `array`, from index `row` on.

    The bytes of lane i start at byte `start` + `stride` · i of `source`, at any alignment. Each
    vector gets four of them per lane. `source` is an array of any type. The number of lanes must be
    a power of two, and at least 4.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        kinds = signature.args
        lanes = vector_type(kinds[0]).lanes
        pieces = [
            builder.load(_piece_address(context, builder, kinds[2], arguments[2:], lane), align=1)
            for lane in range(lanes)
        ]
        rows = [_concatenated(builder, pieces[first::4]) for first in range(4)]
        for number, vector in enumerate(_transpose_blocks(builder, rows)):
            here = builder.add(arguments[1], ir.Constant(arguments[1].type, number))
            place, alignment = vector_address(context, builder, kinds[0], arguments[0], here)
            builder.store(vector, place, align=alignment)
        return context.get_dummy_value()

    return types.void(array, types.intp, source, types.intp, types.intp), generate


@intrinsic
def scatter_fours(typing_context, array, row, target, start, stride):  # type: ignore[no-untyped-def]
    """Write 16 bytes per lane from four vectors of `array`, from index `row` on, to `target`.

    The bytes of lane i start at byte `start` + `stride` · i of `target`, at any alignment. This is
    the inverse of `gather_fours`.
    """

    def generate(
        context: Context, builder: Builder, signature: Signature, arguments: Values
    ) -> Value:
        kinds = signature.args
        rows = []
        for number in range(4):
            here = builder.add(arguments[1], ir.Constant(arguments[1].type, number))
            place, alignment = vector_address(context, builder, kinds[0], arguments[0], here)
            rows.append(builder.load(place, align=alignment))
        for number, vector in enumerate(_transpose_blocks(builder, rows)):
            for block in range(0, vector_type(kinds[0]).lanes, 4):
                mask = ir.Constant(_FOUR, list(range(block, block + 4)))
                piece = builder.shuffle_vector(vector, vector, mask)
                lane = block + number
                place = _piece_address(context, builder, kinds[2], arguments[2:], lane)
                builder.store(piece, place, align=1)
        return context.get_dummy_value()

    return types.void(array, types.intp, target, types.intp, types.intp), generate


def _concatenated(builder: Builder, pieces: list[Value]) -> Value:
    """Generate code that concatenates vectors of equal length. Their number is a power of two."""
    while len(pieces) > 1:
        count = 2 * pieces[0].type.count
        mask = ir.Constant(ir.VectorType(WORD, count), list(range(count)))
        pieces = [
            builder.shuffle_vector(left, right, mask)
            for left, right in zip(pieces[::2], pieces[1::2], strict=True)
        ]
    return pieces[0]
