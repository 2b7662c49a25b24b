"""The JSON Schema of our JSON puzzle, made of the registries so that it cannot fall behind."""

import json

from solver.board.layout import MAX_SIZE
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS

_LABELS = {"description": "A label for each cell, as a string, a list, or rows of either."}
_CELL_PATTERN = "^[rR][1-9][0-9]?[cC][1-9][0-9]?$"


def puzzle_schema() -> dict[str, object]:
    """Return the schema, in the 2020-12 draft."""
    cells = {"type": ["string", "array"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A puzzle of sudokuq",
        "type": "object",
        "properties": {
            "givens": cells | {"description": "The cells in reading order; '.' is a blank."},
            "puzzle": cells | {"description": "Another name of givens."},
            "grid": cells | {"description": "Another name of givens."},
            "size": {"type": "integer", "minimum": 1, "maximum": MAX_SIZE},
            "shape": {"type": ["string", "array"], "description": "Rows x columns: 6x8."},
            "box": {"type": ["string", "array", "null"], "description": "2x3, or none."},
            "lowest": {"enum": [0, 1], "description": "What sums take the first value for."},
            "symbols": {"type": ["string", "array"]},
            "blank": {"type": ["string", "integer"]},
            "name": {"type": "string"},
            "regions": _LABELS,
            "houses": {"type": "array", "items": _LABELS},
            "grids": {"type": "array", "items": {"type": "string", "pattern": _CELL_PATTERN}},
            "candidates": {
                "type": "object",
                "propertyNames": {"pattern": _CELL_PATTERN},
                "additionalProperties": {"type": "array", "items": {"type": "integer"}},
            },
            "variant": {"type": ["string", "array"]},
            "constraints": {"type": "array", "items": {"oneOf": [*_variants(), *_constraints()]}},
        },
    }


def _variants() -> list[dict[str, object]]:
    return [
        {
            "description": variant.description,
            "type": "object",
            "properties": {"type": {"const": name}},
            "required": ["type"],
            "additionalProperties": False,
        }
        for name, variant in VARIANTS.items()
    ]


def _constraints() -> list[dict[str, object]]:
    return [_constraint(name, rule) for name, rule in RULES.items()]


def _constraint(name: str, rule: Rule) -> dict[str, object]:
    cells: dict[str, object] = {
        "type": "array",
        "items": {"type": "string", "pattern": _CELL_PATTERN},
        "minItems": rule.least,
        "maxItems": rule.most,
        "uniqueItems": not rule.repeats,
    }
    properties: dict[str, object] = {"type": {"const": name}, "cells": cells}
    required = ["type", "cells"]
    if rule.value is not None:
        number = {"type": "integer"}
        properties[rule.value] = {"type": "array", "items": number} if rule.many else number
        required += [rule.value] if rule.usual is None else []
    return {
        "description": rule.description,
        "examples": [json.loads(rule.example)],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
