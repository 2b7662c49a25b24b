"""Combines the readings of single records into the records of a block."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver.board.display import joined
from solver.board.layout import Layout
from solver.board.pencil_marks import restrict
from solver.board.puzzle import Invalid
from solver.board.symbols import Symbols
from solver.formats.format import Group, Records
from solver.formats.reading.cells import Reading
from solver.formats.reading.own_columns import limited

LONGEST_NAME = 1_000  # Characters in the name of a record.


def collect(
    lines: NDArray[np.int64],
    readings: Iterable[tuple[int, Reading]],
    *,
    groups: tuple[Group, ...] = (),
    names: Mapping[int, str] | None = None,
    notes: Mapping[int, str] | None = None,
    own: Mapping[int, tuple[str, ...]] | None = None,
    own_names: tuple[str, ...] = (),
) -> Records:
    """Combine readings of single records with groups of puzzles read in bulk.

    `lines` has the line number of every record. `readings` has pairs of a record's index and its
    reading, for the records that aren't in `groups`. `names`, `notes`, and `own` belong to the
    records in `groups`, by record index. `names` may also name other records, unless their readings
    do. `own_names` are the headings of the user's own columns.

    Names that are too long are truncated, and a record's own fields that are too long are dropped,
    each with a note. Notes of invalid records are dropped unless they have own fields. Puzzles in
    `groups` lose candidates that exclude nothing.
    """
    readings_alike: dict[tuple[Layout, Symbols, bool, bool], list[tuple[int, Reading]]] = {}
    invalid: dict[int, Invalid] = {}
    names, notes, own = dict(names or {}), dict(notes or {}), dict(own or {})
    for row, reading in readings:
        if reading.name is not None:
            names[row] = reading.name
        if reading.own is not None:
            own[row] = reading.own
        puzzle = reading.puzzle
        # Notes describe how a puzzle was read. Those of a table also report fields that aren't
        # returned.
        is_shown = reading.own is not None or not isinstance(puzzle, Invalid)
        if reading.note is not None and is_shown:
            notes[row] = reading.note
        if isinstance(puzzle, Invalid):
            invalid[row] = puzzle
            continue
        marked, compared = puzzle.candidates is not None, reading.expected is not None
        key = (puzzle.layout, puzzle.symbols, marked, compared)
        readings_alike.setdefault(key, []).append((row, reading))
    for row, name in names.items():
        if len(name) > LONGEST_NAME:
            names[row] = name[:LONGEST_NAME]
            note = f"the name has {len(name):,} characters; the first {LONGEST_NAME:,} are kept"
            _add(notes, row, note)
    own, too_long = limited(own)
    for row, note in too_long.items():
        _add(notes, row, note)
    slow = tuple(
        _group(layout, symbols, alike) for (layout, symbols, *_), alike in readings_alike.items()
    )
    ready = tuple(chain.from_iterable(map(_split_by_marks, groups)))
    return Records(
        lines=lines,
        groups=ready + slow,
        invalid=invalid,
        notes=notes,
        names=names,
        own=own,
        own_names=own_names,
    )


def _add(notes: dict[int, str], row: int, note: str) -> None:
    notes[row] = joined((notes[row], note)) if row in notes else note


def _split_by_marks(group: Group) -> Iterator[Group]:
    """Split a group into the puzzles that their candidates restrict, and all other puzzles.

    The candidates of the second part exclude nothing, so it becomes a group without candidates.
    Empty parts aren't yielded. A group without candidates is yielded unchanged.
    """
    if group.candidates is None:
        yield group
        return
    restricted = restrict(group.layout, group.givens, group.candidates)
    for part in (np.flatnonzero(restricted), np.flatnonzero(~restricted)):
        if len(part):
            own = group.part(part)
            yield own if restricted[part[0]] else replace(own, candidates=None)


def regroup(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Merge groups that have the same layout and symbols, and the same kinds of optional data.

    The optional data are candidates and solutions. Merged groups are in the order of their first
    members.
    """
    alike: dict[tuple[Layout, Symbols, bool, bool], list[Group]] = {}
    for group in groups:
        marked, compared = group.candidates is not None, group.expected is not None
        alike.setdefault((group.layout, group.symbols, marked, compared), []).append(group)
    return tuple(some[0] if len(some) == 1 else _merged(some) for some in alike.values())


def _merged(groups: list[Group]) -> Group:
    candidates = [group.candidates for group in groups if group.candidates is not None]
    expected = [group.expected for group in groups if group.expected is not None]
    return Group(
        groups[0].layout,
        groups[0].symbols,
        np.concatenate([group.rows for group in groups]),
        np.concatenate([group.givens for group in groups]),
        np.concatenate(candidates) if candidates else None,
        np.concatenate(expected) if expected else None,
    )


def _group(layout: Layout, symbols: Symbols, alike: list[tuple[int, Reading]]) -> Group:
    """Return a group of puzzles with this layout and these symbols.

    `alike` has the record index and the reading of each puzzle. Either all or none of the puzzles
    have candidates, and all or none have solutions.
    """
    rows = [row for row, _ in alike]
    puzzles = [r.puzzle for _, r in alike if not isinstance(r.puzzle, Invalid)]
    givens = [puzzle.givens for puzzle in puzzles]
    candidates = [puzzle.candidates for puzzle in puzzles if puzzle.candidates is not None]
    expected = [r.expected for _, r in alike if r.expected is not None]
    return Group(
        layout,
        symbols,
        np.array(rows, np.int64),
        np.array(givens, np.uint8),
        np.array(candidates, np.uint64) if candidates else None,
        np.array(expected, np.uint8) if expected else None,
    )
