"""A cache for Numba's call typing.

For each call in each function, Numba tries the typing templates of the called function in turn,
each of them with literal types and without. An operator has dozens of templates. Operators meet the
same types over and over, and the result never changes, so it is cached.
"""

from typing import Any

from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

# Numba's annotations of these two are wrong.
_flags: Any = ConfigStack
_function: Any = BaseFunction


def cache_call_types() -> None:
    """Patch Numba to type each call of its own functions only once.

    The cache key consists of the called function, the typing context, the argument types, and the
    current compiler flags. In addition to the signature, Numba records the implementation by
    argument types alone, so this cache stores the implementation, too, and restores it on a hit.
    Failed typing isn't cached.
    """
    find_type = _function.get_call_type
    cache: dict[Any, tuple[Any, Any, Any]] = {}

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        key = (id(function), context, tuple(args), tuple(kws.items()), _flags.top_or_none())
        if key not in cache:
            signature = find_type(function, context, args, kws)
            implementation = function._impl_keys[signature.args]
            # The reference to `function` keeps its id from being reused.
            cache[key] = function, signature, implementation
        _, signature, implementation = cache[key]
        function._impl_keys[signature.args] = implementation
        return signature

    _function.get_call_type = get_call_type
