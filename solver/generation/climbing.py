"""Make attempts at puzzles with rare ratings.

Each attempt climbs from a random puzzle to harder neighbors.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.attempts import Attempts, random_puzzles, reject
from solver.generation.conditions import GIVENS, conditions_of
from solver.generation.first_steps import FirstSteps
from solver.generation.full_grids import Grids
from solver.generation.neighbors import Neighborhood, hardness
from solver.generation.request import PuzzleRequest
from solver.solving import solve_many

_SAMPLE = 512  # random puzzles per climb
_RATED = 8  # puzzles of the sample, and neighbors of a puzzle, that are rated
_REDUCED = 24  # neighbors of a puzzle whose redundant givens are removed
_MOST_MOVES = 24

Puzzle = NDArray[np.uint8]  # (cells,)


class Climbing:
    """Makes attempts that climb towards a rating.

    An attempt begins with the puzzle with the highest rating among the random puzzles that seem
    hardest. Then it moves to a neighbor with a higher rating, or else to one with the same rating.
    It ends when the rating is as high as requested, when no neighbor is suitable, or after a fixed
    number of moves. Ratings are those of the first steps (see `first_steps`).
    """

    fewest = 1

    def __init__(self, request: PuzzleRequest) -> None:
        if request.rating.least is None:
            raise TypeError("the request has no least rating")
        self._request = request
        self._least = round(request.rating.least * 10)
        self._most = None if request.rating.most is None else round(request.rating.most * 10)
        self._conditions = conditions_of(request)
        self._neighborhood = Neighborhood(request.layout, request.pattern)
        self._first_steps = FirstSteps()

    def attempt_many(self, streams: RandomStreams, *, stop: StopFlag) -> Attempts:
        """Make one puzzle per random stream by climbing, and test the conditions.

        The result is meaningless if `stop` became ABANDON during the call.
        """
        layout = self._request.layout
        puzzles = np.zeros((len(streams), layout.cells), np.uint8)
        reasons = np.full(len(streams), "", np.object_)
        for row in range(len(streams)):
            if stop[0] == ABANDON:
                break
            stream = streams.subset(np.array([row]))
            sample, reason = self._sample(stream.spawn(0), stop)
            if not len(sample):
                reasons[row] = reason
            else:
                puzzles[row] = self._climbed(sample, stream.spawn(1), stop)
        solutions = solve_many(puzzles, layout=layout, limit=1).solutions
        reject(self._conditions, puzzles, solutions, reasons, stop=stop)
        return Attempts([layout] * len(streams), puzzles, solutions, reasons)

    def _sample(self, stream: RandomStreams, stop: StopFlag) -> tuple[Grids, str]:
        """Return the random puzzles that seem hardest by `hardness`, as an array (n, cells).

        The hardest comes first. Only puzzles with as many givens as requested count. Also returns
        the reason why an attempt with this sample fails if the array is empty.
        """
        streams = RandomStreams(stream.words(_SAMPLE)[0])
        puzzles, _, reasons = random_puzzles(self._request, streams, stop=stop)
        good = self._fitting(puzzles[reasons == ""])
        return self._hardest(good, _RATED), next(filter(None, reasons), GIVENS)

    def _climbed(self, sample: Grids, stream: RandomStreams, stop: StopFlag) -> Puzzle:
        """Climb from the puzzle of a sample with the highest rating. Return the last puzzle.

        Each move leads to the neighbor with the highest rating. Ends when the rating is high enough
        or all neighbors have lower ones, and after `_MOST_MOVES` moves. If all puzzles of the
        sample have higher ratings than requested, the first one is returned.
        """
        puzzle, rating = self._best(sample, enough=self._least, stop=stop)
        if rating < 0:
            first: Puzzle = sample[0]
            return first  # too hard, which the conditions report
        seen = set(map(bytes, sample))
        for _ in range(_MOST_MOVES):
            if rating >= self._least or stop[0] == ABANDON:
                break
            neighbors = self._neighbors(puzzle, seen, stream)
            seen.update(map(bytes, neighbors))
            best, highest = self._best(neighbors, enough=rating + 1, stop=stop)
            if highest < rating:
                break
            puzzle, rating = best, highest
        return puzzle

    def _best(self, puzzles: Grids, *, enough: int, stop: StopFlag) -> tuple[Puzzle, int]:
        """Return the puzzle with the highest rating, and this rating in tenths.

        Puzzles with higher ratings than requested don't count. The search ends at the first other
        puzzle that is rated `enough` tenths or higher. If no puzzle counts, returns an empty grid
        and −1. Ratings are those of the first steps, up to one of `enough`. They are meaningless if
        `stop` became ABANDON.
        """
        best, highest = np.zeros(self._request.layout.cells, np.uint8), -1
        for puzzle in puzzles:
            rating = self._first_steps.highest(puzzle, enough=enough, stop=stop)
            if highest < rating and (self._most is None or rating <= self._most):
                best, highest = puzzle, rating
                if highest >= enough:
                    break
        return best, highest

    def _neighbors(self, puzzle: Puzzle, seen: set[bytes], stream: RandomStreams) -> Grids:
        """Return the hardest neighbors of a puzzle that aren't in `seen`, the hardest first.

        Only neighbors with as many givens as requested count. If puzzles must be minimal, the
        hardest neighbors are chosen first, and redundant givens are removed from these.
        """
        neighbors = self._neighborhood.of(puzzle)
        if self._request.minimal:
            hardest = self._hardest(neighbors, _REDUCED)
            ranks = stream.permutations(self._request.layout.cells)[0]
            neighbors = np.unique(self._neighborhood.without_redundant(hardest, ranks), axis=0)
        fitting = self._fitting(neighbors)
        new = [row for row, each in enumerate(fitting) if bytes(each) not in seen]
        return self._hardest(fitting[new], _RATED)

    def _hardest(self, puzzles: Grids, count: int) -> Grids:
        order = np.argsort(-hardness(self._request.layout, puzzles), kind="stable")
        return puzzles[order[:count]]

    def _fitting(self, puzzles: Grids) -> Grids:
        """Return the puzzles (n, cells) whose number of givens is within the requested bounds."""
        counts = np.count_nonzero(puzzles, axis=1).tolist()
        return puzzles[np.array([each in self._request.givens for each in counts], np.bool_)]
