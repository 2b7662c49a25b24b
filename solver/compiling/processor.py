"""How wide the vectors of the processor are that Numba compiles for."""

from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.registry import cpu_target

_codegen: Any = cpu_target.target_context.codegen()  # Numba leaves it without annotations

# Adds vectors wider than any register.
_PROBE = """
define void @add(ptr %place) {
  %vector = load <32 x i32>, ptr %place, align 128
  %sum = add <32 x i32> %vector, %vector
  store <32 x i32> %sum, ptr %place, align 128
  ret void
}
"""
_LANES = {"zmm": 32, "ymm": 8}  # lanes that are fastest with registers of this name
_FEWEST = 4  # with registers of 16 bytes: SSE2, NEON


@cache
def lanes_here() -> int:
    """Return how many puzzles side by side suit the processor that Numba compiles for.

    That is this machine's, or the one that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES tell of; the
    first alone leaves this machine's features in force unless it is "generic". LLVM is asked
    instead of a list of processors: which registers does it add with?

    A board has 27 vectors, more than there are registers, so that one register for each vector
    is best; with AVX-512, of 32 registers, two are.
    """
    triple, name, features = _codegen.magic_tuple()
    machine = binding.Target.from_triple(triple).create_target_machine(cpu=name, features=features)
    assembly = machine.emit_assembly(binding.parse_assembly(_PROBE))
    return next((lanes for register, lanes in _LANES.items() if register in assembly), _FEWEST)
