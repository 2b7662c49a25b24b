"""Numba's answers to what a function returns for arguments of some types, remembered.

For each call in each function Numba asks the templates of what is called in turn: dozens for an
operator, each of them with literals and without. Operators meet the same types
again and again, and the answer is the same: where it was given before it is given at once.
"""

from typing import Any

from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

# Numba leaves them without annotations that hold.
_flags: Any = ConfigStack
_function: Any = BaseFunction


def remember_answers() -> None:
    """Have Numba type each call of one of its own functions only once.

    Answers hold for a function as it is known, its arguments, and the flags that it may be
    compiled with. Beside the signature Numba keeps what implements it, by the arguments alone, so
    that this is put back with the answer. Refusals are not remembered.
    """
    ask = _function.get_call_type
    answers: dict[Any, tuple[Any, Any, Any]] = {}

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        question = (id(function), context, tuple(args), tuple(kws.items()), _flags.top_or_none())
        if question not in answers:
            signature = ask(function, context, args, kws)
            implementation = function._impl_keys[signature.args]
            answers[question] = function, signature, implementation  # keeps the id from others
        _, signature, implementation = answers[question]
        function._impl_keys[signature.args] = implementation
        return signature

    _function.get_call_type = get_call_type
