"""Write the steps that pictures of techniques show. Usage: python -m docs_build.technique_steps.

A step is the first one of its technique in the explanation of the technique's example.
"""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np

from solver.explaining import explain
from solver.logic.deduction import split
from solver.logic.examples import EXAMPLES
from web.pages.technique_pictures import FILE, written_step


def lines() -> Iterator[str]:
    """Yield a line with the code and the step of each technique that has an example."""
    for code, text in EXAMPLES.items():
        explanation = explain(text, order="explainer" if code.startswith("2") else "hodoku")
        rows = split(np.frombuffer(explanation.rows, "<i2"))
        yield next(
            f"{code} {written_step(position, step.tobytes())}"
            for deduction, position, step in zip(
                explanation.deductions, explanation.positions, rows, strict=False
            )
            if deduction.code == code
        )


if __name__ == "__main__":
    Path(str(files("web.api").joinpath(*FILE))).write_text("\n".join(lines()) + "\n", "ascii")
