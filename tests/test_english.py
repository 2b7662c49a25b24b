"""Docstrings, comments, and messages are plain English: few odd constructions per 1,000 words.

The count can't prove that a text is readable. It only shows where to look, so the levels
leave room for the few cases in which one of these constructions is normal English.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest
from paths import DATA, ROOT

CASES = (DATA / "odd_english.txt").read_text("utf-8").splitlines()[1:]
ODD = re.compile("|".join(CASES), re.IGNORECASE)


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each comment, and of each string of four words or more."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and len(str(node.value).split()) > 3:
            yield node.lineno, str(node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize(
    ("package", "level"),
    [
        ("solver", 3.0),
        ("worker", 3.0),
        ("web", 3.0),
        ("tests", 3.0),
        ("benchmarks", 3.0),
        ("docs_build", 3.0),
    ],
)
def test_package_has_few_odd_constructions(package: str, level: float) -> None:
    words, odd = 0, []
    for path in sorted((ROOT / package).rglob("*.py")):
        for line, text in texts(path.read_text("utf-8")):
            words += len(text.split())
            odd += [f"{path.relative_to(ROOT)}:{line} {found[0]}" for found in ODD.finditer(text)]
    assert words > 100
    found = 1000 * len(odd) / words
    assert found <= level, f"{found:.1f} odd constructions per 1,000 words\n" + "\n".join(odd)
