"""Parse generation requests: how many puzzles, on which board, and what they must meet.

A request is a JSON object. Its fields for the board (box, variant, constraints, and so on) are
those of puzzle objects in uploads. In this module, `value` is a request.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from solver.board.bounds import Bounds, read_bounds
from solver.board.closest import unknown
from solver.board.display import shown
from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.formats import parse
from solver.generation.board_request import (
    BOARD_FIELDS,
    InvalidBoard,
    RandomBoard,
    has_forms,
    read_board,
    with_examples,
)
from solver.generation.difficulty_words import ALL_WORDS, narrow, read_levels, read_words
from solver.generation.random_constraints import KILLER
from solver.generation.symmetry import SYMMETRIES, fits
from solver.generation.technique_names import NO_LIMITS, TechniqueLimits, read_techniques
from solver.logic.board_tables import unknown_rules
from solver.logic.sudoku_explainer.variants import RULES, variant_of
from solver.logic.technique_table import Level

MOST_PUZZLES = 10_000_000
MOST_TRIES = 100_000_000
DEFAULT_TRIES = 1_000_000
CLIMBING_TRIES = 10_000  # by default, if attempts climb
MOST_PARTS = 1_000  # of a plan
MOST_DISTINCT = 1_000_000  # puzzles of a request, whose digests each process keeps
# The fields that each entry of a plan may have
PUZZLE_FIELDS = (
    "count", "rating", "hodoku_score", "level", "difficulty", "techniques", "givens", "symmetry",
    "pattern", "minimal", "sampling", "tries", *BOARD_FIELDS,
)  # fmt: skip
_HODOKU_FIELDS = ("hodoku_score", "level", "difficulty", "techniques")
FIELDS = ("seed", "plan", "distinct", "distinct_from", *PUZZLE_FIELDS)
# How givens are removed: as many as possible, or with a known bias
TOP_DOWN, CONTROLLED_BIAS = SAMPLINGS = ("top-down", "controlled-bias")

# From this rating on, climbing takes less time per puzzle than random puzzles.
_RARE_RATING = 8.8
_HARDEST_KNOWN = 11.9  # of classic puzzles, for example Golden Nugget

_CLASSIC = Layout.boxed(3, 3)
_ANY = Bounds()
_NONE = Bounds(0, 0)
_MOST_SEED = 2**63 - 1
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleRequest:
    """A request for `count` puzzles on the same kind of board and with the same conditions.

    givens       the permitted numbers of givens
    symmetry     the symmetry of the pattern of givens (see `solver.generation.symmetry`)
    pattern      the cells that may hold givens, or None for all
    minimal      whether no given, or no orbit of the symmetry, is redundant
    sampling     TOP_DOWN or CONTROLLED_BIAS
    rating       the permitted ratings of Sudoku Explainer
    words        the permitted difficulty words of classic puzzles, which follow from the rating
    score        the permitted scores of HoDoKu
    levels       the permitted levels of HoDoKu
    techniques   the techniques that HoDoKu's path must and may contain
    tries        the largest number of attempts per puzzle
    random       the parts of the board that are drawn for each puzzle, or None. With random
                 regions, `layout` is an example. It never has the random constraints.
    """

    count: int = 1
    layout: Layout = _CLASSIC
    givens: Bounds = _ANY
    symmetry: str = "none"
    pattern: frozenset[int] | None = None
    minimal: bool = True
    sampling: str = TOP_DOWN
    rating: Bounds = _ANY
    words: frozenset[str] = ALL_WORDS
    score: Bounds = _ANY
    levels: frozenset[Level] = frozenset(Level)
    techniques: TechniqueLimits = NO_LIMITS
    tries: int = DEFAULT_TRIES
    random: RandomBoard | None = None

    @property
    def needs_hodoku(self) -> bool:
        """Whether the request has a condition on HoDoKu's solving path."""
        return self.score != _ANY or self.levels != frozenset(Level) or self.techniques != NO_LIMITS

    @property
    def needs_logic(self) -> bool:
        """Whether human solving techniques are needed to test the conditions."""
        return self.needs_hodoku or self.rating != _ANY

    @property
    def climbs(self) -> bool:
        """Whether attempts climb to the rating (see `solver.generation.climbing`).

        True if the lower bound of the rating is `_RARE_RATING` or more, the board is a classic one,
        there is no symmetry, and the sampling is TOP_DOWN.
        """
        least = self.rating.least
        return (
            least is not None
            and least >= _RARE_RATING
            and self.layout is _CLASSIC
            and self.symmetry == "none"
            and self.sampling == TOP_DOWN
        )

    @property
    def is_selective(self) -> bool:
        """Whether a puzzle may take many attempts, or a single attempt may take long.

        False only for classic 9×9 boards that are sampled top-down, without conditions on the
        givens or the solving path. Symmetry and minimality don't count as conditions.
        """
        return (
            self.needs_logic
            or self.givens != _ANY
            or self.pattern is not None
            or self.sampling != TOP_DOWN
            or self.layout is not _CLASSIC
            or self.random is not None
        )


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """A parsed request. Its puzzles are those of its parts, one after the other.

    seed      the number on which all random choices depend
    distinct  whether no two puzzles may be equivalent
    listed    puzzles to which no puzzle may be equivalent
    """

    seed: int
    parts: tuple[PuzzleRequest, ...]
    distinct: bool = False
    listed: tuple[Puzzle, ...] = ()

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return sum(part.count for part in self.parts)

    def part_of(self, number: int) -> PuzzleRequest:
        """Return the part that puzzle `number`, counted from 1, belongs to.

        Raises IndexError if the request has fewer puzzles.
        """
        for part in self.parts:
            if number <= part.count:
                return part
            number -= part.count
        raise IndexError(number)

    def ranges(self, size: Callable[[PuzzleRequest], int]) -> Iterator[range]:
        """Yield the numbers of all puzzles, from 1, in ranges that belong to one part each.

        size(part) returns the largest permitted length of the next range of a part.
        """
        first = 1
        for part in self.parts:
            after = first + part.count
            while first < after:
                stop = min(first + size(part), after)
                yield range(first, stop)
                first = stop


@dataclass(frozen=True, slots=True)
class InvalidRequest:
    """An error message about a request, and the name of the invalid field."""

    detail: str
    field: str


class _Invalid(Exception):
    """Carries an InvalidRequest. Only used within this module."""

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(detail)
        self.invalid = InvalidRequest(detail, field)


def read_request(value: Mapping[str, object]) -> GenerationRequest | InvalidRequest:
    """Parse a request. If it is invalid, return an error message with the name of the field."""
    try:
        return _read(value)
    except _Invalid as error:
        return error.invalid


def _read(value: Mapping[str, object]) -> GenerationRequest:
    request = _with_parts(value)
    distinct, listed = value.get("distinct"), value.get("distinct_from")
    if distinct is None:
        distinct = listed is not None
    if not isinstance(distinct, bool):
        raise _Invalid(f"'distinct' must be true or false, not {shown(distinct)}", "distinct")
    if listed is not None and not distinct:
        raise _Invalid("'distinct_from' requires that 'distinct' is true", "distinct")
    if not distinct:
        return request
    if not all(part.random is None and has_forms(part.layout) for part in request.parts):
        detail = "'distinct' is only possible for 4×4, 6×6, 8×8, and 9×9 boards without extra rules"
        raise _Invalid(detail, "distinct")
    if request.count > MOST_DISTINCT:
        detail = f"{request.count:,} puzzles; with 'distinct', the limit is {MOST_DISTINCT:,}"
        raise _Invalid(detail, "count")
    return replace(request, distinct=True, listed=_listed(listed or []))


def _listed(value: object) -> tuple[Puzzle, ...]:
    """Return the puzzles in the list of texts in the field 'distinct_from'.

    Raises _Invalid unless each text is one puzzle on a board with canonical forms.
    """
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        detail = f"'distinct_from' must be a list of puzzles as text, not {shown(value)}"
        raise _Invalid(detail, "distinct_from")
    puzzles = []
    for number, text in enumerate(value, 1):
        read = parse(text)
        if len(read) != 1 or isinstance(read[0], Invalid) or not has_forms(read[0].layout):
            detail = (
                f"puzzle {number} of 'distinct_from' isn't one 4×4, 6×6, 8×8, or 9×9 puzzle "
                f"without extra rules: {shown(text)}"
            )
            raise _Invalid(detail, "distinct_from")
        puzzles.append(read[0])
    return tuple(puzzles)


def _with_parts(value: Mapping[str, object]) -> GenerationRequest:
    _check_names(value, FIELDS)
    seed = _whole(value, "seed", default=0, least=0, most=_MOST_SEED)
    if "plan" not in value:
        return GenerationRequest(seed, (_part(value),))
    common = {field: each for field, each in value.items() if field in PUZZLE_FIELDS}
    plan = value["plan"]
    if not isinstance(plan, list) or not plan or not all(isinstance(each, dict) for each in plan):
        raise _Invalid(f"'plan' must be a list of requests, not {shown(plan)}", "plan")
    if len(plan) > MOST_PARTS:
        detail = f"'plan' has {len(plan):,} requests; the limit is {MOST_PARTS:,}"
        raise _Invalid(detail, "plan")
    parts = []
    for number, entry in enumerate(plan, 1):
        try:
            _check_names(entry, PUZZLE_FIELDS)
            parts.append(_part(common | entry))
        except _Invalid as error:
            detail = f"entry {number} of 'plan': {error.invalid.detail}"
            raise _Invalid(detail, "plan") from None
    request = GenerationRequest(seed, tuple(parts))
    if request.count > MOST_PUZZLES:
        detail = f"'plan' has {request.count:,} puzzles; the limit is {MOST_PUZZLES:,}"
        raise _Invalid(detail, "plan")
    return request


def _check_names(value: Mapping[str, object], names: tuple[str, ...]) -> None:
    for field in value:
        if field not in names:
            raise _Invalid(unknown("field", field, names), field)


def _part(value: Mapping[str, object]) -> PuzzleRequest:
    board = read_board(value)
    if isinstance(board, InvalidBoard):
        raise _Invalid(board.detail, board.field)
    layout, random = board
    constraints = () if random is None else random.constraints
    has_cages = any(each.rule == KILLER for each in constraints)
    givens = _NONE if has_cages and "givens" not in value else _bounds(value, "givens")
    minimal = value.get("minimal", True)
    if not isinstance(minimal, bool):
        raise _Invalid(f"'minimal' must be true or false, not {shown(minimal)}", "minimal")
    if not minimal and givens.least is None:
        detail = "if 'minimal' is false, 'givens' must state the fewest givens, such as 30..34"
        raise _Invalid(detail, "givens")
    sampling = _sampling(value, minimal=minimal, random=random)
    is_rated = random is None and variant_of(layout) is not None
    rating = _bounds(value, "rating")
    if rating != _ANY and not is_rated:
        names = ", ".join(sorted(RULES))
        detail = (
            "'rating' is Sudoku Explainer's and requires a 9×9 board without other rules than "
            f"{names}; for other boards, use 'difficulty', 'hodoku_score', 'level', or 'techniques'"
        )
        raise _Invalid(detail, "rating")
    if layout is _CLASSIC and (rating.least or 0) > _HARDEST_KNOWN:
        detail = f"no known classic puzzle is rated above {_HARDEST_KNOWN}; lower 'rating'"
        raise _Invalid(detail, "rating")
    words = _known(read_words(value), "difficulty")
    levels = _known(read_levels(value, words, is_rated=is_rated), "level")
    if is_rated and words != ALL_WORDS:
        rating = _known(narrow(rating, words), "rating")
    limits = read_techniques(value.get("techniques", {}))
    if not isinstance(limits, TechniqueLimits):
        raise _Invalid(limits, "techniques")
    part = PuzzleRequest(
        count=_whole(value, "count", default=1, least=1, most=MOST_PUZZLES),
        layout=layout,
        givens=givens,
        symmetry=_symmetry(value, layout),
        pattern=_pattern(value, layout),
        minimal=minimal,
        sampling=sampling,
        rating=rating,
        words=words,
        score=_bounds(value, "hodoku_score"),
        levels=levels,
        techniques=limits,
        tries=_whole(value, "tries", default=_default_tries(sampling), least=1, most=MOST_TRIES),
        random=random,
    )
    if part.climbs and "tries" not in value:
        part = replace(part, tries=CLIMBING_TRIES)
    rules = with_examples(layout, constraints)
    unknown_to_logic = unknown_rules(rules) if part.needs_hodoku else ()
    if unknown_to_logic:
        field = next(name for name in _HODOKU_FIELDS if name in value)
        detail = f"'{field}' isn't possible with {' or '.join(unknown_to_logic)} yet"
        raise _Invalid(detail, field)
    return part


def _known(found: _Read | str, field: str) -> _Read:
    """Return `found`, the parsed value of a field. Raises _Invalid if it is an error message."""
    if isinstance(found, str):
        raise _Invalid(found, field)
    return found


def _whole(value: Mapping[str, object], field: str, *, default: int, least: int, most: int) -> int:
    """Return the whole number in a field, or the default. Raises _Invalid if it isn't in range."""
    number = value.get(field, default)
    if type(number) is not int or not least <= number <= most:
        detail = f"'{field}' must be a whole number from {least:,} to {most:,}, not {shown(number)}"
        raise _Invalid(detail, field)
    return number


def _bounds(value: Mapping[str, object], field: str) -> Bounds:
    """Return the range in a field, which is a number or a text such as 6.5..7.5.

    Without the field, the range has no bounds. Raises _Invalid if it can't be parsed.
    """
    if field not in value:
        return _ANY
    written = value[field]
    bounds = None
    if isinstance(written, str | int | float):
        bounds = read_bounds(str(written))
    if bounds is None:
        detail = (
            f"'{field}' must be a number or a range such as 6.5..7.5, 6.5.., or ..7.5, not "
            f"{shown(written)}"
        )
        raise _Invalid(detail, field)
    return bounds


def _symmetry(value: Mapping[str, object], layout: Layout) -> str:
    symmetry = str(value.get("symmetry", "none"))
    if symmetry not in SYMMETRIES:
        raise _Invalid(unknown("symmetry", symmetry, tuple(SYMMETRIES)), "symmetry")
    if not fits(layout, symmetry):
        detail = f"the board doesn't have the symmetry {symmetry!r}; choose another one"
        raise _Invalid(detail, "symmetry")
    return symmetry


def _sampling(value: Mapping[str, object], *, minimal: bool, random: RandomBoard | None) -> str:
    """Return the sampling method of a request. Raises _Invalid if it can't be used with the rest.

    `minimal` is that field of the request. `random` is the board if parts of it are drawn at
    random, or else None.
    """
    sampling = str(value.get("sampling", TOP_DOWN))
    if sampling not in SAMPLINGS:
        raise _Invalid(unknown("sampling", sampling, SAMPLINGS), "sampling")
    if sampling == CONTROLLED_BIAS and not minimal:
        detail = f"'sampling' {sampling!r} gives minimal puzzles, so 'minimal' must be true"
        raise _Invalid(detail, "sampling")
    if sampling == CONTROLLED_BIAS and random is not None:
        detail = f"'sampling' {sampling!r} isn't possible if parts of the board are random"
        raise _Invalid(detail, "sampling")
    return sampling


def _default_tries(sampling: str) -> int:
    # With controlled bias, one of 250,000 attempts gives a classic puzzle.
    return MOST_TRIES if sampling == CONTROLLED_BIAS else DEFAULT_TRIES


def _pattern(value: Mapping[str, object], layout: Layout) -> frozenset[int] | None:
    """Return the cells that may hold givens, which are those without a dot in the pattern.

    Returns None if there is no pattern. Raises _Invalid unless it has one character per cell.
    """
    if "pattern" not in value:
        return None
    written = value["pattern"]
    rows = written if isinstance(written, list) else [written]
    signs = "".join("".join(row.split()) for row in rows if isinstance(row, str))
    if len(signs) != layout.cells:
        detail = (
            f"'pattern' must have {layout.cells} characters, one per cell: a dot where no given "
            f"may be, and another character elsewhere, not {shown(written)}"
        )
        raise _Invalid(detail, "pattern")
    return frozenset(cell for cell, sign in enumerate(signs) if sign != ".")
