"""The steps that techniques find in the grids of HoDoKu's library of regression tests."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reglib import cases, found, start

from sentence_checker.step import Step, names_of
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording

_LAYOUT, _SYMBOLS = Layout.boxed(3, 3), Symbols.usual(9)


def steps_of_library(path: Path) -> Iterator[Step]:
    """Yield all steps that the technique of each case finds in the case's grid.

    The two fish of a siamese fish are separate steps.
    """
    for case in cases(path):
        single = replace(case, name=case.code[:4]) if case.siamese else case
        _, grid = start(case)
        values = grid.values[:81].tolist()
        givens = tuple((grid.values * (grid.given != 0))[:81].tolist())
        domains = tuple(
            1 << (value - 1) if value else mask
            for value, mask in zip(values, grid.cells[:81].tolist(), strict=True)
        )
        for deduction in found(single) or ():
            text = sentence(deduction, Wording(_LAYOUT, _SYMBOLS, domains))
            yield Step(names_of(_LAYOUT, _SYMBOLS), givens, domains, deduction, text)
