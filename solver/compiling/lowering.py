"""Writing LLVM's language for a function, without what looks after references that there are none.

Numba ends the life of each variable: it reads what is in it, gives up references that this holds,
and clears it; so, too, before it writes a variable anew. Only arrays and what has arrays in it
hold references, and bare functions do not count any. What a function was handed is held by its
caller until it returns: other values that the names of arguments get are other variables (in the
step before, `ReconstructSSA`).
"""

from typing import Any

from numba.core import ir, lowering, typed_passes
from numba.core.compiler_machinery import register_pass

# Their annotations leave out most.
_lowering: Any = lowering
_passes: Any = typed_passes
_register: Any = register_pass


class _Lower(_lowering.Lower):  # type: ignore[misc]
    def init(self) -> None:
        """Look through the function."""
        super().init()
        self._lent: set[str] = set()

    def lower_assign(self, kind: Any, statement: Any) -> Any:
        """Return the value that a variable gets."""
        source = statement.value
        if isinstance(source, ir.Arg) and self.typeof(f"arg.{source.name}") == kind:
            self._lent.add(statement.target.name)
            return self.fnargs[source.index]
        return super().lower_assign(kind, statement)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Write a variable."""
        if self._holds_references(name) or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """End the life of a variable."""
        if self._holds_references(name):
            super().delvar(name)

    def _holds_references(self, name: str) -> Any:
        if name in self._lent or not self.context.enable_nrt:
            return False
        return self.context.data_model_manager[self.typeof(name)].contains_nrt_meminfo()


@_register(mutates_CFG=True, analysis_only=False)
class LowerVariables(_passes.NativeLowering):  # type: ignore[misc]
    """Numba's own step, but for variables without references."""

    _name = "lower_variables"

    @property
    def lowering_class(self) -> Any:
        """What writes a function."""
        return _Lower


@_register(mutates_CFG=False, analysis_only=True)
class EndLives(_passes.IRLegalization):  # type: ignore[misc]
    """Say where the life of each variable ends, for functions that count references."""

    _name = "end_lives"

    def run_pass(self, state: Any) -> Any:
        """Look at a function."""
        return not state.flags.nrt or super().run_pass(state)
