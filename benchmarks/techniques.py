"""Print how many cases of HoDoKu's regression test library pass, technique by technique.

PYTHONPATH=tests/support python -m benchmarks.techniques PATH/reglib-1.3.txt

Cases of techniques that sudokuq doesn't have count as failed.
"""

import argparse
from collections import defaultdict
from pathlib import Path

from reglib import cases, run

from solver.logic.technique_table import TECHNIQUES


def main() -> None:
    """Run all cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path, help="path of reglib-1.3.txt")
    library = parser.parse_args().library
    results: dict[str, list[str]] = defaultdict(list)
    for case in cases(library):
        results[case.name].append(run(case))
    print("| code | technique | cases | pass |")
    print("|---|---|---:|---:|")
    for name, complaints in sorted(results.items()):
        entry = TECHNIQUES.get(name[:4])
        passed = sum(not complaint for complaint in complaints)
        title = "" if entry is None else entry.name
        print(f"| {name} | {title} | {len(complaints)} | {passed} |")
    everything = [complaint for complaints in results.values() for complaint in complaints]
    passed = sum(not complaint for complaint in everything)
    print(f"| | all | {len(everything)} | {passed} |")


if __name__ == "__main__":
    main()
