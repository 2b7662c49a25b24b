"""Lower functions to LLVM without reference counting where no references exist.

At the end of each variable's life, Numba reads the variable, releases the references in it, and
clears it. It does the same before each assignment. But only arrays, and values that contain arrays,
hold references, and kernels don't count any. An argument is kept alive by the caller until the
function returns. Other values assigned to an argument's name are separate variables by then,
because `ReconstructSSA` runs earlier.
"""

from typing import Any

from numba.core import ir, lowering, typed_passes
from numba.core.compiler_machinery import register_pass

# The annotations of these modules are incomplete.
_lowering: Any = lowering
_passes: Any = typed_passes
_register: Any = register_pass


class _Lower(_lowering.Lower):  # type: ignore[misc]
    def init(self) -> None:
        """Initialize the lowering of a function."""
        super().init()
        self._borrowed: set[str] = set()

    def lower_assign(self, kind: Any, statement: Any) -> Any:
        """Return the value that an assignment stores in a variable.

        A function argument is stored without a new reference, because the caller keeps it alive.
        Everything else is left to Numba.
        """
        source = statement.value
        if isinstance(source, ir.Arg) and self.typeof(f"arg.{source.name}") == kind:
            self._borrowed.add(statement.target.name)
            return self.fnargs[source.index]
        return super().lower_assign(kind, statement)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Store a value in a variable. Release the old value only if it can hold references."""
        if self._holds_references(name) or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Release a variable at the end of its life, but only if it can hold references."""
        if self._holds_references(name):
            super().delvar(name)

    def _holds_references(self, name: str) -> Any:
        if name in self._borrowed or not self.context.enable_nrt:
            return False
        return self.context.data_model_manager[self.typeof(name)].contains_nrt_meminfo()


@_register(mutates_CFG=True, analysis_only=False)
class LowerVariables(_passes.NativeLowering):  # type: ignore[misc]
    """Numba's lowering pass, without reference counting for variables that hold no references."""

    _name = "lower_variables"

    @property
    def lowering_class(self) -> Any:
        """The class that lowers a function."""
        return _Lower


@_register(mutates_CFG=False, analysis_only=True)
class EndLives(_passes.IRLegalization):  # type: ignore[misc]
    """A compiler pass that marks where variables end, only in functions that count references."""

    _name = "end_lives"

    def run_pass(self, state: Any) -> Any:
        """Mark where variables end in the function being compiled.

        Kernels, which count no references, stay as they are. Always returns True, which stands for
        a changed function.
        """
        return not state.flags.nrt or super().run_pass(state)
