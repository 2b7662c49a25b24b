"""HoDoKu's public library of regression tests, every case that HoDoKu itself passes."""

from collections import Counter
from pathlib import Path

from reglib import cases, run

# Lines of the file: HoDoKu itself fails five cases of 0903, and never runs the finned mutant
# squirmbag and whale, so these say nothing about others.
_NO_ORACLES = frozenset({760, 763, 1445, 1453, 1454, 1455, 1459})


def test_every_case_leads_to_what_the_library_says_and_to_nothing_else(public_data: Path) -> None:
    wrong = Counter[str]()
    for case in cases(public_data / "techniques" / "reglib-1.3.txt"):
        if case.number not in _NO_ORACLES and run(case):
            wrong[case.name] += 1
    assert not wrong
