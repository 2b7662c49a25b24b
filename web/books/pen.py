"""Writes text and boards on the pages of a PDF file. Needs the extra `pdf`.

Coordinates are in points from the lower left corner of the page, as in PDF. No text is smaller
than `min_font`, and no line is thinner than `min_line`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any

from reportlab import rl_config
from reportlab.lib.rl_accel import escapePDF
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from web.boards.geometry import CELL, Point
from web.boards.styles import INKS, TextStyle, label_style, shape_style, symbol_style
from web.boards.svg import Picture, Text
from web.books.parameters import BookError
from web.books.svg_path import pdf_path
from web.fonts import BOLD, FALLBACKS, REGULAR, font_file

# By default, compressed data is encoded as text, which takes time and a quarter more space.
rl_config.useA85 = 0
# Characters that only change how the preceding one looks, such as the skin tone of an emoji.
_MODIFIERS = frozenset("\ufe0e\ufe0f\u200d") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
_LOADING = Lock()
_LOADED: dict[str, TTFont] = {}
_CAPS = {"butt": 0, "round": 1, "square": 2}


class MissingGlyphs(BookError):
    """No font has a character of a text to print.

    `character` is this character.
    """

    def __init__(self, character: str) -> None:
        self.character = character
        super().__init__(
            f"no font for PDF has the character {character!r} (U+{ord(character):04X}); show "
            "images instead of the symbols, or use other symbols"
        )


@cache
def _fonts(name: str) -> tuple[TTFont, ...]:
    """Return the text font with this name, and the fonts for characters that it lacks."""
    return tuple(_font(each) for each in (name, *FALLBACKS))


def _font(name: str) -> TTFont:
    """Return a font. All threads get the same object, because a PDF file can't contain two."""
    with _LOADING:
        if name not in _LOADED:
            _LOADED[name] = TTFont(name, str(font_file(name)))
            pdfmetrics.registerFont(_LOADED[name])
        return _LOADED[name]


@cache
def _find_font(character: str, name: str) -> TTFont:
    for font in _fonts(name):
        if ord(character) in font.face.charToGlyph:
            return font
    raise MissingGlyphs(character)


@cache
def _advance(character: str, name: str) -> float:
    """Return the width of a character in a font of size 1. Raises MissingGlyphs."""
    font = _find_font(character, name)
    return float(font.face.charWidths.get(ord(character), font.face.defaultWidth)) / 1000


def replace_missing_glyphs(text: str) -> str:
    """Return a text with squares instead of the characters that no font has."""
    try:
        for character in text:
            if character not in _MODIFIERS:
                _find_font(character, REGULAR)
    except MissingGlyphs as missing:
        return replace_missing_glyphs(text.replace(missing.character, "□"))
    return text


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text in points. `size` is the font size in points.

    Raises MissingGlyphs if no font has a character of the text.
    """
    name = BOLD if bold else REGULAR
    if len(text) == 1:
        return size * _advance(text, name)
    return size * sum(_advance(each, name) for each in text if each not in _MODIFIERS)


def wrap_text(text: str, width: float, size: float, *, bold: bool = False) -> Iterator[str]:
    """Yield a text in lines that aren't wider than `width` points, broken at spaces.

    A word that is wider than that isn't broken. An empty text has no lines.
    """
    line, used, space = "", 0.0, text_width(" ", size)
    for word in text.split():
        wide = text_width(word, size, bold=bold)
        if line and used + space + wide > width:
            yield line
            line, used = word, wide
        else:
            line, used = (f"{line} {word}", used + space + wide) if line else (word, wide)
    if line:
        yield line


def shorten_text(text: str, width: float, size: float) -> str:
    """Return a text that isn't wider than `width` points, cut with an ellipsis if necessary."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def fitted_size(text: str, width: float, size: float, *, bold: bool = False) -> float:
    """Return `size`, or the smaller font size in which a line of text is `width` points wide."""
    return min(size, size * width / max(text_width(text, size, bold=bold), 1))


class Pen:
    """A PDF file to write, page by page."""

    def __init__(
        self,
        target: Any,
        size: tuple[float, float],
        *,
        bleed: float = 0,
        ink: str = "gray",
        min_font: float = 6,
        min_line: float = 0.4,
        title: str = "",
        author: str = "",
    ) -> None:
        """Start a file with pages of a trim size (width, height), and with `bleed` around it.

        `target` is the name of the file, or a file-like object. Lengths are in points. `min_font`
        and `min_line` are the smallest font size and line width: smaller ones are enlarged to them.
        `ink` is a key of `INKS`.
        """
        _font(REGULAR)
        self._bleed = bleed
        whole = (size[0] + 2 * bleed, size[1] + 2 * bleed)
        # The stubs expect a number for the name of the font.
        first_font: Any = REGULAR
        self._canvas: Any = Canvas(
            target, pagesize=whole, pageCompression=1, invariant=1, initialFontName=first_font
        )
        self._canvas.setTrimBox((bleed, bleed, bleed + size[0], bleed + size[1]))
        self._canvas.setBleedBox((0, 0, *whole))
        # By default, reportlab writes words such as "untitled".
        self._canvas.setTitle(title)
        self._canvas.setAuthor(author)
        self._canvas.setSubject("")
        self._canvas.setCreator("sudokuq")
        self._colors: Mapping[str, str] = INKS[ink]
        self._is_gray = ink == "gray"
        self._min_font, self._min_line = min_font, min_line
        self._codes: dict[tuple[str, str], tuple[str, str]] = {}
        self._texts: dict[tuple[str, str, float], str] = {}
        self._boards: dict[tuple[object, ...], str] = {}
        self._images: dict[bytes, ImageReader] = {}
        self._started = False

    def start_page(self) -> None:
        """End the current page, and start the next one."""
        if self._started:
            self._canvas.showPage()
        self._started = True
        if self._bleed:
            self._put(f"1 0 0 1 {self._bleed:g} {self._bleed:g} cm")

    def save(self) -> None:
        """End the last page, and write the rest of the file to the target."""
        self._canvas.showPage()
        self._canvas.save()

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        align: float = 0,
        color: str = "text",
        halo: float = 0,
        upside_down: bool = False,
    ) -> None:
        """Write a line of text. `align` is 0 if `x` is its left end, 0.5 its center, 1 its right.

        `y` is that of the baseline, and lengths are in points. A `size` below the smallest font
        size of the file is enlarged to it. `halo` is the width of an outline in the color of the
        paper. Upside-down text is turned around (x, y). Raises MissingGlyphs if no font has a
        character of the text.
        """
        size = max(size, self._min_font)
        turn = "-1 0 0 -1" if upside_down else "1 0 0 1"
        if align:
            x -= align * text_width(text, size, bold=bold) * (-1 if upside_down else 1)
        runs = self._text(text, BOLD if bold else REGULAR, size)
        if halo:
            # Rendering mode 1 draws only the outline.
            self._put(
                f"{_color(self._colors['board'], stroke=True)} {max(halo, self._min_line):.4g} w "
                f"1 j BT 1 Tr {turn} {x:.2f} {y:.2f} Tm {runs}0 Tr ET"
            )
        self._put(f"{_color(self._colors[color])} BT {turn} {x:.2f} {y:.2f} Tm {runs}ET")

    def rule(self, x: float, y: float, width: float) -> None:
        """Draw a thin horizontal line to the right from (x, y), `width` points long."""
        line = max(0.75, self._min_line)
        self._put(
            f"{_color(self._colors['soft'], stroke=True)} {line:g} w [] 0 d "
            f"{x:.2f} {y:.2f} m {x + width:.2f} {y:.2f} l S"
        )

    def draw(
        self,
        picture: Picture,
        x: float,
        y: float,
        scale: float,
        *,
        ruled: bool = False,
        images: Sequence[tuple[str, bytes]] = (),
        upside_down: bool = False,
    ) -> None:
        """Draw a board whose upper left corner is at (x, y). `scale` is in points per unit.

        `ruled` and `images` are those of `svg_file`. An upside-down board covers the same area.
        """
        wide, high = picture.width * scale, picture.height * scale
        turn = (
            f"-1 0 0 -1 {x + wide:.3f} {y - high:.3f}"
            if upside_down
            else f"1 0 0 1 {x:.3f} {y:.3f}"
        )
        self._put(f"q {turn} cm")
        # From here on, the origin is the upper left corner, and y still points up.
        self._put(f"q {scale:.5g} 0 0 {-scale:.5g} {-picture.left * scale:.3f} "
                  f"{picture.top * scale:.3f} cm")  # fmt: skip
        if picture.labels or len(picture.shapes) > 4:
            self._put("\n".join(self._shapes(picture, scale)))
        else:
            self._canvas.doForm(self._plain_board(picture, scale))
        for image in picture.images:
            self._image(image.x + 2, image.y + 2, images[image.value - 1][1])
        self._put("Q")
        for label in picture.labels:
            style = label_style(label.kind, ruled=ruled)
            self._label(picture, style, (label.x, label.y), label.text, scale=scale)
        for text in picture.texts:
            self._symbols(picture, text, scale, ruled=ruled)
        self._put("Q")

    def _symbols(self, picture: Picture, text: Text, scale: float, *, ruled: bool) -> None:
        """Draw a text of a picture, as a whole at one position, or each symbol at its own position.

        `scale` is in points per unit, and `ruled` is that of `svg_file`.
        """
        style = symbol_style(text.kind, picture, ruled=ruled)
        places = text.x.split()
        symbols = [text.symbols] if len(places) == 1 else text.symbols
        for place, symbol in zip(places, symbols, strict=True):
            self._label(picture, style, (float(place), text.y), symbol, scale=scale)

    def _label(
        self, picture: Picture, style: TextStyle, point: Point, text: str, *, scale: float
    ) -> None:
        """Draw a text of a board, centered at `point`. `scale` is in points per unit.

        A text below the smallest font size is enlarged to it.
        """
        size = max(style.size * scale, self._min_font)
        # A text that was enlarged to the minimum stays centered on its line.
        lowered = style.lowered * scale + (size - style.size * scale) * 0.33
        self.write(
            (point[0] - picture.left) * scale,
            -((point[1] - picture.top) * scale + lowered),
            text,
            size,
            bold=style.bold,
            align=0.5,
            color=style.color,
            halo=style.halo * scale,
        )

    def _plain_board(self, picture: Picture, scale: float) -> str:
        """Return the name of the reusable drawing of a board's shapes at a scale.

        It is added to the file when it is first requested. It is only for boards without labels and
        with few shapes.
        """
        key = (picture.shapes, round(scale, 4))
        name = self._boards.get(key)
        if name is None:
            name = self._boards[key] = f"board{len(self._boards)}"
            left, top = picture.left - CELL, picture.top - CELL
            right, bottom = left + picture.width + 2 * CELL, top + picture.height + 2 * CELL
            self._canvas.beginForm(name, left, top, right, bottom)
            self._put("\n".join(self._shapes(picture, scale)))
            self._canvas.endForm()
        return name

    def _shapes(self, picture: Picture, scale: float) -> Iterator[str]:
        yield "1 j"
        for number, shape in enumerate(picture.shapes):
            style = shape_style(shape.kind, gray=self._is_gray)
            paint = "f" if not style.width else "B" if style.fill else "S"
            code = ""
            if style.fill:
                code += _color(self._colors[style.fill]) + " "
            if style.width:
                # A little wider, because numbers are rounded.
                width = max(style.width, self._min_line * 1.001 / scale)
                dash = " ".join(f"{each:g}" for each in style.dash)
                code += (
                    f"{_color(self._colors[style.stroke], stroke=True)} {width:.4g} w "
                    f"{_CAPS[style.cap]} J [{dash}] 0 d "
                )
            yield f"{code}{pdf_path(shape.path)} {paint}"
            if number == 0:
                yield from self._given_grounds(picture)

    def _given_grounds(self, picture: Picture) -> Iterator[str]:
        """Yield the PDF operators for a background behind the image of each given.

        It distinguishes givens, because images can't be bold as symbols of givens are.
        """
        for image in picture.images:
            if image.kind in ("given", "wrong"):
                yield f"{_color(self._colors['tint'])} {image.x} {image.y} {CELL} {CELL} re f"

    def _image(self, x: float, y: float, data: bytes) -> None:
        """Draw the image of a value in the cell whose upper left corner is (x, y), in board units.

        Raises BookError if the image is damaged.
        """
        reader = self._images.get(data)
        if reader is None:
            try:
                reader = self._images[data] = ImageReader(BytesIO(data))
            except OSError:
                raise BookError("an image of the job is damaged; upload the images again") from None
        side = CELL - 4
        self._canvas.saveState()
        self._put(f"1 0 0 -1 {x} {y + side} cm")
        self._canvas.drawImage(reader, 0, 0, side, side, mask="auto")
        self._canvas.restoreState()

    def _text(self, text: str, name: str, size: float) -> str:
        """Return the PDF operators that write a text in the font `name` at the current position."""
        key = (text, name, size)
        found = self._texts.get(key)
        if found is None:
            found = "".join(
                f"{font} {size:.4g} Tf ({code}) Tj " for font, code in self._runs(text, name)
            )
            # Digits are repeated all the time, and other texts rarely.
            if len(text) == 1:
                self._texts[key] = found
        return found

    def _runs(self, text: str, name: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of a text that are in the same font, each as (PDF name, escaped codes).

        `name` is the font's name. Characters that it lacks are in other fonts. Those that only
        modify the preceding one, such as skin tones, are left out.
        """
        font, codes = "", ""
        for character in text:
            if character in _MODIFIERS:
                continue
            key = (character, name)
            if key not in self._codes:
                self._codes[key] = self._encoded(character, name)
            used, code = self._codes[key]
            if used != font and codes:
                yield font, codes
                codes = ""
            font, codes = used, codes + code
        if codes:
            yield font, codes

    def _encoded(self, character: str, name: str) -> tuple[str, str]:
        font, document = _find_font(character, name), self._canvas._doc
        ((subset, code),) = font.splitString(character, document)
        return font.getSubsetInternalName(subset, document), str(escapePDF(code))

    def _put(self, operators: str) -> None:
        self._canvas.addLiteral(operators)


@cache
def _color(color: str, *, stroke: bool = False) -> str:
    """Return the PDF operator that sets the fill color, or the stroke color if `stroke` is set.

    `color` is like #a6a6a6. Grays are set as grays, not as RGB, so that they stay gray in print.
    """
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    if red == green == blue:
        return f"{red:.3g} {'G' if stroke else 'g'}"
    return f"{red:.3g} {green:.3g} {blue:.3g} {'RG' if stroke else 'rg'}"
