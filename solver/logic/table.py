"""The table of techniques: names, codes, scores, levels, and ratings, in HoDoKu's order."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """HoDoKu's difficulty levels."""

    EASY = 1
    MEDIUM = 2
    HARD = 3
    UNFAIR = 4
    EXTREME = 5


# The highest score for each level. A higher score raises the level.
MOST_SCORE = {Level.EASY: 800, Level.MEDIUM: 1000, Level.HARD: 1600, Level.UNFAIR: 1800}

# The word for each level, as newspapers use them.
WORDS = {
    Level.EASY: "easy",
    Level.MEDIUM: "medium",
    Level.HARD: "hard",
    Level.UNFAIR: "very hard",
    Level.EXTREME: "diabolical",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """The properties of a technique, except for its implementation.

    Techniques with the same `order` are searched for together. `rating` is the lowest rating that
    Sudoku Explainer gives to the technique, or None if it doesn't have it. `others` are alternative
    names. `usual` is False for techniques that are off by default, because they are rare, slow, or
    hard to follow.
    """

    code: str  # code in HoDoKu's library of regression tests
    name: str
    order: int
    score: int
    level: Level
    rating: float | None = None
    others: tuple[str, ...] = ()
    usual: bool = True


def _technique(
    code: str,
    name: str,
    order: int,
    score: int,
    level: Level,
    *,
    rating: float | None = None,
    others: tuple[str, ...] = (),
    usual: bool = True,
) -> tuple[str, Entry]:
    return code, Entry(code, name, order, score, level, rating, others, usual)


_EASY, _MEDIUM, _HARD, _UNFAIR, _EXTREME = Level

TECHNIQUES: dict[str, Entry] = dict(
    [
        _technique(
            "0000",
            "Full House",
            100,
            4,
            _EASY,
            rating=1.0,
            others=("Last Digit", "Single", "Last Cell"),
        ),
        _technique(
            "0003",
            "Naked Single",
            200,
            4,
            _EASY,
            rating=2.3,
            others=("Sole Candidate", "Forced Digit"),
        ),
        _technique(
            "0002",
            "Hidden Single",
            300,
            14,
            _EASY,
            rating=1.5,
            others=("Pinned Digit", "Unique Candidate"),
        ),
        # Not in HoDoKu, which has no puzzles with sums.
        _technique(
            "3000",
            "Sum Combinations",
            500,
            30,
            _MEDIUM,
            others=("Cage Combinations", "Killer Combinations"),
        ),
        _technique("3001", "Innies", 510, 40, _MEDIUM, others=("Rule of 45",)),
        _technique("3002", "Outies", 520, 40, _MEDIUM, others=("Rule of 45",)),
        _technique(
            "3003",
            "Innies and Outies",
            530,
            50,
            _MEDIUM,
            others=("Rule of 45", "Innie-Outie Difference"),
        ),
        _technique(
            "0110", "Locked Pair", 1000, 40, _MEDIUM, rating=2.0, others=("Pointing Naked Pair",)
        ),
        _technique("0111", "Locked Triple", 1100, 60, _MEDIUM, rating=2.5),
        _technique(
            "0100",
            "Locked Candidates Type 1",
            1200,
            50,
            _MEDIUM,
            rating=2.6,
            others=("Pointing", "Pointing Pairs", "Locked Candidates 1"),
        ),
        _technique(
            "0101",
            "Locked Candidates Type 2",
            1210,
            50,
            _MEDIUM,
            rating=2.8,
            others=("Claiming", "Box-Line Reduction", "Locked Candidates 2"),
        ),
        _technique(
            "0200",
            "Naked Pair",
            1300,
            60,
            _MEDIUM,
            rating=3.0,
            others=("Exposed Pair", "Disjoint Subset 2"),
        ),
        _technique(
            "0201",
            "Naked Triple",
            1400,
            80,
            _MEDIUM,
            rating=3.6,
            others=("Exposed Triple", "Naked Triplet"),
        ),
        _technique("0210", "Hidden Pair", 1500, 70, _MEDIUM, rating=3.4),
        _technique(
            "0211", "Hidden Triple", 1600, 100, _MEDIUM, rating=4.0, others=("Hidden Triplet",)
        ),
        _technique("0202", "Naked Quadruple", 2000, 120, _HARD, rating=5.0, others=("Naked Quad",)),
        _technique(
            "0212", "Hidden Quadruple", 2100, 150, _HARD, rating=5.4, others=("Hidden Quad",)
        ),
        _technique("0300", "X-Wing", 2200, 140, _HARD, rating=3.2),
        _technique("0301", "Swordfish", 2300, 150, _HARD, rating=3.8),
        _technique("0302", "Jellyfish", 2400, 160, _HARD, rating=5.2),
        _technique("0703", "Remote Pair", 2800, 110, _HARD),
        _technique(
            "0610",
            "Bivalue Universal Grave + 1",
            2900,
            100,
            _HARD,
            rating=5.6,
            others=("BUG+1", "BUG Type 1"),
        ),
        _technique("0400", "Skyscraper", 3000, 130, _HARD),
        _technique("0401", "2-String Kite", 3100, 150, _HARD, others=("Two-String Kite",)),
        _technique("0403", "Turbot Fish", 3120, 120, _HARD),
        _technique("0402", "Empty Rectangle", 3170, 120, _HARD, others=("Hinge",)),
        _technique("0803", "W-Wing", 3200, 150, _HARD),
        _technique("0800", "XY-Wing", 3300, 160, _HARD, rating=4.2, others=("Y-Wing",)),
        _technique("0801", "XYZ-Wing", 3400, 180, _HARD, rating=4.4),
        _technique(
            "0600",
            "Uniqueness Test 1",
            3500,
            100,
            _HARD,
            rating=4.5,
            others=("Unique Rectangle Type 1",),
        ),
        _technique(
            "0601",
            "Uniqueness Test 2",
            3600,
            100,
            _HARD,
            rating=4.5,
            others=("Unique Rectangle Type 2",),
        ),
        _technique(
            "0602",
            "Uniqueness Test 3",
            3700,
            100,
            _HARD,
            rating=4.5,
            others=("Unique Rectangle Type 3",),
        ),
        _technique(
            "0603",
            "Uniqueness Test 4",
            3800,
            100,
            _HARD,
            rating=4.5,
            others=("Unique Rectangle Type 4",),
        ),
        _technique(
            "0604", "Uniqueness Test 5", 3900, 100, _HARD, others=("Unique Rectangle Type 5",)
        ),
        _technique(
            "0605", "Uniqueness Test 6", 4000, 100, _HARD, others=("Unique Rectangle Type 6",)
        ),
        _technique(
            "0606", "Hidden Rectangle", 4010, 100, _HARD, others=("Hidden Unique Rectangle",)
        ),
        _technique("0607", "Avoidable Rectangle Type 1", 4020, 100, _HARD),
        _technique("0608", "Avoidable Rectangle Type 2", 4030, 100, _HARD),
        _technique("0310", "Finned X-Wing", 4100, 130, _HARD),
        _technique("0320", "Sashimi X-Wing", 4200, 150, _HARD),
        _technique("0311", "Finned Swordfish", 4300, 200, _UNFAIR),
        _technique("0321", "Sashimi Swordfish", 4400, 240, _UNFAIR),
        _technique("0312", "Finned Jellyfish", 4500, 250, _UNFAIR),
        _technique("0322", "Sashimi Jellyfish", 4600, 260, _UNFAIR),
        _technique(
            "1101", "Sue de Coq", 5300, 250, _UNFAIR, others=("Two-Sector Disjoint Subsets",)
        ),
        _technique(
            "0500",
            "Simple Colors Trap",
            5330,
            150,
            _HARD,
            others=("Simple Colouring", "Singles Chains"),
        ),
        _technique(
            "0501",
            "Simple Colors Wrap",
            5330,
            150,
            _HARD,
            others=("Simple Colouring", "Singles Chains"),
        ),
        _technique("0502", "Multi Colors 1", 5360, 200, _HARD, others=("Multi-Colouring",)),
        _technique("0503", "Multi Colors 2", 5360, 200, _HARD, others=("Multi-Colouring",)),
        _technique("0701", "X-Chain", 5400, 260, _UNFAIR, rating=6.6, others=("Forcing X-Chain",)),
        _technique("0702", "XY-Chain", 5500, 260, _UNFAIR, rating=6.6),
        _technique(
            "0706",
            "Continuous Nice Loop",
            5600,
            280,
            _UNFAIR,
            rating=7.0,
            others=("Bidirectional Cycle", "X-Cycle"),
        ),
        _technique("0707", "Discontinuous Nice Loop", 5600, 280, _UNFAIR, rating=7.0),
        _technique(
            "0708",
            "AIC",
            5600,
            280,
            _UNFAIR,
            rating=7.0,
            others=("Alternating Inference Chain", "Forcing Chain"),
        ),
        _technique("0709", "Grouped Continuous Nice Loop", 5650, 300, _UNFAIR),
        _technique("0710", "Grouped Discontinuous Nice Loop", 5650, 300, _UNFAIR),
        _technique("0711", "Grouped AIC", 5650, 300, _UNFAIR),
        _technique("0901", "Almost Locked Set XZ-Rule", 5700, 300, _UNFAIR, others=("ALS-XZ",)),
        _technique(
            "0902", "Almost Locked Set XY-Wing", 5800, 320, _UNFAIR, others=("ALS-XY-Wing",)
        ),
        _technique("0903", "Almost Locked Set Chain", 5900, 340, _UNFAIR, others=("ALS-XY-Chain",)),
        _technique("0904", "Death Blossom", 6000, 360, _UNFAIR, usual=False),
        _technique("0330", "Franken X-Wing", 6100, 300, _UNFAIR),
        _technique("0331", "Franken Swordfish", 6200, 350, _UNFAIR),
        _technique("0332", "Franken Jellyfish", 6300, 370, _UNFAIR, usual=False),
        _technique("0340", "Finned Franken X-Wing", 6700, 390, _UNFAIR),
        _technique("0341", "Finned Franken Swordfish", 6800, 410, _UNFAIR),
        _technique("0342", "Finned Franken Jellyfish", 6900, 430, _UNFAIR, usual=False),
        _technique(
            "1301",
            "Forcing Chain Contradiction",
            8500,
            500,
            _EXTREME,
            rating=8.0,
            others=("Nishio",),
        ),
        _technique(
            "1302",
            "Forcing Chain Verity",
            8500,
            500,
            _EXTREME,
            rating=8.0,
            others=("Multiple Forcing Chain", "Cell Forcing Chain", "Region Forcing Chain"),
        ),
        _technique(
            "1303",
            "Forcing Net Contradiction",
            8600,
            700,
            _EXTREME,
            rating=8.5,
            others=("Dynamic Forcing Chain",),
        ),
        _technique(
            "1304",
            "Forcing Net Verity",
            8600,
            700,
            _EXTREME,
            rating=8.5,
            others=("Dynamic Forcing Chain",),
        ),
        _technique("1205", "Brute Force", 8900, 10000, _EXTREME, others=("Guess",)),
    ]
)
