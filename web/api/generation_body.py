"""The request schema of generation jobs."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from solver.generation.request import (
    DEFAULT_TRIES,
    MOST_PUZZLES,
    MOST_TRIES,
    SAMPLINGS,
    TOP_DOWN,
)
from solver.generation.symmetry import SYMMETRIES
from web.api.requests import UploadOptions
from web.results.formats import MAX_SEED


class TechniqueNames(msgspec.Struct):
    """Techniques by name, as in /api/v1/techniques.

    "..X-Wing" stands for X-Wing and all techniques before it in HoDoKu's order.
    """

    require: Annotated[
        list[str] | UnsetType, Meta(description="Techniques that each puzzle needs.")
    ] = UNSET
    forbid: Annotated[
        list[str] | UnsetType, Meta(description="Techniques that no puzzle needs.")
    ] = UNSET
    only: Annotated[
        list[str] | UnsetType,
        Meta(description="The only techniques that puzzles may need.", examples=[["..X-Wing"]]),
    ] = UNSET


_Range = Annotated[str | float, Meta(description="A number, or a range: 6.5..7.5, 6.5.., ..7.5.")]


class GenerationBody(msgspec.Struct):
    """A request for puzzles. The same request gives the same puzzles in the same version."""

    count: Annotated[int, Meta(ge=1, le=MOST_PUZZLES, description="Number of puzzles.")] = 1
    seed: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_SEED,
            description="Number that determines all random choices. Use a new one for each batch, "
            "because the same number gives the same puzzles.",
        ),
    ] = 0
    rating: Annotated[
        _Range | UnsetType,
        Meta(
            description="Sudoku Explainer's rating, on classic boards and six of their variants.",
            examples=["6.5..7.5"],
        ),
    ] = UNSET
    hodoku_score: Annotated[_Range | UnsetType, Meta(description="HoDoKu's score.")] = UNSET
    level: Annotated[
        str | list[str] | UnsetType,
        Meta(description="HoDoKu's level or levels, such as hard.", examples=["hard"]),
    ] = UNSET
    difficulty: Annotated[
        str | list[str] | UnsetType,
        Meta(
            description="Difficulty words: easy, medium, hard, very hard, diabolical, or extreme. "
            "They follow from Sudoku Explainer's rating on boards that it rates, and from the "
            "hardest technique on others.",
            examples=["easy"],
        ),
    ] = UNSET
    techniques: Annotated[
        TechniqueNames | UnsetType,
        Meta(description="Conditions on the techniques of HoDoKu's solving path."),
    ] = UNSET
    givens: Annotated[
        _Range | UnsetType, Meta(description="Number of givens.", examples=["24..26"])
    ] = UNSET
    symmetry: Annotated[
        str,
        Meta(
            description="Symmetry of the pattern of givens.",
            extra_json_schema={"enum": [*SYMMETRIES]},
        ),
    ] = "none"
    pattern: Annotated[
        str | list[str] | UnsetType,
        Meta(
            description="One character per cell: a dot where no given may be, and another "
            "character elsewhere."
        ),
    ] = UNSET
    minimal: Annotated[
        bool, Meta(description="Whether no given, or no orbit of the symmetry, is redundant.")
    ] = True
    sampling: Annotated[
        str,
        Meta(
            description="How givens are removed. controlled-bias takes some 250,000 attempts per "
            "puzzle on classic boards, and the sample allows unbiased statistics.",
            extra_json_schema={"enum": [*SAMPLINGS]},
        ),
    ] = TOP_DOWN
    distinct: Annotated[
        bool | UnsetType,
        Meta(
            description="Whether no two puzzles may be equivalent up to symmetry. Only for 4×4, "
            "6×6, 8×8, and 9×9 boards without extra rules."
        ),
    ] = UNSET
    distinct_from: Annotated[
        list[str] | UnsetType,
        Meta(description="Puzzles to which no puzzle may be equivalent. Implies `distinct`."),
    ] = UNSET
    tries: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_TRIES)] | UnsetType,
        Meta(
            description=f"Maximum number of attempts per puzzle, {DEFAULT_TRIES:,} by default. "
            f"With controlled-bias sampling, the default is {MOST_TRIES:,}.",
        ),
    ] = UNSET
    box: Annotated[
        str | UnsetType, Meta(description="Rows and columns of a box.", examples=["2x3"])
    ] = UNSET
    variant: Annotated[
        str | list[str] | UnsetType,
        Meta(description="Rules of the board.", examples=["diagonal,antiknight"]),
    ] = UNSET
    regions: Annotated[
        Any, Meta(description='Regions of a jigsaw, as in a puzzle object, or "random".')
    ] = UNSET
    constraints: Annotated[
        list[dict[str, Any]] | UnsetType,
        Meta(description="Constraints of the board, as in a puzzle object."),
    ] = UNSET
    random_constraints: Annotated[
        dict[str, Any] | UnsetType,
        Meta(
            description="Constraints that are drawn for each puzzle: killer cages, lines, or "
            "Kropki dots.",
            examples=[{"killer": {"count": "24..30"}}],
        ),
    ] = UNSET
    plan: Annotated[
        list[dict[str, Any]] | UnsetType,
        Meta(
            description="Several requests in a row, whose fields override those of the body.",
            examples=[[{"count": 5, "level": "easy"}, {"count": 2, "level": "hard"}]],
        ),
    ] = UNSET
    options: Annotated[
        UploadOptions | UnsetType,
        Meta(description="The job's options, except for those about reading an upload."),
    ] = UNSET
    name: Annotated[str | UnsetType, Meta(description="Name of the job on pages.")] = UNSET
