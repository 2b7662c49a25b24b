"""Read the constraints of Interactive Sudoku Solver, by name."""

import re
from collections.abc import Callable, Set
from itertools import combinations

from solver.board.closest import unknown
from solver.formats.objects.iss_arguments import Refused, lines_of, number, pieces_of
from solver.formats.objects.iss_board import Board
from solver.formats.objects.iss_chaos import CHAOS_READERS
from solver.formats.objects.iss_codes import BASE64, automaton_in, pattern_in
from solver.formats.objects.iss_grids import GRID_READERS

# Kinds of constraints and our rules. `iss_writer` reads the tables in the other direction.
VARIANTS = {
    "AntiConsecutive": "nonconsecutive",
    "AntiKing": "antiking",
    "AntiKnight": "antiknight",
    "AntiTaxicab": "antitaxicab",
    "DutchFlatmates": "dutchflatmates",
    "GlobalEntropy": "globalentropy",
    "GlobalMod": "globalmodular",
    "RegionSameValues": "regionsamevalues",
    "StrictKropki": "kropkinegative",
    "StrictXV": "xvnegative",
}
# With cells as their only arguments.
CELLS = {
    "AllDifferent": "different",
    "Arrow": "arrow",
    "Between": "between",
    "CountingCircles": "countingcircles",
    "DoubleArrow": "doublearrow",
    "Entropic": "entropic",
    "EqualityCage": "equality",
    "Palindrome": "palindrome",
    "RegionSumLine": "regionsum",
    "Renban": "renban",
    "Thermo": "thermo",
    "ValueIndexing": "indexline",
    "Zipper": "zipper",
}
LEAST_CELLS = {
    "Between": 3,
    "CountingCircles": 1,
    "Zipper": 3,
}  # constraints with fewer cells are ignored; 2 for the other kinds
# Between adjacent cells.
DOTS = {
    "BlackDot": "black",
    "GreaterThan": "greater",
    "V": "v",
    "WhiteDot": "white",
    "X": "x",
}
# With a number before their cells.
NUMBERED = {
    "Lockout": "lockout",
    "Lunchbox": "lunchbox",
    "Modular": "modular",
    "RellikCage": "rellik",
}


def _plain(kind: str, *, least: int) -> Callable[[Board, list[str]], None]:
    """Return a reader of constraints of the rule `kind` whose only arguments are cells.

    Constraints with fewer than `least` cells are ignored.
    """

    def read(board: Board, args: list[str]) -> None:
        cells = board.cells(args)
        if len(cells) >= least:
            board.add(kind, cells)

    return read


def _numbered(kind: str) -> Callable[[Board, list[str]], None]:
    """Return a function that adds a constraint of the rule `kind` to a board.

    The function gets the constraint's arguments: a number, followed by the cells.
    """

    def read(board: Board, args: list[str]) -> None:
        board.add(kind, board.cells(args[1:]), number(args[0]))

    return read


def _dots(kind: str) -> Callable[[Board, list[str]], None]:
    """Return a reader that adds constraints of the rule `kind` between adjacent cells.

    It adds one for each pair of adjacent cells among the listed cells. It raises Refused if no two
    of them are adjacent.
    """

    def read(board: Board, args: list[str]) -> None:
        pairs = combinations(dict.fromkeys(board.cells(args)), 2)
        marked = [pair for pair in pairs if board.are_neighbors(*pair)]
        if not marked:
            raise Refused("none of its cells are adjacent to each other")
        for pair in marked:
            board.add(kind, pair)

    return read


def _both_ends(kind: str) -> Callable[[Board, list[str]], None]:
    """Return a reader of clues of the rule `kind` at one or both ends of a row or column.

    An empty argument stands for no clue at that end. A clue replaces an earlier clue of the same
    rule at the same end, except inside .Or and .Replicate.
    """

    def read(board: Board, args: list[str]) -> None:
        for clue, direction in zip(args[1:3], (1, -1), strict=False):
            if clue:
                board.add_once(kind, board.line(args[0], direction), number(clue))

    return read


def _variant(name: str) -> Callable[[Board, list[str]], None]:
    def read(board: Board, args: list[str]) -> None:
        del args
        board.add_variant(name)

    return read


def _given(board: Board, args: list[str]) -> None:
    if board.give_usual(args):
        return
    for written in args:
        name, *numbers = written.split("_")
        if not numbers:
            raise Refused(f"{written[:20]!r} isn't a given; expected one such as R1C1_5")
        board.give(board.cell(name), [*map(number, numbers)])


def _diagonal(board: Board, args: list[str]) -> None:
    rising = args[0] == "1"
    rows = range(1, board.rows + 1)
    cells = [("", row, board.rows + 1 - row if rising else row) for row in rows]
    board.add("different", board.cells_at(cells))


def _whisper(board: Board, args: list[str]) -> None:
    named = not args[0].isdecimal()  # the difference is omitted and defaults to 5
    cells = board.cells(args if named else args[1:])
    board.add("whisper", cells, 5 if named else number(args[0]))


def _cage(board: Board, args: list[str]) -> None:
    cells, text = board.cells(args[1:]), args[0].strip()
    total = number(text) if text not in ("", "0") else -1  # -1: no sum is given
    distinct = tuple(dict.fromkeys(cells))
    if total >= 0 and len(distinct) < len(cells):  # a cell named twice counts twice
        board.add("sum", cells, total)
        total = -1
    board.add("killer", distinct, total)


def _sum(board: Board, args: list[str]) -> None:
    """Read a sum such as 12, or a total and a factor for each cell such as 0_=_1_1_-10.

    Raises Refused if the sum is malformed.
    """
    total, *factors = args[0].split("_")
    cells = board.cells(args[1:])
    if factors[:1] == ["="] and len(factors) == len(cells) + 1:
        values = [number(each) for each in (total, *factors[1:])]
        board.add("weightedsum", cells, values)
    elif factors:
        raise Refused("expected a sum and a factor for each cell, such as 12_=_1_-1")
    else:
        board.add("sum", cells, number(total))


def _sum_line(board: Board, args: list[str]) -> None:
    kind = "sumloop" if args[-1] == "LOOP" else "sumline"
    cells = board.cells(args[1:-1] if kind == "sumloop" else args[1:])
    board.add(kind, cells, number(args[0]))


def _little_killer(board: Board, args: list[str]) -> None:
    _, row, column = board.place(args[1])
    # The diagonal leads into the grid: down and right from the left edge, down and left from the
    # top, up and left from the right edge, and up and right from the bottom.
    if column == 1 and row < board.rows:
        down, right = 1, 1
    elif row == 1:
        down, right = 1, -1
    elif column == board.columns:
        down, right = -1, -1
    else:
        down, right = -1, 1
    cells = []
    while 1 <= row <= board.rows and 1 <= column <= board.columns:
        cells.append(("", row, column))
        row, column = row + down, column + right
    board.add_once("littlekiller", board.cells_at(cells), number(args[0]))


def _pill_arrow(board: Board, args: list[str]) -> None:
    size, cells = number(args[0]), board.places(args[1:])
    pill = sorted(cells[:size])  # digits of the pill are in reading order
    board.add("pillarrow", board.cells_at([*pill, *cells[size:]]), size)


def _sandwich(board: Board, args: list[str]) -> None:
    line = board.line(args[1], 1)
    # With more values than cells, the crusts are the line's smallest and largest digits.
    kind = "sandwich" if len(line) == board.size else "lunchbox"
    board.add_once(kind, line, number(args[0]))


def _quad(board: Board, args: list[str]) -> None:
    group, row, column = board.place(args[0])
    square = [(group, row + down, column + right) for down in (0, 1) for right in (0, 1)]
    if not all(map(board.has, square)):
        raise Refused(f"{args[0][:20]!r} isn't the top left cell of a 2×2 square")
    board.add_once("quadruple", board.cells_at(square), [number(value) for value in args[1:]])


def _indexing(board: Board, args: list[str]) -> None:
    for _, row, column in board.places(args[1:]):
        if args[0] == "C":
            board.add("index", board.line(f"R{row}", 1), column)
        else:
            board.add("index", board.line(f"C{column}", 1), row)


def _table(kind: str, *, legacy: bool) -> Callable[[Board, list[str]], None]:
    """Return a reader of the rule `kind` that allows only some pairs of values.

    The pairs are the bits of a matrix in base64, row by row. The row is the pair's first value. In
    `legacy` constraints, the last two base64 letters are _ and - instead of - and _. The reader
    raises Refused for other letters.
    """
    letters = BASE64[:62] + ("_-" if legacy else "-_")

    def read(board: Board, args: list[str]) -> None:
        if any(letter not in letters for letter in args[0]):
            raise Refused("the table of pairs isn't in base64")
        bits = [letters.index(letter) >> k & 1 for letter in args[0] for k in range(6)]
        values = [
            number + board.lowest
            for k, bit in enumerate(bits[: board.size**2])
            if bit
            for number in divmod(k, board.size)
        ]
        for line in lines_of(args[1:]):
            board.add(kind, board.cells(line), values)

    return read


def _variables(board: Board, args: list[str]) -> None:
    """Read a group of auxiliary variables: prefix, display name, and count or rows × columns.

    The group is named V and the prefix. Without a count, it has one variable. Without rows and
    columns, the variables are arranged in rows as wide as the grid. Raises Refused if an argument
    is malformed.
    """
    size = args[2] if len(args) > 2 and args[2] else "1"
    match = re.fullmatch(r"(?:(\d{1,3})x)?(\d{1,3})", size)
    if match is None or not re.fullmatch("[A-Z]+", args[0]):
        raise Refused("expected capital letters, a label, and a number of cells, such as A~~4")
    rows, columns = int(match[1] or 1), int(match[2])
    wide = columns if match[1] else board.columns
    board.add_group("V" + args[0], rows * columns, wide)


def _contains(*, exactly: bool) -> Callable[[Board, list[str]], None]:
    def read(board: Board, args: list[str]) -> None:
        values = [number(each) for each in args[0].split("_")]
        if not exactly:
            board.add("quadruple", board.cells(args[1:]), values)
            return
        counts = [each for value in sorted(set(values)) for each in (values.count(value), value)]
        board.add("lookandsay", board.cells(args[1:]), counts)

    return read


def _look_and_say(board: Board, args: list[str]) -> None:
    board.add("lookandsay", board.cells(args[1:]), [number(each) for each in args[0]])


def _equal_sums(board: Board, args: list[str]) -> None:
    pieces = [piece for piece in pieces_of(args) if piece]
    cells = tuple([cell for piece in pieces for cell in board.cells(piece)])
    if len(pieces) > 1:
        board.add("equalsum", cells, [len(piece) for piece in pieces])


def _count_distinct(board: Board, args: list[str]) -> None:
    control, *cells = board.cells(args) or (None,)
    if control is None:
        raise Refused("expected the cell with the count, and then the counted cells")
    board.add("countdistinct", (control, *dict.fromkeys(cells)))


def _same_values(board: Board, args: list[str]) -> None:
    board.add("samevalues", board.cells(args[1:]), number(args[0]))


def _regex(board: Board, args: list[str]) -> None:
    pattern = pattern_in(args[0])
    for line in lines_of(args[1:]):
        board.add("regex", board.cells(line), pattern)


def _nfa(board: Board, args: list[str]) -> None:
    head, moves = automaton_in(args[0], size=board.size, lowest=board.lowest)
    for line in lines_of(args[1:]):
        pieces = list(pieces_of(line))
        cells = tuple([cell for piece in pieces for cell in board.cells(piece)])
        cut = "/" + ",".join(str(len(piece)) for piece in pieces) if len(pieces) > 1 else ""
        board.add("nfa", cells, f"{head}{cut}: {moves}")


def _full_rank(board: Board, args: list[str]) -> None:
    kind = "fullranktied" if board.ties == "any" else "fullrank"
    _both_ends(kind)(board, args)


def _full_rank_ties(board: Board, args: list[str]) -> None:
    if args[0] not in ("none", "only-unclued", "any"):
        raise Refused(unknown("option", args[0], ("none", "only-unclued", "any")))
    board.ties = args[0]
    if args[0] == "none":
        board.add_variant("noties")


def _connected(board: Board, args: list[str]) -> None:
    """Read the rule that the cells with some values form a connected region.

    The cells are those of the grid, or of a group of auxiliary variables in rows as wide as the
    grid. An optional size of the region becomes a separate constraint. Raises Refused for other
    groups, and if the size is too large.
    """
    count, wide = board.groups.get(args[0], (board.rows * board.columns, board.columns))
    if wide != board.columns or (args[0] and args[0] not in board.groups):
        raise Refused(f"{args[0][:20]!r} isn't a group of cells with {board.columns} columns")
    grid = board.cells_at([board.place_in(args[0], index) for index in range(count)])
    values = [number(each) for each in args[1].split("_")]
    board.add("connected", grid, values)
    size = args[2] if len(args) > 2 else ""
    if size and number(size) > count:
        raise Refused(f"the region size ({number(size)}) is larger than the group ({count} cells)")
    if size and len(values) == 1:
        board.add("lookandsay", grid, [number(size), *values])
    elif size:
        board.add("nfa", grid, _counter(board, set(values), number(size)))


def _counter(board: Board, values: Set[int], size: int) -> str:
    """Return an automaton that accepts lines in which exactly `size` cells have one of `values`.

    It is in the notation of the rule `nfa`. Its state is how many such cells it has read.
    """
    numbers = range(board.lowest, board.lowest + board.size)
    moves = [
        f"{count}-{value}-{count + (value in values)}"
        for count in range(size + 1)
        for value in numbers
        if count < size or value not in values
    ]
    return f"0>{size}: " + " ".join(moves)


def _nothing(board: Board, args: list[str]) -> None:
    """Ignore a constraint that only guides the search."""
    del board, args


READERS: dict[str, Callable[[Board, list[str]], None]] = {
    **CHAOS_READERS,
    **GRID_READERS,
    **{kind: _variant(name) for kind, name in VARIANTS.items()},
    **{kind: _plain(name, least=LEAST_CELLS.get(kind, 2)) for kind, name in CELLS.items()},
    **{kind: _dots(name) for kind, name in DOTS.items()},
    **{kind: _numbered(name) for kind, name in NUMBERED.items()},
    "": _given,
    "Binary": _table("pairs", legacy=True),
    "BinaryX": _table("allpairs", legacy=True),
    "Cage": _cage,
    "ConnectedValues": _connected,
    "ContainAtLeast": _contains(exactly=False),
    "ContainExact": _contains(exactly=True),
    "CountDistinct": _count_distinct,
    "Diagonal": _diagonal,
    "EqualSum": _equal_sums,
    "FullRank": _full_rank,
    "FullRankTies": _full_rank_ties,
    "Given": _given,
    "HiddenSkyscraper": _both_ends("hiddenskyscraper"),
    "Indexing": _indexing,
    "LittleKiller": _little_killer,
    "LookAndSay": _look_and_say,
    "NFA": _nfa,
    "NumberedRoom": _both_ends("numberedroom"),
    "Pair": _table("pairs", legacy=False),
    "PairX": _table("allpairs", legacy=False),
    "PillArrow": _pill_arrow,
    "Quad": _quad,
    "Regex": _regex,
    "SameValues": _same_values,
    "Sandwich": _sandwich,
    "SearchPriority": _nothing,
    "Skyscraper": _both_ends("skyscraper"),
    "Sum": _sum,
    "SumLine": _sum_line,
    "Var": _variables,
    "Whisper": _whisper,
    "XSum": _both_ends("xsum"),
}
