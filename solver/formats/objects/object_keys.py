"""Define the keys of a puzzle object, in one table for the reader and the JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.board.display import shown
from solver.board.layout import MAX_SIZE

CELL_PATTERN = "^[rR][1-9][0-9]{0,2}[cC][1-9][0-9]{0,2}$"
VARIABLE_PATTERN = "^[A-Za-z][A-Za-z_]{0,15}[0-9]{0,4}$"

_NAMES_OF: dict[type, str] = {str: "string", list: "array", dict: "object", int: "integer",
                               float: "number"}  # fmt: skip
_CELL_NAME = {"type": "string", "pattern": CELL_PATTERN}


@dataclass(frozen=True, slots=True)
class Key:
    """The values that a key of a puzzle object accepts. Null is always accepted.

    types    their JSON types, any type if empty
    must_be  their description in messages, after "must be"
    schema   their JSON Schema keywords apart from the type
    """

    types: tuple[str, ...] = ()
    must_be: str = ""
    schema: Mapping[str, object] = field(default_factory=dict)


def _written(must_be: str, description: str) -> Key:
    return Key(("string", "array"), must_be, {"description": description})


# Keys for a puzzle's cells and for its solution, in order of preference.
PUZZLE_KEYS = ("puzzle", "givens", "grid", "board", "sudoku", "quiz", "quizzes", "question",
               "unsolved", "mission")  # fmt: skip
SOLUTION_KEYS = ("solution", "answer", "solved")
# Remarks that collections add to puzzles. None of them can be a misspelled rule.
REMARK_KEYS = ("difficulty", "level", "score", "clues", "date", "created", "source", "url",
                "collection", "category", "index", "number", "page", "copyright",
                "license")  # fmt: skip
# Keys for a puzzle's name, in order of preference. The first one is the client's own key.
NAME_KEYS = ("custom_id", "name", "title", "id", "puzzle_id", "uuid", "comment", "author")
# JSON types of a `custom_id` that is ignored, because it can't be a name.
IGNORED_ID_TYPES = (dict, list, bool)
# Keys that our results add to a puzzle. They are accepted so that results can be sent again.
RESULT_KEYS = ("n", "line", "outcome", "solutions", "unique", "steps", "rating",
                "detail", "all_solutions")  # fmt: skip

_CELLS = "a string or a list of cells"
_LABELS = "a string or a list with a label for each cell"

KEYS: Mapping[str, Key] = {
    "givens": _written(
        "a string or a list of cells", "The cells in reading order. '.' is an empty cell."
    ),
    **dict.fromkeys(
        (key for key in PUZZLE_KEYS if key != "givens"),
        _written(_CELLS, "Another name of givens."),
    ),
    "size": Key(
        ("integer",), f"a whole number from 1 to {MAX_SIZE}", {"minimum": 1, "maximum": MAX_SIZE}
    ),
    "shape": _written("rows x columns, such as 6x8", "Rows x columns: 6x8."),
    "box": _written(
        "rows x columns, such as 2x3",
        "Rows x columns, such as 2x3, or none for a grid without boxes (null next to a shape).",
    ),
    "lowest": Key(
        ("integer",),
        "0 or 1",
        {
            "enum": [0, 1, None],
            "description": "The number that the first value stands for in sums.",
        },
    ),
    "lines": Key(
        ("string",),
        "'houses' or 'free'",
        {
            "enum": ["houses", "free", None],
            "description": "With free, values can repeat in rows and columns.",
        },
    ),
    "holes": Key(
        ("array",),
        'a list of cells of the grid, such as ["r2c2"]',
        {"items": _CELL_NAME, "description": "Missing cells of the board."},
    ),
    "symbols": _written("a string or a list of symbols", "The symbols of the values, in order."),
    "blank": Key(("string", "integer"), "a single character"),
    "regions": _written(_LABELS, f"Houses instead of boxes: {_LABELS}, or rows of either."),
    "houses": Key(
        ("array",),
        "a list of strings or lists, each with a label for each cell",
        {"items": {"type": ["string", "array"]}},
    ),
    "variables": Key(
        ("array",),
        'a list of names, such as ["A", "B"]',
        {
            "items": {"type": "string", "pattern": VARIABLE_PATTERN},
            "description": "Names of auxiliary variables, which constraints can use like cells.",
        },
    ),
    "grids": Key(
        ("array",),
        'a list of the top left cells of grids, such as ["r1c1", "r7c7"]',
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
    "variant": _written(
        "a name or a list of names", "Names of variants. A string separates them with commas."
    ),
    "constraints": Key(("array",), "a list of constraints"),
    **dict.fromkeys(NAME_KEYS, Key(schema={"description": "The name of the puzzle."})),
    **dict.fromkeys(
        REMARK_KEYS,
        Key(
            ("string", "integer", "number"),
            "a string or a number",
            {"description": "A remark, which doesn't affect the solution."},
        ),
    ),
    **dict.fromkeys(
        SOLUTION_KEYS,
        Key(schema={"description": "A solution, which is compared with the computed one."}),
    ),
    **dict.fromkeys(
        RESULT_KEYS, Key(schema={"description": "A field of a result, which is ignored."})
    ),
}


def find_fault(value: Mapping[str, object]) -> str | None:
    """Return the message for a known key whose value has a wrong JSON type, or None.

    Unknown keys and null values are ignored.
    """
    for key, said in value.items():
        known = KEYS.get(key)
        if known is None or not known.types or said is None:
            continue
        if json_type(said) not in known.types:
            return f"{key!r} must be {known.must_be}, not {shown(said)}"
    return None


def json_type(value: object) -> str | None:
    """Return the JSON Schema type of a value, or None for booleans and null."""
    return _NAMES_OF.get(type(value))
