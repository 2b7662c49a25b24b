"""Read a puzzle with one solution for each rule from `samples/rule_puzzles.txt` in `web.api`.

Each line of the file has the name of a rule and a puzzle in JSON. `python -m
docs_build.rule_puzzles` writes it.
"""

from functools import lru_cache
from importlib.resources import files

from solver.rules.rule import Rule
from solver.rules.variants import Variant
from web.pages.rule_pictures import example_of

FILE = ("samples", "rule_puzzles.txt")


def puzzle_with(rule: Rule | Variant) -> str:
    """Return a puzzle in JSON that has a rule.

    For rules without a stored puzzle, this is the rule's example on a grid without givens, or a
    solved grid if the rule can't be drawn on an empty one.
    """
    return rule_puzzles().get(rule.name) or example_of(rule)


@lru_cache(maxsize=1)
def rule_puzzles() -> dict[str, str]:
    """Return the puzzles by the name of their rule."""
    lines = files("web.api").joinpath(*FILE).read_text("ascii").splitlines()
    return {name: puzzle for name, _, puzzle in (line.partition(" ") for line in lines)}
