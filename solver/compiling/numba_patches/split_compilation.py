"""Split compilation: optimize helpers only as part of the functions that call them.

Numba treats each function as a separate program. It adds wrappers for callers in Python and C,
links in everything that the function calls, optimizes the result, and generates machine code. It
then does all this again for each caller, up to the function that Python calls: the entry point.
Here, all functions but the entry point are helpers. They stop after lowering, like source files
that are compiled into one program. Each is linked once:

    Numba     c → code    b c → code    a b c → code
    here      c             b             a b c → code

Functions also run through fewer of Numba's passes. The omitted passes handle closures, list
comprehensions, code selection by literals, parallel loops, and array-wide sums, which compiled code
in this project doesn't use. If a function needs one of them after all, Numba rejects it.

How to extend compilers and dispatchers: https://numba.readthedocs.io/en/stable/extending/ and
.../developer/custom_pipeline.html
"""

import gc
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from numba import types
from numba.core import compiler
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NoPythonBackend, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

from solver.compiling.numba_patches.lowering import EndLives, LowerVariables

# Its annotations omit most of the types.
_types: Any = types
_compiling: Any = global_compiler_lock  # Held by the thread that compiles.


class _HelperLibrary(JITCodeLibrary):
    """The lowered code of one helper, without the functions that it calls."""

    def finalize(self) -> None:
        """Only mark the library as final. No machine code is generated here.

        `_EntryLibrary` does that later, for the helper and its callers together.
        """
        self._finalized = True


class _EntryLibrary(JITCodeLibrary):
    """The code of a function that Python calls, including all helpers that it uses."""

    def finalize(self) -> None:
        """Link the helpers, optimize, and generate machine code."""
        self._linking_libraries = _with_callees(self._linking_libraries)
        super().finalize()


def _with_callees(libraries: Iterable[Any]) -> list[Any]:
    """Return the libraries, and all libraries that the helpers among them call.

    That includes those that helpers call through other helpers.
    """
    gathered: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in gathered:
            gathered[library] = None
            if isinstance(library, _HelperLibrary):
                waiting += library._linking_libraries
    return list(gathered)


@register_pass(mutates_CFG=False, analysis_only=False)
class _RegisterHelper(LoweringPass):
    """A compiler pass that makes a helper known to the functions that are lowered later.

    The helper has no machine code yet.
    """

    _name = "register_helper"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Make the helper being compiled known to Numba, and end its compilation.

        `state` is the state of the compiler. The helper is registered with Numba's target context,
        where Numba looks up a helper when it lowers functions that call it. A helper gets no
        machine code of its own. Instead of a compiled function, the result in `state` gets the
        library with the helper's code. Returns True, because the pass changes the state.
        """
        lowered, library = state.cr, state.library
        state.targetctx.insert_user_function(library, lowered.fndesc, [library])
        state.cr = lowered._replace(cfunc=library)
        return True


class _Flags(compiler.Flags):
    """Compiler flags that are compared by their explicitly set values.

    For each call that it types, Numba looks up the flags of the call among those of earlier calls.
    The original comparison goes through every possible flag, which takes 10% of the compile time.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values))


_PASSES: tuple[Any, ...] = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    EndLives,
    LowerVariables,
    NoPythonBackend,
)


class _Compiler(CompilerBase):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags = _Flags(self.state.flags)

    def define_pipelines(self) -> list[Any]:
        pipeline = PassManager("sudoku")
        for stage in _PASSES:
            pipeline.add_pass(stage, stage._name)
        pipeline.finalize()
        return [pipeline]


class _HelperCompiler(_Compiler):
    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = _HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        [pipeline] = super().define_pipelines()
        pipeline.add_pass_after(_RegisterHelper, LowerVariables)
        pipeline.finalize()
        return [pipeline]


class _EntryCompiler(_Compiler):
    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


def _widened(kind: Any) -> Any:
    """Return the Numba type that a helper's parameter has for an argument of type `kind`.

    Literal types become plain ones, and signed integers become 64 bits wide.
    """
    kind = _types.unliteral(kind)
    return _types.int64 if isinstance(kind, _types.Integer) and kind.signed else kind


class _Cache(FunctionCache):
    """Numba's disk cache, but damaged entries are recompiled and a full disk is tolerated."""

    def load_overload(self, kinds: Any, target: Any) -> Any:
        """Load a compiled version from disk, or return None if no readable one exists."""
        try:
            return super().load_overload(kinds, target)
        except Exception:  # Truncated or corrupted pickles raise all kinds of exceptions.
            with suppress(OSError):
                self.flush()  # Forces Numba to read the index again before it adds a version.
            return None

    def save_overload(self, kinds: Any, version: Any) -> None:
        """Save a compiled version on disk unless that raises OSError, such as for a full disk."""
        with suppress(OSError):
            super().save_overload(kinds, version)


class EntryPoint(CPUDispatcher):
    """A compiled function that Python and other compiled functions can call.

    It runs without the GIL.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        options = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=_EntryCompiler)

    def enable_caching(self) -> None:
        """Cache the compiled versions of this function on disk, in Numba's current cache folder."""
        self._cache = _Cache(self.py_func)

    @_compiling
    def compile(self, kinds: Any) -> Any:
        """Compile a version for the argument types `kinds`, or load it from the disk cache.

        Meanwhile, garbage is collected rarely. Hardly any object becomes garbage before the
        function is compiled, and Numba creates millions. Scanning them again and again took up to
        10% of the time.
        """
        thresholds = gc.get_threshold()
        gc.set_threshold(20_000, *thresholds[1:])
        try:
            return super().compile(kinds)
        finally:
            gc.set_threshold(*thresholds)


class HelperFunction(CPUDispatcher):
    """A function that only compiled functions can call.

    It is compiled once for all constants and all widths of signed integers as arguments. Numba
    would compile a version for each.
    """

    _compiler: Any  # set by Numba

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        options = {"nopython": True, "nogil": True} | no_wrappers | options
        super().__init__(function, targetoptions=options, pipeline_class=_HelperCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return Numba's typing template for a call with these argument types.

        The types are widened first, so that similar calls share a version.
        """
        return super().get_call_template(tuple(map(_widened, args)), kws)

    def compile(self, kinds: Any) -> Any:
        """Return the version for the argument types `kinds`. Compile it if there is none yet.

        This omits Numba's timers, which run for each call into LLVM.
        """
        if kinds not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(kinds, None))
        return self.overloads[kinds]

    def add_overload(self, compiled: Any) -> None:
        """Register a compiled version for callers. Unlike in Numba, Python can't call it.

        Raises TypeError if a kernel, a function without reference counting, returns an array. The
        caller would release a reference that was never acquired.
        """
        returned = compiled.signature.return_type
        model = compiled.target_context.data_model_manager[returned]
        if not self.targetoptions.get("_nrt", True) and model.contains_nrt_meminfo():
            raise TypeError(f"the kernel {self.py_func.__name__} returns an array")
        self.overloads[compiled.signature.args] = compiled

    def __call__(self, *_: Any) -> Any:
        """Raise TypeError, because Python code can't call helpers."""
        raise TypeError(f"only compiled functions can call {self.py_func.__name__}")
