"""The command that makes puzzles on this machine, without a queue."""

import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

import click

from solver.board.display import how_many
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.formats import parse
from solver.formats.format import Context
from solver.formats.write import write_puzzle
from solver.generation.request import (
    SAMPLINGS,
    GenerationRequest,
    InvalidRequest,
    read_request,
)
from solver.generation.symmetry import SYMMETRIES
from web.commands.distinct_blocks import distinct_blocks
from web.commands.exits import SOME_NOT_SOLVED, check_output, fail, output, print_message
from web.commands.local_settings import in_command_notation, options_and_settings
from web.commands.option_types import Name, WholeNumber
from web.commands.progress_bars import puzzles_bar, results_on_terminal
from web.commands.solve_blocks import count_cores, solve_blocks
from web.results.formats import RESULT_FORMATS, missing_package
from web.results.writers import WRITERS, ResultPage, result_page
from worker.ingest.generation_blocks import generation_blocks
from worker.job import JobOptions
from worker.process.generate_block import is_plain
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GENERATED, GenerationBlock, context_of

_PUZZLES = "puzzles"


# The request checks the ranges.
_NUMBER = WholeNumber()


@click.command()
@click.option("--count", type=_NUMBER, metavar="N", help="Number of puzzles. [default: 1]")
@click.option("--seed", type=_NUMBER, metavar="N", help="The same seed gives the same puzzles.")
@click.option("--rating", metavar="RANGE", help="Sudoku Explainer's rating, such as 6.5..7.5.")
@click.option("--hodoku-score", metavar="RANGE", help="HoDoKu's score, such as 1000..1600.")
@click.option("--level", metavar="NAME", help="HoDoKu's level, such as hard.")
@click.option("--difficulty", metavar="NAME", help="Difficulty word, such as easy or very hard.")
@click.option(
    "--require",
    multiple=True,
    metavar="NAME",
    help="A technique that each puzzle needs. Can be repeated.",
)
@click.option(
    "--forbid",
    multiple=True,
    metavar="NAME",
    help="A technique that no puzzle needs. Can be repeated.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="A technique that puzzles may need, instead of all. ..X-Wing stands for X-Wing and all "
    "simpler ones. Can be repeated.",
)
@click.option("--givens", metavar="RANGE", help="Number of givens, such as 24..26.")
@click.option("--symmetry", type=Name([*SYMMETRIES]), help="Symmetry of the givens.")
@click.option(
    "--pattern",
    metavar="TEXT",
    help="Cells for givens: one character per cell, a dot where no given may be.",
)
@click.option(
    "--minimal/--no-minimal",
    default=None,
    help="Make puzzles in which no given is redundant. [default: minimal]",
)
@click.option(
    "--sampling",
    type=Name(SAMPLINGS),
    help="How givens are removed: fast, or slow for statistics. [default: top-down]",
)
@click.option(
    "--distinct/--no-distinct",
    default=None,
    help="Make no two puzzles that are equal up to symmetry.",
)
@click.option(
    "--distinct-from",
    type=click.File("rb"),
    metavar="FILE",
    help="File with puzzles to which no new puzzle may be equal up to symmetry.",
)
@click.option("--box", metavar="RxC", help="Rows and columns of a box, such as 2x3.")
@click.option("--size", type=_NUMBER, metavar="N", help="Number of rows, columns, and values.")
@click.option("--variant", metavar="NAMES", help="Rules, such as diagonal,antiknight.")
@click.option("--regions", metavar="LABELS", help="Regions of a jigsaw, or random for any jigsaw.")
@click.option(
    "--random-constraints",
    multiple=True,
    metavar="RULE[:MEMBERS]",
    help="Constraints that are drawn for each puzzle, such as killer, or "
    "thermo:count=4..6,largest=7,minimal.",
)
@click.option("--tries", type=_NUMBER, metavar="N", help="Maximum number of attempts per puzzle.")
@click.option(
    "--request",
    type=click.File("rb"),
    metavar="FILE",
    help="JSON file with a generation request. Other options take precedence.",
)
@click.option("--rate", is_flag=True, help="Rate the puzzles.")
@click.option("--minlex", is_flag=True, help="Add the canonical form of each puzzle.")
@click.option(
    "--output",
    "output_format",
    type=Name([_PUZZLES, *RESULT_FORMATS]),
    default=_PUZZLES,
    show_default=True,
    help="Format of the output: only the puzzles, or a result per puzzle.",
)
@click.option(
    "-j",
    "--jobs",
    type=WholeNumber(0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of cores to use. 0 uses all cores. This doesn't change the puzzles.",
)
def generate(output_format: str, jobs: int, *, rate: bool, minlex: bool, **fields: object) -> None:
    """Make puzzles with exactly one solution on this machine, without a service.

    The puzzles go to standard output, one per line, and a summary to standard error. A progress bar
    is also shown if standard error is a terminal and the puzzles go to a file or a pipe. The same
    options always give the same puzzles.

    \b
    Examples:
      sudokuq generate --count 1000 --symmetry 180 --rating 7.1..7.5 > puzzles.txt
      sudokuq generate --require X-Wing --only ..X-Wing
      sudokuq generate --box 2x3 --count 100 --output csv
      sudokuq generate --random-constraints killer:count=28..32 --regions random

    Exit codes: 0 if all puzzles were made, 1 if some couldn't be made, 2 for invalid options.
    """
    check_output(output_format)
    missing = missing_package(output_format)
    if missing is not None:
        fail(f"--output {missing}")
    options, _ = options_and_settings({"rate": rate or None, "minlex": minlex or None})
    given = [name for name, each in fields.items() if each is not None]
    value = _request_fields(fields)
    request = read_request(value)
    if isinstance(request, InvalidRequest):
        fail(in_command_notation(request.detail, given))
    # The listed puzzles stay in this process, because there may be many.
    value.pop("distinct_from", None)
    generation = _Generation(request, context_of(json.dumps(value)), options)
    counts: Counter[str] = Counter()
    with closing(_pages(generation, counts, processes=jobs or count_cores())) as pages:
        if output_format == _PUZZLES:
            output().writelines(map(_puzzles, pages))
        else:
            output().writelines(WRITERS[output_format].write(pages, options, ()))
    given_up = counts[Outcome.GAVE_UP.label]
    made = how_many(counts.total() - given_up, "puzzle")
    print_message(made + (f", {given_up:,} given up" if given_up else ""))
    if given_up:
        raise SystemExit(SOME_NOT_SOLVED)


@dataclass(frozen=True, slots=True)
class _Generation:
    """A generation request with its job's options, as a source of blocks for `solve_blocks`.

    `context` has the request in the form in which a job stores it.
    """

    request: GenerationRequest
    context: Context
    options: JobOptions
    format: str = GENERATED

    def blocks(self) -> Iterator[GenerationBlock]:
        return generation_blocks(self.request, self.options)


def _request_fields(options: dict[str, object]) -> dict[str, object]:
    """Return the generation request that the options of the command specify.

    Options replace the same fields of the file with the request, if there is one. Options that are
    None are left out. The files, and options that need a conversion such as `require`, are removed
    from `options`. Exits with a message if a given file is malformed.
    """
    file = options.pop("request")
    value: dict[str, object] = {}
    if file is not None:
        try:
            value = json.load(file)  # type: ignore[arg-type]
        except ValueError as error:
            fail(f"--request: malformed JSON: {error}")
        if not isinstance(value, dict):
            fail("--request: the file must contain a JSON object")
    listed = options.pop("distinct_from")
    if listed is not None:
        value["distinct_from"] = _listed(listed.read())  # type: ignore[attr-defined]
    techniques = {name: list(options.pop(name)) for name in ("require", "forbid", "only")}  # type: ignore[call-overload]
    given = {name: names for name, names in techniques.items() if names}
    if given:
        value["techniques"] = given
    constraints = options.pop("random_constraints")
    if constraints:
        value["random_constraints"] = dict(map(_random_constraints, constraints))  # type: ignore[call-overload]
    return value | {name: each for name, each in options.items() if each is not None}


def _random_constraints(text: str) -> tuple[str, dict[str, object]]:
    """Return a rule and its members from a text such as thermo:count=4..6,minimal.

    A member without a value, such as `minimal`, is True.
    """
    rule, _, rest = text.partition(":")
    members: dict[str, object] = {}
    for member in filter(None, rest.split(",")):
        name, is_set, value = member.partition("=")
        members[name.strip()] = _member_value(value.strip()) if is_set else True
    return rule.strip(), members


def _member_value(text: str) -> object:
    """Return the number that a text represents, or the text itself if it isn't a number."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _listed(content: bytes) -> list[str]:
    """Return the puzzles in a file, one text each. Exit with a message if one is invalid."""
    texts = []
    for number, puzzle in enumerate(parse(content), 1):
        if isinstance(puzzle, Invalid):
            fail(f"--distinct-from: puzzle {number}: {puzzle.detail}")
        texts.append(write_puzzle(puzzle) or str(puzzle))
    return texts


def _pages(
    generation: _Generation, counts: Counter[str], *, processes: int
) -> Generator[ResultPage]:
    """Yield the results in pages while the puzzles are made, and show a progress bar.

    Counts the puzzles by outcome in `counts`. `processes` is the number of processes.
    """
    options = generation.options
    with puzzles_bar("making", visible=not results_on_terminal()) as progress:
        task = progress.add_task("", total=generation.request.count)
        with closing(_blocks(generation, processes=processes)) as blocks:
            for block, result in blocks:
                counts.update(result.outcome_counts())
                progress.update(task, completed=counts.total())
                yield result_page(
                    (block.first, result),
                    limit=options.limit, rated=options.rate, minlex=options.minlex, listed=False,
                )  # fmt: skip
                output().flush()


def _blocks(
    generation: _Generation, *, processes: int
) -> Generator[tuple[GenerationBlock, ChunkResult]]:
    blocks = solve_blocks(generation, processes=processes)
    if not generation.request.distinct:
        return blocks
    return distinct_blocks(
        blocks, generation.request, context=generation.context, options=generation.options
    )


def _puzzles(page: ResultPage) -> bytes:
    """Return the puzzles of a page as text that can be read again, one per line.

    Those that were given up are left out.
    """
    return "".join(f"{line}\n" for line in _lines(page)).encode()


def _lines(page: ResultPage) -> Iterable[str]:
    for row, board in page.with_boards():
        if board is None or row.outcome == Outcome.GAVE_UP.label:
            continue
        if is_plain(board.layout):
            yield row.puzzle
        else:
            puzzle = Puzzle(board.layout, board.read(row.puzzle) or (), board.symbols)
            yield write_puzzle(puzzle) or row.puzzle
