"""The fonts of pictures and PDF files. LICENSE files next to them have their licenses.

A character is drawn in the first font that has it. Emoji are outlines in one color.
"""

from importlib.resources import files
from pathlib import Path

REGULAR, BOLD = "SourceSans3-Regular", "SourceSans3-Bold"
# For characters that the text fonts lack.
FALLBACKS = ("DejaVuSans", "NotoEmoji")


def font_file(name: str) -> Path:
    """Return the path of a font's TrueType file."""
    return Path(str(files(__name__) / f"{name}.ttf"))
