"""Programs in the documentation."""

import re

from paths import ROOT


def documented_program(page: str, text: str) -> str:
    """Return the only Python block of a page in docs/ that contains a text. Fails without one."""
    content = (ROOT / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", content, re.M | re.S)
    (found,) = (str(block) for block in blocks if text in block)
    return found
