"""Type aliases for code generators, which Numba calls, and the decorator that registers them.

A generator writes LLVM instructions with `builder` and returns the value that they compute. Neither
llvmlite nor this part of Numba is annotated, so type checkers treat these types as Any.
"""

from typing import Any, TypeAlias

from llvmlite import ir
from numba import extending

Context: TypeAlias = Any  # numba.core.base.BaseContext: how types are represented on this machine
Builder: TypeAlias = ir.IRBuilder
Signature: TypeAlias = Any  # numba.core.typing.Signature: the Numba types of arguments and result
Value: TypeAlias = ir.Value
Values: TypeAlias = tuple[ir.Value, ...]
NumbaType: TypeAlias = Any  # numba.types.Type

# Callers omit the typing context, which Numba's annotations don't reflect.
intrinsic: Any = extending.intrinsic
