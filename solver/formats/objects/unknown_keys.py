"""Handle unknown members of a JSON puzzle: ignore them, mention them, or reject the puzzle.

Clients attach their own data to a puzzle. Such a member must not make the puzzle invalid, but a
misspelled rule must not be lost either. A member counts as a misspelled rule if its name is close
to a known name and its value is valid for that name, or if its value names a variant. In documents
of other programs, an unknown list, object, or enabled switch may be a rule.
"""

import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from solver.board.closest import closest, did_you_mean, unknown
from solver.board.display import shorten, shown
from solver.board.graphemes import count_graphemes
from solver.formats.objects.object_keys import (
    IGNORED_ID_TYPES,
    KEYS,
    NAME_KEYS,
    PUZZLE_KEYS,
    REMARK_KEYS,
    RESULT_KEYS,
    SOLUTION_KEYS,
    Key,
    json_type,
)
from solver.formats.reading.options import read_box
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS, known_variant

# Members with the client's own data, which may contain anything.
_CLIENT_DATA = frozenset({"metadata", "meta", "options"})
# Keys that describe the board or its rules. Keys for the cells are left out, because an object
# without cells gets a message anyway.
_BOARD_KEYS = tuple(
    KEYS.keys() - {*PUZZLE_KEYS, *SOLUTION_KEYS, *NAME_KEYS, *REMARK_KEYS, *RESULT_KEYS}
)
# Names that other programs give to lists of constraints.
_COLLECTIONS = ("cages", "thermometers", "dots", "kropki", "inequalities", "jigsaw", "rules",
                "extraregions", "xv", "clones", "inequality", "overlays", "underlays",
                "whispers")  # fmt: skip
_NAMES = tuple(dict.fromkeys([*RULES, *VARIANTS, *_COLLECTIONS]))
_CLOSE = 0.85
_FEWEST_LETTERS = 4  # in a name that may be misspelled or begin another name
_FEWEST_LABELS = 4  # cells of the smallest board
_CELL = re.compile(r"\b[rR][1-9]\d?[cC][1-9]\d?\b")
# Names of rules that are also everyday words. A text may contain them without meaning a rule.
_EVERYDAY = frozenset(
    {"between", "black", "clone", "connected", "difference", "different", "dots", "equality",
     "even", "greater", "index", "inequality", "maximum", "minimum", "odd", "pairs", "ratio",
     "sandwich", "skyscraper", "white", "whisper", "whispers"}
)  # fmt: skip
_TELLING = [each for each in _NAMES if len(each) >= _FEWEST_LETTERS and each not in _EVERYDAY]
_WORDS = re.compile(rf"\b(?:{'|'.join(_TELLING)})s?\b", re.IGNORECASE)
_LONGEST_LOOKED_AT = 10_000  # characters


def find_misspelling(key: str, value: object) -> str | None:
    """Return the message for an unknown key that is surely misspelled, otherwise None.

    The key is misspelled if it resembles a known key or rule and its `value` is valid for that, or
    if its value names a variant.
    """
    if not may_be_rule(key, value):
        return None
    board_key, name = _board_key_near(_plain(key)), _rule_named(_plain(key))
    if board_key is not None and _fits(value, board_key):
        return f"Unknown key {shown(key)}. Did you mean {board_key!r}?"
    is_switch = name in VARIANTS and (value is True or isinstance(value, str))
    if name is not None and (is_switch or isinstance(value, list | dict)):
        return f"Unknown key {shown(key)}. {_where(name)}"
    variant = _variant_named(value) if isinstance(value, str) else None
    return None if variant is None else f"Unknown key {shown(key)}. {_where(variant)}"


def may_be_rule(key: str, value: object) -> bool:
    """Return whether an unknown key with this value could be meant as a rule.

    It couldn't if it is a name or the client's own data, or if its value is null or false.
    """
    return (
        key not in NAME_KEYS
        and key not in _CLIENT_DATA
        and value is not None
        and value is not False
    )


def find_unknown_rule(value: Mapping[str, object], known: Collection[str]) -> str | None:
    """Return the message for an unknown key of another program's document that may be a rule.

    In such a document, a rule is a list, an object, or an enabled switch, but never a text or a
    number. Returns None if there is no such key.
    """
    for key, member in value.items():
        is_rule = member is True or (member and isinstance(member, list | dict))
        if is_rule and key not in known and may_be_rule(key, member):
            return unknown("constraint", key, sorted(known))
    return None


def find_unread(value: Mapping[str, object]) -> str | None:
    """Return a note that lists what was ignored in a puzzle object, or None.

    It lists a `custom_id` that is neither text nor a number, and the unknown keys whose values
    mention cells or rules.
    """
    unread = [
        key
        for key, said in value.items()
        if key not in KEYS and may_be_rule(key, said) and _mentions_rules(key, said)
    ]
    notes = [f"ignored unknown keys: {', '.join(map(shorten, unread))}"] if unread else []
    if isinstance(value.get("custom_id"), IGNORED_ID_TYPES):
        notes.insert(0, "ignored 'custom_id', because it is neither text nor a number")
    return "; ".join(notes) or None


def _mentions_rules(key: str, value: object) -> bool:
    text = json.dumps([key, value], ensure_ascii=False)[:_LONGEST_LOOKED_AT]
    return _CELL.search(text) is not None or _WORDS.search(text) is not None


def _plain(key: str) -> str:
    """Return the letters a-z of a key in lower case, without a prefix "is" or "has"."""
    plain = re.sub(r"^(is|has)(?=[_A-Z])", "", key)
    return re.sub(r"[^a-z]", "", plain.lower())


# Cached because the records of an upload share the same few members.
@lru_cache(maxsize=1024)
def _board_key_near(plain: str) -> str | None:
    """Return the key for the board or its rules that a normalized key resembles, or None.

    `plain` is a key as returned by `_plain`.
    """
    singular = next((each for each in _BOARD_KEYS if plain in (f"{each}s", f"{each}es")), None)
    return singular or closest(plain, _BOARD_KEYS, cutoff=_CLOSE)


@lru_cache(maxsize=1024)
def _rule_named(plain: str) -> str | None:
    """Return the rule, variant, or collection that a normalized key means, or None.

    A collection is another program's name for a list of constraints, such as cages. `plain` is a
    key as returned by `_plain`. A key means a name if it equals, resembles, or begins with the
    name.
    """
    variant = _variant_named(plain)
    if variant is not None:
        return variant
    for name in (plain, plain.removesuffix("s")):
        if name in _NAMES:
            return name
    long = [name for name in _NAMES if len(name) >= _FEWEST_LETTERS]
    close = closest(plain, long, cutoff=_CLOSE)
    if close is not None:
        return close
    beginning = (name for name in long if plain.startswith(name))
    return max(beginning, key=len, default=None)


def _variant_named(text: str) -> str | None:
    """Return the name of the variant that a text names, or None.

    Short texts such as 9x9 or x never name a variant.
    """
    plain = _plain(text)
    variant = known_variant(plain) if len(plain) >= _FEWEST_LETTERS else None
    return None if variant is None else variant.name


def _where(name: str) -> str:
    """Return the hint for the user where to put a rule or variant in a puzzle object.

    `name` is a rule, a variant, or another program's name for a list of constraints.
    """
    if name in VARIANTS:
        return f'Write "variant": "{name}" instead.'
    if name in RULES:
        return f"Put rules into 'constraints', such as {RULES[name].example}."
    return "Put rules into 'constraints', or extra houses into 'houses'."


def _fits(value: object, board_key: str) -> bool:
    """Return whether a value could be meant as the value of this key of the puzzle object.

    It must have a JSON type and a form that the key accepts.
    """
    key: Key = KEYS[board_key]
    if key.types and json_type(value) not in key.types:
        return False
    if board_key in ("box", "shape"):
        written = "x".join(map(str, value)) if isinstance(value, list) else str(value)
        return read_box(written) is not None
    if board_key == "blank":
        return isinstance(value, str) and count_graphemes(value) == 1
    if "enum" in key.schema:
        return value in list(key.schema["enum"])  # type: ignore[call-overload]
    if isinstance(value, str):
        return count_graphemes(value) >= _FEWEST_LABELS
    items = key.schema.get("items")
    pattern = items.get("pattern") if isinstance(items, dict) else None
    if pattern is not None and isinstance(value, list):
        return all(re.search(pattern, str(item)) for item in value)
    return board_key != "candidates" or (
        isinstance(value, dict) and all(_CELL.fullmatch(str(name)) for name in value)
    )


def find_misspelled_cells(value: Mapping[str, object]) -> str | None:
    """Return the message for an unknown key that resembles a key for cells, or None.

    `value` is an object without cells. The value of the unknown key must be a string or a list.
    """
    for key, cells in value.items():
        if key not in KEYS and isinstance(cells, str | list):
            hint = did_you_mean(_plain(key), PUZZLE_KEYS)
            if hint:
                return f"Unknown key {shown(key)}{hint}"
    return None
