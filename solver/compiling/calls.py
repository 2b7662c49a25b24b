"""Calls of compiled functions by their address, so that a table of them is data.

A function that called each of many by its name would have to be compiled together with them all.
Every argument is one that compiled functions have in common, or an integer.
"""

from typing import Any

from numba import types
from numba.core import cgutils, extending

# Callers leave out the typing context, of which Numba's own annotations know nothing.
_intrinsic: Any = extending.intrinsic
_code: Any = cgutils


def address_of(function: Any, kinds: tuple[Any, ...]) -> int:
    """Return where the machine code of a compiled function is, for arguments of these types."""
    function.compile(kinds)
    overload = function.overloads[kinds]
    return int(overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name))


@_intrinsic
def call(typing_context, address, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Call what is at an address, a function that returns nothing, with a tuple of arguments."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
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
