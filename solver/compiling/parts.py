"""Inner functions as parts: optimised and made machine code of only within what calls them.

Numba treats each function as a program of its own. It gives it wrappers for callers in Python and
C, links all into it that it calls, optimises that, and makes machine code of it; then it does so
again for each caller, until the one that Python calls. Here all but that last one stay as they
were lowered, as source files that are compiled together would, and each is linked once:

    Numba     c → code    b c → code    a b c → code
    here      c             b             a b c → code

Functions also go through fewer of Numba's steps. Those left out look for closures, generators of
lists, literals that select code, parallel loops and sums of whole arrays, which compiled code here
does without; where one of them is needed after all, Numba refuses the function.

How compilers and dispatchers are extended:
https://numba.readthedocs.io/en/stable/extending/ and .../developer/custom_pipeline.html
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

from solver.compiling.answers import remember_answers
from solver.compiling.lowering import EndLives, LowerVariables
from solver.compiling.symbols import name_records_by_fields

# Its annotations leave out most of the types.
_types: Any = types
_compiling: Any = global_compiler_lock  # held by the thread that compiles

remember_answers()
name_records_by_fields()


class _Part(JITCodeLibrary):
    """The code of an inner function; what it calls is not part of it."""

    def finalize(self) -> None:
        """Leave everything to the whole."""
        self._finalized = True


class _Whole(JITCodeLibrary):
    """The code of a function that Python calls, with all parts that it is made of."""

    def finalize(self) -> None:
        """Put the parts together, optimise, make machine code."""
        self._linking_libraries = _with_parts(self._linking_libraries)
        super().finalize()


def _with_parts(libraries: Iterable[Any]) -> list[Any]:
    """Return libraries, and those that parts among them call, however far down."""
    gathered: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in gathered:
            gathered[library] = None
            if isinstance(library, _Part):
                waiting += library._linking_libraries
    return list(gathered)


@register_pass(mutates_CFG=False, analysis_only=False)
class _RegisterPart(LoweringPass):
    """Make a part known to those that are lowered after it; no machine code stands for it."""

    _name = "register_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Enter the part where calls look for it."""
        lowered, part = state.cr, state.library
        state.targetctx.insert_user_function(part, lowered.fndesc, [part])
        state.cr = lowered._replace(cfunc=part)
        return True


class _Flags(compiler.Flags):
    """Flags that are compared by what was set.

    Each call that Numba types looks for its flags among those of others. It compares all that
    there are, one by one: a tenth of the time that compiling takes.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values))


_STEPS: tuple[Any, ...] = (
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
        for step in _STEPS:
            pipeline.add_pass(step, step._name)
        pipeline.finalize()
        return [pipeline]


class _PartCompiler(_Compiler):
    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        [pipeline] = super().define_pipelines()
        pipeline.add_pass_after(_RegisterPart, LowerVariables)
        pipeline.finalize()
        return [pipeline]


class _WholeCompiler(_Compiler):
    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


def _plain(kind: Any) -> Any:
    """Return the type that an argument of this type is handed over as."""
    kind = _types.unliteral(kind)
    return _types.int64 if isinstance(kind, _types.Integer) and kind.signed else kind


class _Cache(FunctionCache):
    """Compiled code on disk; what is damaged there, or has no room, is compiled anew."""

    def load_overload(self, kinds: Any, target: Any) -> Any:
        """Return a version, None if there is none that can be read."""
        try:
            return super().load_overload(kinds, target)
        except Exception:  # whatever comes of pickles that were cut off or spoiled
            with suppress(OSError):
                self.flush()  # the list of versions is read again before one is added
            return None

    def save_overload(self, kinds: Any, version: Any) -> None:
        """Keep a version; one that the disk has no room for is not kept."""
        with suppress(OSError):
            super().save_overload(kinds, version)


class Outer(CPUDispatcher):
    """A function that Python calls, without the interpreter lock, and compiled ones, too."""

    def __init__(self, function: Callable[..., Any]) -> None:
        options = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=_WholeCompiler)

    def enable_caching(self) -> None:
        """Keep what is compiled on disk."""
        self._cache = _Cache(self.py_func)

    @_compiling
    def compile(self, kinds: Any) -> Any:
        """Compile a version, or load it, with garbage collected seldom.

        Hardly anything becomes garbage before the function is compiled, and Numba makes objects by
        the million: to look through them again and again took up to a tenth of the time.
        """
        often = gc.get_threshold()
        gc.set_threshold(20_000, *often[1:])
        try:
            return super().compile(kinds)
        finally:
            gc.set_threshold(*often)


class Inner(CPUDispatcher):
    """A function that only compiled ones can call.

    It is compiled once for all constants in a call, and for signed integers of any width, where
    Numba has a version for each.
    """

    _compiler: Any  # Numba's own

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        options = {"nopython": True, "nogil": True} | no_wrappers | options
        super().__init__(function, targetoptions=options, pipeline_class=_PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how a call with arguments of these types is typed."""
        return super().get_call_template(tuple(map(_plain, args)), kws)

    def compile(self, kinds: Any) -> Any:
        """Compile a version, without Numba's clocks: each is told of each call of LLVM."""
        if kinds not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(kinds, None))
        return self.overloads[kinds]

    def add_overload(self, compiled: Any) -> None:
        """Remember a version; unlike Numba's, it is no entry for Python.

        Raises TypeError where it counts no references and returns some: whoever calls would give up
        what nobody took.
        """
        answer = compiled.signature.return_type
        model = compiled.target_context.data_model_manager[answer]
        if not self.targetoptions.get("_nrt", True) and model.contains_nrt_meminfo():
            raise TypeError(f"the bare function {self.py_func.__name__} returns an array")
        self.overloads[compiled.signature.args] = compiled

    def __call__(self, *_: Any) -> Any:
        """Refuse a call from Python."""
        raise TypeError(f"only compiled functions can call {self.py_func.__name__}")
