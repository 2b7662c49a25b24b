"""The cases of HoDoKu's public regression test library that HoDoKu itself passes."""

from collections import Counter
from pathlib import Path

from reglib import cases, run

# Line numbers of five cases of technique 0903 that HoDoKu itself fails.
_NO_ORACLES = frozenset({1445, 1453, 1454, 1455, 1459})
# Mutant fish, dual kites, dual empty rectangles, and templates.
# See `benchmarks/results/techniques.md`.
_LEFT_OUT = {"0362", "03621", "0363", "0364", "0404", "0405", "1201", "1202"}


def test_techniques_find_exactly_the_results_in_the_library(public_data: Path) -> None:
    tested = 0
    wrong = Counter[str]()
    for case in cases(public_data / "techniques" / "reglib-1.3.txt"):
        if case.number in _NO_ORACLES or case.code in _LEFT_OUT:
            continue
        tested += 1
        if run(case):
            wrong[case.name] += 1
    assert not wrong
    assert tested == 1063
