"""PNG pictures of boards, drawn from their SVG files. Needs the extra `pictures`."""

import resvg_py

from web.fonts import BOLD, FALLBACKS, REGULAR, font_file

_FONT_FILES = [str(font_file(name)) for name in (REGULAR, BOLD, *FALLBACKS)]


def png(svg: str) -> bytes:
    """Return an SVG document as a PNG picture of the same size, in the fonts of `web.fonts`."""
    return resvg_py.svg_to_bytes(svg_string=svg, font_files=_FONT_FILES, skip_system_fonts=True)
