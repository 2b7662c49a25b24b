"""What a puzzle object may say: one table, for the reader and for the JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.board.layout import MAX_SIZE
from solver.formats.reading.cells import shorten

CELL_PATTERN = "^[rR][1-9][0-9]{0,2}[cC][1-9][0-9]{0,2}$"
VARIABLE_PATTERN = "^[A-Za-z][A-Za-z_]{0,15}[0-9]{0,4}$"

_NAMES_OF: dict[type, str] = {str: "string", list: "array", dict: "object", int: "integer",
                               float: "number"}  # fmt: skip
_CELL_NAME = {"type": "string", "pattern": CELL_PATTERN}


@dataclass(frozen=True, slots=True)
class Key:
    """What may stand behind a key: JSON types, any if there are none, and null.

    `must_be` says it in messages, `schema` is what the JSON Schema has beside the types.
    """

    types: tuple[str, ...] = ()
    must_be: str = ""
    schema: Mapping[str, object] = field(default_factory=dict)


def _written(must_be: str, description: str) -> Key:
    return Key(("string", "array"), must_be, {"description": description})


# What holds the cells of an object, and what it may call its puzzle, the first one first.
PUZZLE_KEYS = ("puzzle", "givens", "grid", "board", "sudoku", "quiz", "quizzes", "question",
               "unsolved", "mission")  # fmt: skip
SOLUTION_KEYS = ("solution", "answer", "solved")
# What collections say of a puzzle, and what no rule can hide in.
REMARK_KEYS = ("difficulty", "level", "score", "clues", "date", "created", "source", "url",
                "collection", "category", "index", "number", "page", "copyright",
                "license")  # fmt: skip
# The key that a client gives a puzzle, or what people call it, the first one first.
NAME_KEYS = ("custom_id", "name", "title", "id", "comment", "author")
# What our own results have beside the puzzle, so that they can be sent again.
RESULT_KEYS = ("n", "line", "outcome", "solutions", "unique", "steps", "rating",
                "detail", "all_solutions")  # fmt: skip

_LABELS = "a string or a list with a label for each cell"

KEYS: Mapping[str, Key] = {
    "givens": _written("a string or a list", "The cells in reading order; '.' is a blank."),
    **dict.fromkeys(
        (key for key in PUZZLE_KEYS if key != "givens"),
        _written("a string or a list", "Another name of givens."),
    ),
    "size": Key(
        ("integer",), f"a number from 1 to {MAX_SIZE}", {"minimum": 1, "maximum": MAX_SIZE}
    ),
    "shape": _written("rows x columns, such as 6x8", "Rows x columns: 6x8."),
    "box": _written(
        "rows x columns, such as 2x3",
        "Rows x columns: 2x3; none for a grid without boxes (null says so beside a shape).",
    ),
    "lowest": Key(
        ("integer",),
        "0 or 1",
        {"enum": [0, 1, None], "description": "What sums take the first value for."},
    ),
    "lines": Key(
        ("string",),
        "houses or free",
        {
            "enum": ["houses", "free", None],
            "description": "free: rows and columns may hold a value twice.",
        },
    ),
    "holes": Key(
        ("array",),
        "a list of cells",
        {"items": _CELL_NAME, "description": "Cells that are not there."},
    ),
    "symbols": _written("a string or a list", "What is written for the values, in order."),
    "blank": Key(("string", "integer"), "a string"),
    "regions": _written(_LABELS, f"Houses instead of boxes: {_LABELS}, or rows of either."),
    "houses": Key(
        ("array",),
        "a list of maps, each with a label for each cell",
        {"items": {"type": ["string", "array"]}},
    ),
    "variables": Key(
        ("array",),
        'a list of names, such as ["A", "B"]',
        {
            "items": {"type": "string", "pattern": VARIABLE_PATTERN},
            "description": "Cells beside the grid, that constraints may name.",
        },
    ),
    "grids": Key(
        ("array",),
        'a list of top left cells, such as ["r1c1", "r7c7"], with a box',
        {"items": _CELL_NAME},
    ),
    "candidates": Key(
        ("object",),
        'an object such as {"r1c1": [1, 2, 5]}',
        {
            "propertyNames": {"pattern": CELL_PATTERN},
            "additionalProperties": {"type": "array", "items": {"type": "integer"}},
        },
    ),
    "variant": _written("a string or a list", "Names of variants; in a string with commas."),
    "constraints": Key(("array",), "a list"),
    **dict.fromkeys(NAME_KEYS, Key(schema={"description": "What the puzzle is called."})),
    **dict.fromkeys(
        REMARK_KEYS,
        Key(
            ("string", "integer", "number"),
            "a word or a number",
            {"description": "A remark, which says nothing about the cells."},
        ),
    ),
    **dict.fromkeys(
        SOLUTION_KEYS, Key(schema={"description": "The solution, to be compared with ours."})
    ),
    **dict.fromkeys(RESULT_KEYS, Key(schema={"description": "As in our results."})),
}


def find_fault(value: Mapping[str, object]) -> str | None:
    """Return what is wrong with the types of an object's known members, if anything is."""
    for key, said in value.items():
        known = KEYS.get(key)
        if known is None or not known.types or said is None:
            continue
        if json_type(said) not in known.types:
            return f"{key} must be {known.must_be}"
    return None


def json_type(value: object) -> str | None:
    """Return the name that JSON Schema has for the type of a value, None for booleans and null."""
    return _NAMES_OF.get(type(value))


def shown(value: object) -> str:
    """Return a value of JSON as a message can say it."""
    return shorten(repr(value))[:40]
