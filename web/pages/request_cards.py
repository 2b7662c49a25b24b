"""Common requests for puzzles, as cards that fill in the form on the page that makes puzzles."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from web.boards.svg import Picture
from web.pages.rule_pictures import picture_of
from web.pages.samples import examples

_JIGSAW = {
    "puzzle": "........8.1.....73...8.4.........7..7..5...96.3...92..8..9.7..1..2...4..6.....9..",
    "regions": "112333344122533344122536647182536647182566647182566447182555577188999777888999999",
}
_DIAGONALS = {
    "puzzle": "....8...5...6..1...4......9....1.8..23.....57..9.5....5......3...4..7...9...4....",
    "variant": "diagonal",
}


@dataclass(frozen=True, slots=True)
class RequestCard:
    """A card: its texts, and the picture of a puzzle as its request gives it.

    `fields` has the values that the card fills into the form, by the names of the form's fields.
    """

    title: str
    description: str
    fields: Mapping[str, str]
    picture: Picture


@lru_cache(maxsize=1)
def request_cards() -> tuple[RequestCard, ...]:
    """Return the cards with examples of generation requests, in the order of the page."""
    return (
        RequestCard(
            "100 easy puzzles",
            "The givens have half-turn symmetry, as in newspapers.",
            {"count": "100", "difficulty": "easy", "symmetry": "180"},
            picture_of(
                "....983.13..1......4....5....7.1..3.9.46.71.5.2..4.7....6....7......9..67.348...."
            ),
        ),
        RequestCard(
            "20 with an X-Wing",
            "Each one needs this technique, and nothing harder.",
            {"count": "20", "require": "X-Wing", "hardest": "X-Wing"},
            picture_of(
                "45.6..1..2765...3.....23...6...3..41.........12..5...6...26.....6...1495..1..5.28"
            ),
        ),
        RequestCard(
            "50 small puzzles",
            "On 6×6 boards, for children and beginners.",
            {"count": "50", "box": "2x3"},
            picture_of(".....1....6...6....4.3..3.....4..53."),
        ),
        RequestCard(
            "10 killers",
            "Cages with sums, drawn at random, and no givens.",
            {"count": "10", "random_constraints": "killer"},
            examples()["killer.jsonl"].pictures[0],
        ),
        RequestCard(
            "10 jigsaws",
            "Each one has its own irregular regions.",
            {"count": "10", "regions": "random"},
            picture_of(json.dumps(_JIGSAW)),
        ),
        RequestCard(
            "20 with diagonals",
            "Each main diagonal has every digit once.",
            {"count": "20", "variant": "diagonal", "symmetry": "180"},
            picture_of(json.dumps(_DIAGONALS)),
        ),
    )
