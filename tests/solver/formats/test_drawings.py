"""Drawings from tests/data/drawings.txt, and the text around grids.

Boxes and regions are read from walls and labels. Samurai sudokus drawn as text are rejected.
"""

import random

import pytest
from paths import DATA

from solver import Invalid, Outcome, Puzzle, parse, solve
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records
from solver.rules.regions import read_regions

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
GRID = "\n".join(ROWS) + "\n"
TITLES = (DATA / "titles.txt").read_text().splitlines()


def drawings() -> list[tuple[str, str]]:
    parts = (DATA / "drawings.txt").read_text().split("=> ")[1:]
    return [(text, expected) for expected, text in (part.split("\n", 1) for part in parts)]


def described(found: Puzzle | Invalid) -> str:
    """Describe a parsed puzzle in the notation of the data file."""
    if isinstance(found, Invalid):
        return f"invalid {found.detail}"
    layout = found.layout
    kinds = {house.kind for house in layout.houses}
    box = "regions" if "region" in kinds else "x".join(map(str, layout.box))
    also = "diagonal" if "diagonal" in kinds else "cages" if layout.constraints else "-"
    also = "candidates" if found.candidates is not None else also
    return f"{layout.size} {box} {also} {found}"


@pytest.mark.parametrize(("text", "expected"), drawings())
def test_drawing_is_read_as_it_is_meant(text: str, expected: str) -> None:
    (found,) = parse(text)
    if expected.startswith("invalid"):
        assert described(found).startswith(expected)
    else:
        assert described(found) == expected


def records_of(text: str) -> Records:
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    name, context = recognized.format.name, recognized.context
    return read_block(
        Block(text.encode(), 0, 1), format=name, context=context, options=ReadOptions()
    )


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("count", [1, 3])
def test_any_line_above_a_grid_is_a_title(title: str, between: str, count: int) -> None:
    text = (title + between + GRID + between[1:]) * count
    assert [str(found) for found in parse(text)] == [PUZZLE] * count


@pytest.mark.parametrize("line", [*list("%;[)X{}]1.(<|'\"-"), "12", "()", "--", "ab"])
def test_stray_lines_are_no_puzzles(line: str) -> None:
    assert all(isinstance(found, Invalid) for found in parse(line + "\n"))
    found = parse(GRID + line + "\n" + GRID)
    assert [str(one) for one in found if isinstance(one, Puzzle)] == [PUZZLE] * 2


def test_single_cell_is_a_puzzle_only_if_the_box_is_given() -> None:
    for text in ("X", '"1"', "[1]", '{"puzzle": "."}'):
        (found,) = parse(text)
        assert isinstance(found, Invalid)
    (found,) = parse('{"puzzle": ".", "box": "1x1"}')
    assert isinstance(found, Puzzle)


def test_text_around_a_grid_is_its_name_or_is_noted() -> None:
    records = records_of("from a book\neasy\n" + GRID + "(c) 2024\n")
    assert records.names == {0: "easy"}
    assert records.notes == {0: "ignored text: 'from a book / (c) 2024'"}
    records = records_of("9 9\n" + GRID + "by Ann\n")
    assert (records.names, records.notes) == ({0: "by Ann"}, {})


def test_boxes_that_are_not_the_usual_ones_are_noted() -> None:
    rows = ["12 .. .6", ".. .. ..", ".. 3. ..", "", ".. .4 ..", ".. .. ..", "5. .. .."]
    assert records_of("\n".join(rows)).notes == {0: "read with boxes of 3x2, as drawn"}


def test_option_box_overrides_the_drawing() -> None:
    rows = ["12 .. .6", ".. .. ..", ".. 3. ..", "", ".. .4 ..", ".. .. ..", "5. .. .."]
    (found,) = parse("\n".join(rows), box="2x3")
    assert isinstance(found, Puzzle)
    assert found.layout.box == (2, 3)


def test_solution_next_to_a_grid_is_compared() -> None:
    solution = solve(PUZZLE).solution
    assert solution is not None
    full = ["".join(map(str, solution[start : start + 9])) for start in range(0, 81, 9)]
    text = "\n".join(f"{row}  {other}" for row, other in zip(ROWS, full, strict=True))
    (group,) = records_of(text).groups
    assert group.expected is not None
    assert group.expected[0].tolist() == [int(value) for value in solution]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("separator", ["", " "])
def test_zero_is_a_value_in_a_full_grid_from_0_to_f(*, lower: bool, separator: str) -> None:
    symbols = "0123456789abcdef" if lower else "0123456789ABCDEF"
    rows = [
        separator.join(symbols[(4 * (row % 4) + row // 4 + column) % 16] for column in range(16))
        for row in range(16)
    ]
    for text in ("\n".join(rows), separator.join(rows)):
        (found,) = parse(text)
        assert isinstance(found, Puzzle)
        assert found.symbols.values == tuple(symbols)
        assert solve(found).outcome is Outcome.SOLVED
    (puzzle,) = parse("\n".join(rows).replace(symbols[-1], "0"))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.symbols.values[0] == "1"


def regions(size: int, rng: random.Random) -> list[int]:
    """Return the regions of a random jigsaw: rows that traded cells with their neighbors."""
    label = [cell // size for cell in range(size * size)]

    def neighbors(cell: int) -> list[int]:
        row, column = divmod(cell, size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]

    def hangs_together(name: int) -> bool:
        own = {cell for cell, other in enumerate(label) if other == name}
        waiting = [next(iter(own))]
        while waiting:
            cell = waiting.pop()
            if cell in own:
                own.discard(cell)
                waiting += neighbors(cell)
        return not own

    for _ in range(600 * size):
        one = rng.randrange(size * size)
        two = rng.choice([c for c in range(size * size) if label[c] != label[one]])
        touches = any(label[c] == label[two] for c in neighbors(one)) and any(
            label[c] == label[one] for c in neighbors(two)
        )
        names = label[one], label[two]
        label[one], label[two] = names[1], names[0]
        if not touches or not all(map(hangs_together, names)):
            label[one], label[two] = names
    return label


def walls(cells: list[str], label: list[int], size: int, *, framed: bool) -> str:
    """Draw a grid with a line between any two cells of different regions.

    `cells` are the texts of the cells, and `label` their regions. `framed` grids have a frame.
    """
    lines = []
    for row in range(size):
        line = ""
        for column in range(size):
            cell = row * size + column
            line += cells[cell]
            if column < size - 1:
                line += " | " if label[cell] != label[cell + 1] else "   "
        lines.append(f"| {line} |" if framed else line)
        if row < size - 1:
            rule = ""
            for column in range(size):
                cell = row * size + column
                parted = label[cell] != label[cell + size]
                rule += ("-" if parted else " ") * (3 if 0 < column < size - 1 else 2)
                if column < size - 1:
                    four = {
                        label[cell],
                        label[cell + 1],
                        label[cell + size],
                        label[cell + size + 1],
                    }
                    rule += "+" if len(four) > 1 else " "
            lines.append(f"|-{rule[:-1]}-|"[: len(rule) + 3] if framed else rule.rstrip())
    if framed:
        edge = "+" + "-" * (len(lines[0]) - 2) + "+"
        lines = [edge, *lines, edge]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("size", [5, 6, 7, 9, 12])
@pytest.mark.parametrize("seed", range(4))
def test_regions_are_read_from_walls_and_from_labels(size: int, seed: int) -> None:
    rng = random.Random(seed)
    label = regions(size, rng)
    symbols = "123456789ABCDEFGH"
    cells = [rng.choice(symbols[:size]) if rng.random() < 0.3 else "." for _ in label]
    rows = ["".join(cells[start : start + size]) for start in range(0, len(cells), size)]
    names = [chr(ord("a") + name) for name in label]
    labels = ["".join(names[start : start + size]) for start in range(0, len(cells), size)]
    expected = {frozenset(c for c, other in enumerate(label) if other == n) for n in range(size)}
    texts = {
        "walls": walls(cells, label, size, framed=False),
        "below": "\n".join([*rows, *labels]),
        "below a gap": "\n".join([*rows, "", *labels]),
        "below a word": "\n".join([*rows, "", "Regions:", *labels]),
        "above": "\n".join([*labels, "", *rows]),
        "beside": "\n".join(f"{row} {own}" for row, own in zip(rows, labels, strict=True)),
        "tokens": "\n".join(map(" ".join, [*rows, *labels])),
    }
    for name, text in texts.items():
        (found,) = parse(text)
        assert isinstance(found, Puzzle), (name, text, found)
        own = {frozenset(h.cells) for h in found.layout.houses if h.kind in ("region", "box")}
        assert own == expected, (name, text)
        assert str(found) == "".join(cells), (name, text)
    assert not isinstance(read_regions("".join(names)), str)


def _samurai(between: str, outside: str) -> str:
    rows = []
    for row in range(21):
        if row < 6 or row >= 15:
            rows.append(f"1........{between}........2")
        elif row < 9 or row >= 12:
            rows.append("." * 21)
        else:
            rows.append(f"{outside}....3....{outside}".rstrip())
    return "\n".join(rows)


@pytest.mark.parametrize(("between", "outside"), [("   ", " " * 6), (" | | ", " " * 6)])
def test_a_samurai_as_text_is_refused_with_the_way_to_write_it(between: str, outside: str) -> None:
    first = parse(_samurai(between, outside))[0]
    assert isinstance(first, Invalid)
    assert "looks like a samurai" in first.detail
    assert '"grids": ["r1c1", "r1c13", "r7c7", "r13c1", "r13c13"]' in first.detail
