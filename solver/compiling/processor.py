"""Find the processor that Numba compiles for, and its vector width."""

from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.registry import cpu_target

_codegen: Any = cpu_target.target_context.codegen()  # Numba has no annotations for it.


def target() -> tuple[str, str, str]:
    """Return LLVM's names for the platform, the processor, and the processor's features.

    They describe this machine, unless NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name another one.
    NUMBA_CPU_NAME alone keeps this machine's features, except for "generic".
    """
    triple, name, features = _codegen.magic_tuple()
    return triple, name, features


# Adds vectors wider than any register. LLVM may split them as it prefers.
_PROBE = """
define void @add(ptr %place) "min-legal-vector-width"="0" {
  %vector = load <32 x i32>, ptr %place, align 128
  %sum = add <32 x i32> %vector, %vector
  store <32 x i32> %sum, ptr %place, align 128
  ret void
}
"""
_WORDS = {"zmm": 16, "ymm": 8}  # 32-bit words per register, by the prefix of its name
_FEWEST = 4  # words in 16-byte registers (SSE2, NEON)


@cache
def register_words() -> int:
    """Return how many 32-bit words LLVM prefers per vector register on the target processor.

    The result is 4, 8, or 16. On Intel processors with AVX-512, it is half of the widest register,
    because these processors start fewer operations per cycle on the widest registers.
    """
    # Instead of using a list of processors, compile a vector addition and look at which registers
    # LLVM chose.
    triple, name, features = target()
    machine = binding.Target.from_triple(triple).create_target_machine(cpu=name, features=features)
    assembly = machine.emit_assembly(binding.parse_assembly(_PROBE))
    return next((words for register, words in _WORDS.items() if register in assembly), _FEWEST)


def preferred_lanes() -> int:
    """Return how many puzzles to search side by side on this processor: 4, 16, or 32."""
    # A sweep is limited by latency more than by the number of registers. Therefore two registers
    # per vector are faster than one, except with the smallest registers. (A vector that fits into
    # the processor's widest register uses a single one, even if LLVM prefers narrower registers.)
    words = register_words()
    return words if words == _FEWEST else 2 * words
