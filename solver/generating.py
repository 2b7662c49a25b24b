"""Make puzzles from Python: the function `generate`."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.board.puzzle import Puzzle
from solver.generation.distinct import Seen
from solver.generation.generator import Generated, Generator, symbols_of
from solver.generation.request import GenerationRequest, InvalidRequest, read_request


@dataclass(frozen=True, slots=True)
class GeneratedPuzzle:
    """Puzzle `number` of a request, counted from 1.

    `solution` has a value 1…N per cell. `puzzle` and `solution` are None if no attempt met all
    conditions. `rejected` has the number of failed attempts by the condition that wasn't met.
    """

    number: int
    puzzle: Puzzle | None
    solution: tuple[int, ...] | None
    attempts: int
    rejected: dict[str, int]


def generate(**fields: object) -> Iterator[GeneratedPuzzle]:
    """Return an iterator over new puzzles that have exactly one solution.

    The arguments are the fields of a generation request, such as `count`, `seed`, `rating`
    ("6.5..7.5"), `givens` ("22..25"), `symmetry` ("180"), and `techniques`. With `regions` "random"
    (jigsaws), or with `random_constraints` such as {"killer": {"count": "24..30"}}, each puzzle has
    a board of its own. An item's `puzzle` is None if no attempt met all conditions. The same
    arguments always give the same puzzles in the same version. Raises ValueError immediately if a
    field is invalid.

    >>> [generated.number for generated in generate(count=2, seed=7)]
    [1, 2]
    """
    request = read_request(fields)
    if isinstance(request, InvalidRequest):
        raise ValueError(request.detail)
    return _generated(request)


def _generated(request: GenerationRequest) -> Iterator[GeneratedPuzzle]:
    seen = Seen(request.listed) if request.distinct else None
    for numbers in request.ranges(lambda part: part.count):
        part = request.part_of(numbers.start)
        yield from map(_as_puzzle, Generator(part, numbers, seed=request.seed, seen=seen))


def _as_puzzle(generated: Generated) -> GeneratedPuzzle:
    layout = generated.layout
    puzzle = solution = None
    if generated.givens is not None and generated.solution is not None:
        puzzle = Puzzle(layout, tuple(generated.givens.tolist()), symbols_of(layout))
        solution = tuple(generated.solution.tolist())
    return GeneratedPuzzle(
        generated.number, puzzle, solution, generated.attempts, dict(generated.rejected)
    )
