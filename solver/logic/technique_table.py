"""The table of HoDoKu's techniques, in its solving order: names, codes, scores, and levels.

The techniques for sums, which HoDoKu doesn't have, follow the singles. The ratings come from the
table of Sudoku Explainer's techniques. A second table, `RULE_TECHNIQUES`, has the steps from rules,
trials, and the complete search, for boards that aren't classic.
"""

from dataclasses import dataclass
from enum import IntEnum

from solver.logic.sudoku_explainer.techniques import (
    CELL_CHAINS,
    DIRECT_HIDDEN_PAIR,
    DIRECT_HIDDEN_TRIPLET,
    DYNAMIC_CONTRADICTION,
    DYNAMIC_DOUBLE,
    FORCING_CHAIN,
    FORCING_X_CHAIN,
    TABLE,
    XY_CYCLE,
)


class Level(IntEnum):
    """HoDoKu's difficulty levels."""

    EASY = 1
    MEDIUM = 2
    HARD = 3
    UNFAIR = 4
    EXTREME = 5


# The highest score for each level. A higher score raises the level.
MOST_SCORE = {Level.EASY: 800, Level.MEDIUM: 1000, Level.HARD: 1600, Level.UNFAIR: 1800}

GUESS = "1205"  # the code of a guess, which HoDoKu counts where no technique finds anything


@dataclass(frozen=True, slots=True)
class Entry:
    """The properties of a technique, except for its implementation.

    `code` is the technique's code in HoDoKu's library of regression tests. HoDoKu doesn't have
    sums, which have the codes from 3000 on, and steps from rules, which have those from 4000 on.
    `score` is the cost of one step, HoDoKu's or, for sums and steps from rules, our own. `aliases`
    are other names in use. Techniques that are not `enabled_by_default` are rare, slow, or hard to
    follow. `rated_as` is the code of Sudoku Explainer's technique of the same difficulty, if it
    differs from `code`.
    """

    code: str
    name: str
    score: int
    level: Level
    aliases: tuple[str, ...]
    rated_as: int | None
    enabled_by_default: bool

    @property
    def rating(self) -> float | None:
        """The lowest rating that Sudoku Explainer gives to the technique, or None."""
        rated = TABLE.get(int(self.code) if self.rated_as is None else self.rated_as)
        return None if rated is None else rated.rating


def _technique(
    code: str,
    name: str,
    score: int,
    level: Level,
    *aliases: str,
    rated_as: int | None = None,
    enabled_by_default: bool = True,
) -> tuple[str, Entry]:
    return code, Entry(code, name, score, level, aliases, rated_as, enabled_by_default)


_EASY, _MEDIUM, _HARD, _UNFAIR, _EXTREME = Level

# In solving order.
TECHNIQUES: dict[str, Entry] = dict(
    [
        _technique("0000", "Full House", 4, _EASY, "Last Digit", "Single", "Last Cell"),
        _technique("0003", "Naked Single", 4, _EASY, "Sole Candidate", "Forced Digit"),
        _technique("0002", "Hidden Single", 14, _EASY, "Pinned Digit", "Unique Candidate"),
        # Sums are not in HoDoKu, so their scores are our own.
        _technique(
            "3000", "Sum Combinations", 30, _MEDIUM, "Cage Combinations", "Killer Combinations"
        ),
        _technique("3001", "Innies", 40, _MEDIUM, "Rule of 45"),
        _technique("3002", "Outies", 40, _MEDIUM, "Rule of 45"),
        _technique(
            "3003", "Innies and Outies", 50, _MEDIUM, "Rule of 45", "Innie-Outie Difference"
        ),
        _technique(
            "0110", "Locked Pair", 40, _MEDIUM, "Pointing Naked Pair", rated_as=DIRECT_HIDDEN_PAIR
        ),
        _technique("0111", "Locked Triple", 60, _MEDIUM, rated_as=DIRECT_HIDDEN_TRIPLET),
        _technique(
            "0100",
            "Locked Candidates Type 1",
            50,
            _MEDIUM,
            "Pointing",
            "Pointing Pairs",
            "Locked Candidates 1",
        ),
        _technique(
            "0101",
            "Locked Candidates Type 2",
            50,
            _MEDIUM,
            "Claiming",
            "Box-Line Reduction",
            "Locked Candidates 2",
        ),
        _technique("0200", "Naked Pair", 60, _MEDIUM, "Exposed Pair", "Disjoint Subset 2"),
        _technique("0201", "Naked Triple", 80, _MEDIUM, "Exposed Triple", "Naked Triplet"),
        _technique("0210", "Hidden Pair", 70, _MEDIUM),
        _technique("0211", "Hidden Triple", 100, _MEDIUM, "Hidden Triplet"),
        _technique("0202", "Naked Quadruple", 120, _HARD, "Naked Quad"),
        _technique("0212", "Hidden Quadruple", 150, _HARD, "Hidden Quad"),
        _technique("0300", "X-Wing", 140, _HARD),
        _technique("0301", "Swordfish", 150, _HARD),
        _technique("0302", "Jellyfish", 160, _HARD),
        _technique("0703", "Remote Pair", 110, _HARD),
        _technique("0610", "Bivalue Universal Grave + 1", 100, _HARD, "BUG+1", "BUG Type 1"),
        _technique("0400", "Skyscraper", 130, _HARD),
        _technique("0401", "2-String Kite", 150, _HARD, "Two-String Kite"),
        _technique("0403", "Turbot Fish", 120, _HARD),
        _technique("0402", "Empty Rectangle", 120, _HARD, "Hinge"),
        _technique("0803", "W-Wing", 150, _HARD),
        _technique("0800", "XY-Wing", 160, _HARD, "Y-Wing"),
        _technique("0801", "XYZ-Wing", 180, _HARD),
        _technique("0600", "Uniqueness Test 1", 100, _HARD, "Unique Rectangle Type 1"),
        _technique("0601", "Uniqueness Test 2", 100, _HARD, "Unique Rectangle Type 2"),
        _technique("0602", "Uniqueness Test 3", 100, _HARD, "Unique Rectangle Type 3"),
        _technique("0603", "Uniqueness Test 4", 100, _HARD, "Unique Rectangle Type 4"),
        _technique("0604", "Uniqueness Test 5", 100, _HARD, "Unique Rectangle Type 5"),
        _technique("0605", "Uniqueness Test 6", 100, _HARD, "Unique Rectangle Type 6"),
        _technique("0606", "Hidden Rectangle", 100, _HARD, "Hidden Unique Rectangle"),
        _technique("0607", "Avoidable Rectangle Type 1", 100, _HARD),
        _technique("0608", "Avoidable Rectangle Type 2", 100, _HARD),
        _technique("0310", "Finned X-Wing", 130, _HARD),
        _technique("0320", "Sashimi X-Wing", 150, _HARD),
        _technique("0311", "Finned Swordfish", 200, _UNFAIR),
        _technique("0321", "Sashimi Swordfish", 240, _UNFAIR),
        _technique("0312", "Finned Jellyfish", 250, _UNFAIR),
        _technique("0322", "Sashimi Jellyfish", 260, _UNFAIR),
        _technique("1101", "Sue de Coq", 250, _UNFAIR, "Two-Sector Disjoint Subsets"),
        _technique("0500", "Simple Colors Trap", 150, _HARD, "Simple Colouring", "Singles Chains"),
        _technique("0501", "Simple Colors Wrap", 150, _HARD, "Simple Colouring", "Singles Chains"),
        _technique("0502", "Multi Colors 1", 200, _HARD, "Multi-Colouring"),
        _technique("0503", "Multi Colors 2", 200, _HARD, "Multi-Colouring"),
        _technique("0701", "X-Chain", 260, _UNFAIR, "Forcing X-Chain", rated_as=FORCING_X_CHAIN),
        _technique("0702", "XY-Chain", 260, _UNFAIR, rated_as=FORCING_X_CHAIN),
        _technique(
            "0706",
            "Continuous Nice Loop",
            280,
            _UNFAIR,
            "Bidirectional Cycle",
            "X-Cycle",
            rated_as=XY_CYCLE,
        ),
        _technique("0707", "Discontinuous Nice Loop", 280, _UNFAIR, rated_as=FORCING_CHAIN),
        _technique(
            "0708",
            "AIC",
            280,
            _UNFAIR,
            "Alternating Inference Chain",
            "Forcing Chain",
            rated_as=FORCING_CHAIN,
        ),
        _technique("0709", "Grouped Continuous Nice Loop", 300, _UNFAIR),
        _technique("0710", "Grouped Discontinuous Nice Loop", 300, _UNFAIR),
        _technique("0711", "Grouped AIC", 300, _UNFAIR),
        _technique("0901", "Almost Locked Set XZ-Rule", 300, _UNFAIR, "ALS-XZ"),
        _technique("0902", "Almost Locked Set XY-Wing", 320, _UNFAIR, "ALS-XY-Wing"),
        _technique("0903", "Almost Locked Set Chain", 340, _UNFAIR, "ALS-XY-Chain"),
        _technique("0904", "Death Blossom", 360, _UNFAIR, enabled_by_default=False),
        _technique("0330", "Franken X-Wing", 300, _UNFAIR),
        _technique("0331", "Franken Swordfish", 350, _UNFAIR),
        _technique("0332", "Franken Jellyfish", 370, _UNFAIR, enabled_by_default=False),
        _technique("0340", "Finned Franken X-Wing", 390, _UNFAIR),
        _technique("0341", "Finned Franken Swordfish", 410, _UNFAIR),
        _technique("0342", "Finned Franken Jellyfish", 430, _UNFAIR, enabled_by_default=False),
        _technique(
            "1301", "Forcing Chain Contradiction", 500, _EXTREME, "Nishio", rated_as=CELL_CHAINS
        ),
        _technique(
            "1302",
            "Forcing Chain Verity",
            500,
            _EXTREME,
            "Multiple Forcing Chain",
            "Cell Forcing Chain",
            "Region Forcing Chain",
            rated_as=CELL_CHAINS,
        ),
        _technique(
            "1303",
            "Forcing Net Contradiction",
            700,
            _EXTREME,
            "Dynamic Forcing Chain",
            rated_as=DYNAMIC_CONTRADICTION,
        ),
        _technique(
            "1304",
            "Forcing Net Verity",
            700,
            _EXTREME,
            "Dynamic Forcing Chain",
            rated_as=DYNAMIC_DOUBLE,
        ),
        _technique(GUESS, "Brute Force", 10000, _EXTREME, "Guess"),
    ]
)


# Steps from rules and trials, which neither program has. The scores are the costs in our own
# rating. Long trials cost more, and the lines of all trials are added.
RULE_TECHNIQUES: dict[str, Entry] = dict(
    [
        _technique("4000", "Single Rule", 20, _EASY),
        _technique("4001", "Rule and Houses", 130, _HARD),
        _technique("4002", "Value Required by a Rule", 45, _MEDIUM),
        _technique("4003", "Common Peers", 50, _MEDIUM),
        _technique("4004", "Trial", 150, _UNFAIR, "Contradiction", "Bifurcation"),
        _technique("4005", "Complete Search", 10000, _EXTREME),
        _technique("4006", "Rules Together", 500, _EXTREME),
    ]
)

# The meaning of these steps, for readers of an explanation, who find them in no other program.
RULE_MEANINGS: dict[str, str] = {
    "4000": "one rule, such as a thermometer, and the candidates of its cells exclude the others.",
    "4001": "one rule excludes candidates, because some of its cells must also differ.",
    "4002": "a rule needs a digit in its cells, so cells that see all its places there lose it.",
    "4003": "cells that see all places of a digit in a house lose this digit.",
    "4004": "an assumption leads to a contradiction, so it is wrong.",
    "4005": "trial and error shows the digit, because no technique applies.",
    "4006": "some rules and houses exclude candidates only if they are taken together.",
}

# Techniques that many people know by their first alias.
_KNOWN_BY_ALIAS = frozenset(
    ("0100", "0101", "0600", "0601", "0602", "0603", "0604", "0605", "0610", "0708")
)


def name_of(code: str) -> str:
    """Return the name of the technique with a code, which can be one of Sudoku Explainer's.

    If both programs have the technique, this is HoDoKu's name.
    """
    entry = TECHNIQUES.get(code) or RULE_TECHNIQUES.get(code)
    return TABLE[int(code)].name if entry is None else entry.name


def heading_of(code: str) -> str:
    """Return the name of a technique for people, such as "Bivalue Universal Grave + 1 (BUG+1)".

    Its first alias follows in parentheses if many people know it by that name.
    """
    name = name_of(code)
    return f"{name} ({TECHNIQUES[code].aliases[0]})" if code in _KNOWN_BY_ALIAS else name
