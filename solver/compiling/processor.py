"""How wide the vectors of the processor are that Numba compiles for."""

from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.registry import cpu_target

_codegen: Any = cpu_target.target_context.codegen()  # Numba leaves it without annotations

# Adds vectors wider than any register; LLVM may split them as it prefers to.
_PROBE = """
define void @add(ptr %place) "min-legal-vector-width"="0" {
  %vector = load <32 x i32>, ptr %place, align 128
  %sum = add <32 x i32> %vector, %vector
  store <32 x i32> %sum, ptr %place, align 128
  ret void
}
"""
_WORDS = {"zmm": 16, "ymm": 8}  # words of 32 bits in registers of this name
_FEWEST = 4  # in registers of 16 bytes: SSE2, NEON


@cache
def words_here() -> int:
    """Return how many words LLVM prefers in a vector register, on the processor compiled for.

    For Intel's processors with AVX-512 these are half of what fits: they begin fewer operations a
    cycle on the widest registers than on others. The processor is this machine's, or the one that
    NUMBA_CPU_NAME and NUMBA_CPU_FEATURES tell of; the first alone leaves this machine's features
    in force unless it is "generic". LLVM is asked instead of a list of processors: which registers
    does it add with?
    """
    triple, name, features = _codegen.magic_tuple()
    machine = binding.Target.from_triple(triple).create_target_machine(cpu=name, features=features)
    assembly = machine.emit_assembly(binding.parse_assembly(_PROBE))
    return next((words for register, words in _WORDS.items() if register in assembly), _FEWEST)


def lanes_here() -> int:
    """Return how many puzzles side by side suit this processor: 4, 16 or 32.

    A sweep waits for results more than it lacks registers, so that two for each vector are better
    than one, but for the smallest. (A vector that fits into the widest register stays in one,
    whatever LLVM prefers.)
    """
    words = words_here()
    return words if words == _FEWEST else 2 * words
