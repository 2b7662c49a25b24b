"""Call compiled functions by address, so that tables of functions are plain data.

A function that calls others by name is compiled together with all of them, which takes long if
there are many. All functions in a table must have the same argument types.
"""

from typing import Any

from numba import types
from numba.core import cgutils

from solver.compiling.codegen import (
    Builder,
    Context,
    NumbaType,
    Signature,
    Value,
    Values,
    intrinsic,
)

_code: Any = cgutils  # not annotated


def entry_address(function: Any, kinds: tuple[NumbaType, ...]) -> int:
    """Return the address of a compiled function's machine code for the argument types `kinds`.

    Compiles the function for these types first, if necessary.
    """
    function.compile(kinds)
    overload = function.overloads[kinds]
    return int(overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name))


@intrinsic
def call_address(typing_context, address, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Call the function at an address with the items of a tuple as its arguments.

    The function must return nothing. An exception that it raises is passed on to the caller.
    """

    def generate(context: Context, builder: Builder, signature: Signature, values: Values) -> Value:
        kinds = signature.args[1].types
        convention = context.call_conv
        kind = convention.get_function_type(types.none, kinds).as_pointer()
        function = builder.inttoptr(values[0], kind)
        members = _code.unpack_tuple(builder, values[1])
        status, _ = convention.call_function(builder, function, types.none, kinds, members)
        with _code.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(address, arguments), generate
