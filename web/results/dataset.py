"""Make a dataset for machine learning from results: random symmetries of puzzles, and a split.

Both follow from the puzzle, its canonical form, and the request, so that they don't depend on the
other records, and a repeated download is the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate

import numpy as np
from msgspec import UNSET, structs

from solver.board.display import shown
from solver.canonical.symmetries import Symmetries
from web.http.errors import Problem
from web.results.formats import DATASET_FORMATS, MAX_COPIES, MAX_SEED, SPLIT_PATTERN
from web.results.rows import Row
from web.results.writers import ResultPage
from worker.job import JobOptions
from worker.records.boards import StoredBoard

_PARTS = {2: ("train", "test"), 3: ("train", "validation", "test")}
# Rows held in memory at once, apart from the copies of a single puzzle.
_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset: `copies` random symmetries of each puzzle, and the relative sizes of its parts.

    There are two parts (for training and testing), three, or none. `seed` changes the copies and
    the division into parts.
    """

    copies: int = 0
    sizes: tuple[int, ...] = ()
    seed: int = 0

    def expand(self, pages: Iterable[ResultPage]) -> Iterator[ResultPage]:
        """Yield the rows of all pages, each followed by its copies, with group and part.

        Puzzles that are equal up to symmetry have the same group, and so are in the same part. Only
        records with a canonical form have copies, a group, and a part. Ratings, guesses, and other
        fields of a copy are those of the puzzle, but copies have no true candidates, no list of
        solutions, no redundant givens, and no minimal puzzle. The `result` of the pages has no
        copies.
        """
        step = max(_ROWS // (1 + self.copies), 1)
        for page in pages:
            pairs = page.with_boards()
            for start in range(0, len(pairs), step):
                some = pairs[start : start + step]
                rows = [*self._expanded(some)]
                yield ResultPage(rows, page.result.slice(start, start + len(some)))

    def _expanded(self, pairs: Sequence[tuple[Row, StoredBoard | None]]) -> Iterator[Row]:
        copies = self._copies([pair for pair in pairs if _has_copies(*pair)])
        for row, board in pairs:
            if not isinstance(row.minlex, str):
                yield structs.replace(row, group=None, copy=0, split=None)
                continue
            original = structs.replace(
                row, group=_digest(row.minlex).hex(), copy=0, split=self._part(row.minlex)
            )
            yield original
            if not _has_copies(row, board):
                continue
            for number in range(1, self.copies + 1):
                puzzle, solution = next(copies)
                yield structs.replace(
                    original,
                    puzzle=puzzle,
                    solution=solution if row.solution else None,
                    copy=number,
                    true_candidates=UNSET,
                    redundant=UNSET,
                    reduced=UNSET,
                    all_solutions=UNSET,
                )

    def _copies(self, pairs: Sequence[tuple[Row, StoredBoard | None]]) -> Iterator[tuple[str, str]]:
        """Yield all copies of the puzzles as (puzzle, solution), those of the first puzzle first.

        Both are texts. The solution is an empty grid if the puzzle has none.
        """
        if not pairs or not self.copies:
            return
        boards = [board for _, board in pairs if board is not None]
        read = [
            (board.read(row.puzzle), board.read(row.solution) if row.solution else (0,) * 81)
            for board, (row, _) in zip(boards, pairs, strict=True)
        ]
        grids = np.array(read, np.uint8).repeat(self.copies, axis=0)
        keys = [
            int.from_bytes(_digest(self.seed, number, *puzzle or ()))
            for puzzle, _ in read
            for number in range(self.copies)
        ]
        symmetries = Symmetries.of_keys(np.array(keys, np.uint64))
        puzzles, solutions = (symmetries.apply(grids[:, place]).tolist() for place in (0, 1))
        for number, (puzzle, solution) in enumerate(zip(puzzles, solutions, strict=True)):
            symbols = boards[number // self.copies].symbols
            yield symbols.write(puzzle), symbols.write(solution)

    def _part(self, minlex: str) -> str | None:
        """Return the name of the part that contains the puzzles with a canonical form.

        Returns None if the dataset isn't split into parts.
        """
        if not self.sizes:
            return None
        place = int.from_bytes(_digest(self.seed, minlex)) * sum(self.sizes) >> 64
        number = next(n for n, end in enumerate(accumulate(self.sizes)) if place < end)
        return _PARTS[len(self.sizes)][number]


def read_dataset(query: Mapping[str, str], options: JobOptions) -> Dataset | None:
    """Return the dataset that a query requests, or None if it requests neither copies nor a split.

    `options` are the job's options. Raises Problem if a parameter is invalid, or if the job or the
    format can't provide a dataset.
    """
    copies = _number(query, "augment", most=MAX_COPIES)
    seed = _number(query, "seed", most=MAX_SEED)
    split = query.get("split") or ""
    if split and not re.fullmatch(SPLIT_PATTERN, split):
        detail = f"'split' must be two or three sizes such as 80:20 or 80:10:10, not {shown(split)}"
        raise Problem(422, detail, field="split")
    # Generated clients send parameters with their default values, too.
    names = [name for name, value in (("augment", copies), ("split", split)) if value]
    if not names:
        return None
    if not options.minlex:
        detail = (
            "this job has no canonical forms, which a dataset needs to keep equal puzzles "
            "together, because it was created without the option minlex"
        )
        raise Problem(422, detail, field=names[0])
    if query.get("format", "jsonl") not in DATASET_FORMATS:
        detail = f"{names[0]!r} needs one of these formats: {', '.join(DATASET_FORMATS)}"
        raise Problem(422, detail, field=names[0])
    return Dataset(copies, tuple(map(int, filter(None, split.split(":")))), seed)


def _number(query: Mapping[str, str], name: str, *, most: int) -> int:
    """Return the whole number in a query parameter, 0 without one.

    Raises Problem if it isn't a whole number from 0 to `most`.
    """
    text = query.get(name) or "0"
    if not re.fullmatch(r"\d{1,16}", text, re.ASCII) or int(text) > most:
        detail = f"{name!r} must be a whole number from 0 to {most:,}, not {shown(text)}"
        raise Problem(422, detail, field=name)
    return int(text)


def _has_copies(row: Row, board: StoredBoard | None) -> bool:
    """Return whether a record has copies: it has a canonical form, and its board is stored."""
    return isinstance(row.minlex, str) and board is not None


def _digest(*parts: object) -> bytes:
    return blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest()
