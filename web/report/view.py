"""Arrange a report as sections with tables, for the page, the PDF, and the terminal alike."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import UNSET

from solver.board.display import as_sentence, how_many
from solver.logic.rating.difficulty import WORDS
from web.report.patterns import LABELS
from web.report.schema import (
    Book,
    BookLevel,
    ClaimedLevel,
    Claims,
    Counted,
    Defect,
    Distribution,
    Listing,
    PuzzleReference,
    Repeated,
    Report,
    Shared,
)

Filter = dict[str, str]
_MAX_ROWS = 10  # of a table that lists puzzles
_MAX_CELLS = 6
_MAX_COPIES = 8
_FIRST = ("multiple", "invalid", "duplicates")  # in the order of the numbers on a job's page
_WHOLE = "Open in the results"  # the link below a list that is whole
_UNKNOWN = "This is unknown for all puzzles."


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    text       its text
    where      the filter that selects the puzzles that a number counts, or None
    puzzle     the number of the puzzle to which the text leads, or None
    share      the length of a bar, from 0 to 1, or None
    is_number  whether it is aligned to the right
    """

    text: str
    where: Filter | None = None
    puzzle: int | None = None
    share: float | None = None
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of at least one row, with a caption.

    `more` is a link to all puzzles of which the table lists the first, or None.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    more: Cell | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report: a title, some sentences, and tables. `key` is its stable name."""

    key: str
    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = field(default_factory=list)


def numbers_of(report: Report) -> list[tuple[str, str, Cell]]:
    """Return the most important numbers of a report, each with its kind and its label.

    The kind is that of a problem, "publishable", "duplicates", or "". Duplicates are counted up to
    symmetry if that is known. The numbers about another collection and about claims are left out if
    the report has none.
    """
    publishable = report.publishable
    repeated = report.duplicates.equivalent or report.duplicates.identical
    bad = [(each.kind, each.title, _number(each.puzzles, each.filter)) for each in report.problems]
    bad.append(("duplicates", "Duplicates", _number(repeated.puzzles, repeated.filter)))
    bad.sort(key=lambda each: _FIRST.index(each[0]) if each[0] in _FIRST else len(_FIRST))
    numbers = [
        ("", "Puzzles", _number(report.puzzles, {})),
        ("publishable", "Publishable", _number(publishable.puzzles, publishable.filter)),
        *bad,
    ]
    if report.duplicates.against is not None:
        shared = report.duplicates.against
        label = "Also in the other collection"
        numbers.append(("", label, _number(shared.puzzles, shared.filter)))
    if report.claims is not None:
        claims = report.claims
        label = "Claimed level doesn’t fit"
        numbers.append(("", label, _number(claims.disagreements, claims.filter)))
    return numbers


def sections_of(report: Report) -> Iterator[Section]:
    """Yield the sections of a report, in order.

    Without claims, a book, or techniques, their sections are left out. Without ratings, the section
    about the difficulty says how to get them.
    """
    yield _problems(report)
    yield _duplicates(report)
    if report.claims is not None:
        yield _claims(report.claims)
    if report.difficulty is None:
        yield Section(
            "difficulty",
            "Difficulty",
            ["The puzzles aren’t rated. Run them again with the option “Rate the difficulty” "
             "(rate) to see how hard they are, whether claimed levels fit, and an order for a "
             "book."],
        )  # fmt: skip
    else:
        yield _distribution("difficulty", "Difficulty", report.difficulty, "Unusual rating")
    named = [
        Counted(LABELS[part.name], part.puzzles, part.filter) for part in report.symmetry.parts
    ]
    symmetry = Distribution(named, report.symmetry.outliers)
    yield _distribution("symmetry", "Symmetry", symmetry, "Without this symmetry")
    yield _minimality(report)
    if report.book is not None and report.book.levels:
        yield _book(report.book)
    yield _distribution("givens", "Givens", report.givens, "Unusual number")
    if report.hardest_techniques is not None:
        yield _techniques(report.hardest_techniques, report.required_techniques or [])


def _problems(report: Report) -> Section:
    bad = report.problems
    if not bad:
        return Section("problems", "Solutions", ["Every puzzle has exactly one solution."])
    return Section("problems", "Not publishable", tables=[_problem(each) for each in bad])


def _problem(problem: Defect) -> Table:
    rows = [[_puzzle(each), Cell(each.name or ""), Cell(_reason(each))] for each in problem.first]
    caption = f"{problem.title}: {how_many(problem.puzzles, 'puzzle')}"
    return _table(caption, ("Puzzle", "Name", "Reason"), rows, problem.puzzles, problem.filter)


def _reason(puzzle: PuzzleReference) -> str:
    words = [] if puzzle.detail is None else [as_sentence(puzzle.detail)]
    if puzzle.differing_cells is not UNSET and puzzle.solutions is not UNSET:
        cells = puzzle.differing_cells
        more = len(cells) - _MAX_CELLS
        listed = ", ".join(cells[:_MAX_CELLS]) + (f", and {more:,} more" if more > 0 else "")
        words.append(f"Two solutions differ in {how_many(len(cells), 'cell')}: {listed}.")
    return " ".join(words)


def _duplicates(report: Report) -> Section:
    found = report.duplicates
    tables = []
    sentences = []
    for name, repeated in (
        ("Identical", found.identical),
        ("Rearranged", found.transformed),
    ):
        if repeated is None:
            sentences.append(
                "Only identical puzzles were compared. The option “Find duplicates” (minlex) also "
                "finds turned, mirrored, and renumbered copies."
            )
        elif repeated.groups:
            tables.append(_repeated(name, repeated))
            if repeated is found.transformed:
                sentences.append(
                    "Rearranged puzzles are turned, mirrored, or renumbered copies of earlier ones."
                )
    if not tables:
        sentences.insert(0, "No puzzle repeats an earlier one.")
    if found.against is not None:
        tables += [_shared(found.against)] if found.against.puzzles else []
        if not found.against.puzzles:
            sentences.append(f"No puzzle is also in {found.against.collection}.")
    return Section("duplicates", "Duplicates", sentences, tables)


def _repeated(name: str, repeated: Repeated) -> Table:
    rows = []
    for first, *others in repeated.first:
        omitted = len(others) - _MAX_COPIES
        copies = ", ".join(_named(each) for each in others[:_MAX_COPIES])
        copies += f", and {omitted:,} more" if omitted > 0 else ""
        rows.append([_puzzle(first), Cell(first.name or ""), Cell(copies)])
    caption = f"{name}: {how_many(repeated.puzzles, 'duplicate')}"
    table = _table(caption, ("Puzzle", "Name", "Its duplicates"), rows, repeated.groups, {})
    is_cut = repeated.groups > len(table.rows)
    link = _show(repeated.puzzles, "duplicate") if is_cut else _WHOLE
    more = Cell(link, repeated.filter)
    return Table(table.caption, table.heads, table.rows, more=more)


def _named(puzzle: PuzzleReference) -> str:
    return f"{puzzle.n:,}" + (f" ({puzzle.name})" if puzzle.name else "")


def _shared(shared: Shared) -> Table:
    rows = [
        [
            Cell(f"{pair.n:,}", puzzle=pair.n, is_number=True),
            Cell(pair.name or ""),
            Cell(f"{pair.other_n:,}" + (f" ({pair.other_name})" if pair.other_name else "")),
            Cell("identical" if pair.identical else "turned, mirrored, or renumbered"),
        ]
        for pair in shared.first
    ]
    caption = f"Also in {shared.collection}: {how_many(shared.puzzles, 'puzzle')}"
    return _table(caption, ("Puzzle", "Name", "There", "How"), rows, shared.puzzles, shared.filter)


def _distribution(key: str, title: str, found: Distribution, unusual: str) -> Section:
    """Return a section with a table of the parts and, if there are outliers, a table of them.

    `found` has both, and `unusual` is the caption of the second table.
    """
    if not found.parts:
        return Section(key, title, [_UNKNOWN])
    tables = [_parts(title, found.parts)]
    if found.outliers.puzzles:
        tables.append(_listing(unusual, found.outliers))
    return Section(key, title, tables=tables)


def _parts(caption: str, parts: Sequence[Counted]) -> Table:
    most = max((part.puzzles for part in parts), default=1)
    rows = [
        [Cell(part.name), _number(part.puzzles, part.filter), Cell("", share=part.puzzles / most)]
        for part in parts
    ]
    return Table(caption, ("", "Puzzles", ""), rows)


def _listing(title: str, listing: Listing) -> Table:
    rows = [[_puzzle(each), Cell(each.name or "")] for each in listing.first]
    caption = f"{title}: {how_many(listing.puzzles, 'puzzle')}"
    return _table(caption, ("Puzzle", "Name"), rows, listing.puzzles, listing.filter)


def _minimality(report: Report) -> Section:
    title = "Minimality"
    if report.minimality is None:
        sentence = (
            "This wasn’t tested. Run the puzzles again with the option “Redundant givens and "
            "constraints” (minimal)."
        )
        return Section("minimality", title, [sentence])
    words = {"minimal": "nothing is redundant", "not-minimal": "something is redundant"}
    parts = [
        Counted(words[part.name], part.puzzles, part.filter) for part in report.minimality.parts
    ]
    found = Distribution(parts, report.minimality.outliers)
    return _distribution("minimality", title, found, "Unlike most puzzles")


def _techniques(hardest: Sequence[Counted], required: Sequence[Counted]) -> Section:
    if not hardest:
        return Section("techniques", "Techniques", [_UNKNOWN])
    tables = [
        _parts("Hardest technique", hardest),
        _parts("All techniques", required),
    ]
    return Section("techniques", "Techniques", tables=tables)


def _claims(claims: Claims) -> Section:
    words = _words_of(claims.levels)
    scale = "rating" if claims.measure == "rating" else "HoDoKu score"
    rows = []
    for level in claims.levels:
        parts = {part.name: part for part in level.measured}
        digits = 1 if claims.measure == "rating" else 0
        span = "none"
        if level.lowest is not None and level.highest is not None:
            span = _span(level.lowest, level.highest, digits=digits)
        counts = [
            _number(parts[word].puzzles, parts[word].filter) if word in parts else Cell("")
            for word in words
        ]
        rows.append([Cell(level.name), _number(level.puzzles, level.filter), Cell(span), *counts])
    heads = (claims.column, "Puzzles", f"Fitting {scale}s", *words)
    tables = [Table("Claimed and measured", heads, rows)]
    if claims.disagreements:
        listed = [
            [
                Cell(f"{each.n:,}", puzzle=each.n, is_number=True),
                Cell(each.name or ""),
                Cell(each.claimed),
                Cell(each.fitting),
                Cell("" if each.rating is None else f"{each.rating:.1f}", is_number=True),
                Cell("" if each.hodoku_score is None else f"{each.hodoku_score:,}", is_number=True),
            ]
            for each in claims.first
        ]
        caption = f"Claimed level doesn’t fit: {how_many(claims.disagreements, 'puzzle')}"
        names = ("Puzzle", "Name", "Claimed", "Fits", "Rating", "HoDoKu score")
        tables.append(_table(caption, names, listed, claims.disagreements, claims.filter))
    sentences = [
        f"The column “{claims.column}” claims a level for {how_many(claims.compared, 'puzzle')} "
        "with a rating. Harder levels should contain harder puzzles. So each level gets one range "
        f"of {scale}s, chosen so that as many puzzles as possible fit their level."
    ]
    if any(level.lowest is None for level in claims.levels):
        sentences.append(
            "A level with “none” has no range of its own, because its puzzles have no "
            f"{scale} or other levels fit them better."
        )
    return Section("claims", "Claimed difficulty", sentences, tables)


def _words_of(levels: Iterable[ClaimedLevel | BookLevel]) -> list[str]:
    """Return the difficulty words that occur in the levels, easiest first."""
    found = {part.name for level in levels for part in level.measured}
    order = {word: place for place, word in enumerate(WORDS)}
    return sorted(found, key=lambda word: order.get(word, len(order)))


def _book(book: Book) -> Section:
    words = _words_of(book.levels)
    rows = []
    for level in book.levels:
        parts = {part.name: part for part in level.measured}
        counts = [
            _number(parts[word].puzzles, parts[word].filter) if word in parts else Cell("")
            for word in words
        ]
        rows.append([Cell(f"{level.level}"), _number(level.puzzles, level.filter), *counts])
    sentence = (
        f"The {how_many(book.puzzles, 'publishable puzzle')} with a rating, easiest first, in "
        f"{how_many(len(book.levels), 'level')} of equal size. HoDoKu’s score orders puzzles with "
        "the same rating."
    )
    table = Table(
        "Proposed levels",
        ("Level", "Puzzles", *words),
        rows,
        more=Cell("All puzzles in this order", book.filter),
    )
    return Section("book", "Book order", [sentence], [table])


def _span(lowest: float, highest: float, *, digits: int = 1) -> str:
    """Return a range as text, such as "1.2–3.4", or one number if both ends look the same."""
    ends = f"{lowest:,.{digits}f}", f"{highest:,.{digits}f}"
    return ends[0] if ends[0] == ends[1] else "–".join(ends)


def _table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    count: int,
    where: Filter,
) -> Table:
    """Return a table of the first rows, without the columns that are empty in them.

    It has at most `_MAX_ROWS` of `rows`. `count` is the number of all puzzles, and the caption says
    if not all are listed. If the filter `where` isn't empty, it selects all of them, and a link to
    them follows.
    """
    listed = list(rows)[:_MAX_ROWS]
    kept = [n for n, _ in enumerate(heads) if any(row[n].text for row in listed)]
    link = _WHOLE
    if count > len(listed):
        caption += f", of which the first {len(listed)} are listed"
        link = _show(count, "puzzle")
    return Table(
        caption,
        [heads[n] for n in kept],
        [[row[n] for n in kept] for row in listed],
        more=Cell(link, where) if where else None,
    )


def _show(number: int, kind: str) -> str:
    return f"Show the {kind}" if number == 1 else f"Show all {how_many(number, kind)}"


def _number(number: int, where: Filter) -> Cell:
    return Cell(f"{number:,}", where if number else None, is_number=True)


def _puzzle(puzzle: PuzzleReference) -> Cell:
    return Cell(f"{puzzle.n:,}", puzzle=puzzle.n, is_number=True)
