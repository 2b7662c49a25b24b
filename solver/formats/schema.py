"""Generate the JSON Schema of sudokuq's puzzle objects from the parser's tables, so they agree."""

import json

from solver.formats.objects.object_keys import CELL_PATTERN, KEYS, VARIABLE_PATTERN, Key
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS


def puzzle_schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a puzzle object."""
    properties = {name: _value(key) for name, key in KEYS.items()}
    rules = {"items": {"oneOf": [*_variants(), *_constraints()]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A puzzle of sudokuq",
        "type": "object",
        "properties": properties | {"constraints": properties["constraints"] | rules},
    }


def _value(key: Key) -> dict[str, object]:
    return {"type": [*key.types, "null"], **key.schema} if key.types else dict(key.schema)


def _variants() -> list[dict[str, object]]:
    return [
        {
            "title": variant.title,
            "description": variant.wording.with_note,
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
    if rule.chooses:
        return _choice(name, rule)
    cells: dict[str, object] = {
        "type": "array",
        "items": {"type": "string", "pattern": f"{CELL_PATTERN}|{VARIABLE_PATTERN}"},
        "minItems": rule.least,
        "maxItems": rule.most,
        "uniqueItems": not rule.repeats,
    }
    properties: dict[str, object] = {"type": {"const": name}, "cells": cells}
    required = ["type", "cells"]
    if rule.value is not None:
        number = {"type": "string" if rule.text else "integer"}
        properties[rule.value] = {"type": "array", "items": number} if rule.many else number
        required += [rule.value] if rule.usual is None else []
    return {
        "title": rule.title,
        "description": rule.wording.with_note,
        "examples": [json.loads(rule.example)],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _choice(name: str, rule: Rule) -> dict[str, object]:
    """Return the schema of a disjunction, whose options are constraints or lists of constraints."""
    constraint = {"$ref": "#/properties/constraints/items"}
    group = {"anyOf": [constraint, {"type": "array", "items": constraint}]}
    return {
        "title": rule.title,
        "description": rule.wording.with_note,
        "examples": [json.loads(rule.example)],
        "type": "object",
        "properties": {
            "type": {"const": name},
            "options": {"type": "array", "items": group, "minItems": 1},
        },
        "required": ["type", "options"],
        "additionalProperties": False,
    }
