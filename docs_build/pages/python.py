"""The Python API, from the signatures and docstrings of the public names."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import solver
from docs_build.markdown import block, code, joined
from solver.board.conflict import Conflict
from solver.board.minimality import Elements, Minimality
from solver.board.true_candidates import TrueCandidates
from solver.logic.explanation import Ending, Explanation, Position, Step
from solver.logic.rating.difficulty import Difficulty
from web.client import Client, Failure
from web.client.async_client import AsyncClient
from web.webhook_verification import InvalidWebhook, verify_webhook

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Classes that only functions create. They can't be imported from sudokuq.
RETURNED = (
    Conflict, Difficulty, Elements, Explanation, Ending, Minimality, Position, Step,
    TrueCandidates,
)  # fmt: skip
# Docstrings name public functions after the package `solver`, from which `sudokuq` imports them.
_PUBLIC = re.compile(rf"\bsolver\.(?=({'|'.join(solver.__all__)})\b)")
_PUZZLE_LIKE = (
    "`PuzzleLike`, the type of a puzzle in an argument, is a `Puzzle` or `Invalid`, text in any "
    "format as `str` or `bytes`, a `pathlib.Path`, an array of integers, or nested lists."
)
_CLIENT_TYPES = (
    "`Job` and `ResultFields` are dictionaries with the members of the HTTP API: those of "
    "[a job](http-api.md#job), and those of [a result](result-fields.md#a-result). `Client.solve` "
    "returns the members of [one puzzle](result-fields.md#one-puzzle-with-its-grid). The class "
    "`Result` is something else: the function `solve` returns it, without a service."
)


def write() -> str:
    """Return an entry per public name: the functions, the classes, and the clients.

    Classes of returned values have entries as well.
    """
    names = {name: getattr(solver, name) for name in solver.__all__ if not name.startswith("_")}
    functions = {name: each for name, each in names.items() if inspect.isfunction(each)}
    classes = {name: each for name, each in names.items() if inspect.isclass(each)}
    return joined(
        "## Functions",
        _PUZZLE_LIKE,
        *(_function(name, each) for name, each in functions.items()),
        "## Classes",
        *(_class(name, each) for name, each in classes.items()),
        "## Returned objects",
        "Functions return instances of these classes. You can't import them from `sudokuq`.",
        *(_class(each.__name__, each) for each in RETURNED),
        "## The clients",
        "These names need only the base installation.",
        _CLIENT_TYPES,
        _class("Client", Client),
        _class("AsyncClient", AsyncClient),
        _class("Failure", Failure),
        _function("verify_webhook", verify_webhook),
        _class("InvalidWebhook", InvalidWebhook),
    )


def _function(name: str, function: Any) -> str:
    node = _node(function)
    node.args.kw_defaults = [
        _shown(default, function.__globals__) for default in node.args.kw_defaults
    ]
    return joined(f"### {code(name)}", _signature(node, f"sudokuq.{name}"), _text(node))


def _shown(default: Any, constants: dict[str, Any]) -> Any:
    """Return a default, with a private constant replaced by its number or an ellipsis."""
    if not isinstance(default, ast.Name) or not default.id.startswith("_"):
        return default
    value = constants[default.id]
    return ast.Constant(value if isinstance(value, int) else ...)


def _class(name: str, class_: type) -> str:
    node = _node(class_)
    fields = [
        ast.unparse(each)
        for each in node.body
        if isinstance(each, ast.AnnAssign) and not ast.unparse(each.target).startswith("_")
    ]
    members = [
        each for each in node.body if isinstance(each, Function) and not each.name.startswith("_")
    ]
    return joined(
        f"### {code(name)}",
        _text(node),
        block("\n".join(fields), "python") if fields else "",
        *(_member(name, each) for each in members),
    )


def _member(owner: str, node: Function) -> str:
    decorators = {ast.unparse(each) for each in node.decorator_list}
    if decorators & {"property", "cached_property"}:
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        signature = block(f"{owner}.{node.name}{returns}", "python")
    elif "overload" in decorators:
        return ""
    else:
        signature = _signature(node, f"{owner}.{node.name}")
    return joined(f"#### {code(f'{owner}.{node.name}')}", signature, _text(node))


def _node(thing: Any) -> Any:
    return ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]


def _signature(node: Function, name: str) -> str:
    arguments = node.args
    # An asynchronous generator isn't awaited.
    if isinstance(node, ast.AsyncFunctionDef) and not _yields(node):
        name = f"await {name}"
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    texts = [*_arguments(arguments)]
    line = f"{name}({', '.join(texts)}){returns}"
    if len(line) > 88:
        inner = ",\n".join(f"    {each}" for each in texts)
        line = f"{name}(\n{inner},\n){returns}"
    return block(line, "python")


def _yields(node: ast.AsyncFunctionDef) -> bool:
    return any(isinstance(each, ast.Yield) for each in ast.walk(node))


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + [*arguments.defaults]
    for each, default in zip(plain, defaults, strict=True):
        yield ast.unparse(each) + (f" = {ast.unparse(default)}" if default else "")
    if arguments.vararg:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield ast.unparse(each) + (f" = {ast.unparse(default)}" if default else "")
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _text(node: Any) -> str:
    """Return a docstring as Markdown: lists aligned with spaces and examples become code blocks.

    Public functions are named after the package `sudokuq` instead of `solver`.
    """
    text = _PUBLIC.sub("sudokuq.", ast.get_docstring(node) or "")
    return joined(*map(_paragraph, text.split("\n\n")))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if lines[0].startswith(">>>"):
        return block(text, "pycon")
    # A list of terms with explanations is aligned with spaces.
    if any("  " in line for line in lines):
        return block(textwrap.dedent(text))
    return text
