"""The input formats, from the registry of formats."""

from docs_build.markdown import block, code, escaped, joined
from solver.formats import FORMATS


def write() -> str:
    """Return an entry with an example per format."""
    return joined(
        *(
            joined(f"### {code(each.name)}", escaped(each.description), block(each.example))
            for each in FORMATS
        )
    )
