"""Patches to Numba that compile faster and make compiled code safe to cache on disk.

The environment variable SUDOKUQ_NUMBA_PATCHES=0 turns all of them off, for example to find out
whether a new version of Numba or a patch is to blame for a failure. Then `solver.compiling.jit`
uses Numba's public decorators. The results are the same, but compiling takes longer, and each
process compiles for itself.

All of Numba's private APIs that this project uses, and why. A test compares the list with the
sources and with the installed Numba.

`split_compilation`: optimize helpers only as part of the functions that call them.

    numba.core.codegen.JITCodeLibrary: finalize, _finalized, _linking_libraries
        Postpones optimization, and links each helper once.
    numba.core.compiler.CompilerBase: define_pipelines
        Runs ten of Numba's 27 passes.
    numba.core.compiler.Flags: _values
        Compares flags by the few values that are set.
    numba.core.compiler_machinery.LoweringPass: run_pass
    numba.core.compiler_machinery.PassManager: add_pass, add_pass_after, finalize
    numba.core.compiler_machinery.register_pass
        Define passes, as Numba's documentation describes.
    numba.core.typed_passes.NoPythonBackend
    numba.core.typed_passes.NopythonTypeInference
    numba.core.typed_passes.PreLowerStripPhis
    numba.core.untyped_passes.FixupArgs
    numba.core.untyped_passes.GenericRewrites
    numba.core.untyped_passes.IRProcessing
    numba.core.untyped_passes.ReconstructSSA
    numba.core.untyped_passes.TranslateByteCode
        The passes that run.
    numba.core.registry.CPUDispatcher: compile, add_overload, get_call_template, overloads,
        targetoptions, _cache, _compiler, _compiling_counter
        Compiles entry points and helpers differently, with fewer versions of helpers.
    numba.core.caching.FunctionCache: load_overload, save_overload, flush
        Recompiles damaged entries, and tolerates a full disk.
    numba.core.compiler_lock.global_compiler_lock
        Held while the thresholds of the garbage collector are changed.

`lowering`: no reference counting for variables without references.

    numba.core.lowering.Lower: init, lower_assign, storevar, delvar, getvar, typeof, fnargs,
        _singly_assigned_vars
    numba.core.typed_passes.IRLegalization: run_pass
    numba.core.typed_passes.NativeLowering: lowering_class
    numba.core.ir.Arg

`typing_cache`: type each call only once.

    numba.core.types.functions.BaseFunction: get_call_type, _impl_keys
    numba.core.targetconfig.ConfigStack: top_or_none

`symbol_names`: the same names in every process.

    numba.types.Record: mangling_args

Used with and without the patches:

    numba.core.registry.cpu_target: target_context
        `processor` reads the names of the target processor and its features from its code
        generator.
    numba.core.cgutils: if_unlikely, unpack_tuple
        `indirect_calls` generates a call through an address.
"""
