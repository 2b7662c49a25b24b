"""Draws pages of PDF files as images. Needs the extra `pdf`."""

from collections.abc import Iterable
from threading import Lock

import pypdfium2
from PIL import Image

# PDFium must not be used by several threads at the same time.
_PDFIUM = Lock()


def draw_pages(pdf: bytes, *, widths: Iterable[int]) -> list[Image.Image]:
    """Return the first pages of a PDF file as images with these widths in pixels."""
    with _PDFIUM:
        document = pypdfium2.PdfDocument(pdf)
        try:
            return [
                page.render(scale=pixels / page.get_width()).to_pil().copy()
                for page, pixels in zip(document, widths, strict=False)
            ]
        finally:
            document.close()
