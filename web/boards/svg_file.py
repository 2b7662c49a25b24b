"""A board as an SVG file of its own, without a style sheet."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from web.boards.geometry import CELL
from web.boards.styles import INKS, TextStyle, label_style, shape_style, symbol_style
from web.boards.svg import Picture

_FONTS = "'Source Sans 3', 'DejaVu Sans', 'Noto Emoji', 'Segoe UI', Roboto, sans-serif"
MARGIN = 3  # units around the board, where thick borders end


def svg_file(
    picture: Picture,
    *,
    width: int,
    ink: str = "color",
    title: str = "",
    ruled: bool = False,
    images: Sequence[tuple[str, bytes]] = (),
) -> str:
    """Return a picture as an SVG document that is `width` pixels wide.

    `ink` is a key of `INKS`. `ruled` states whether the board has rules beyond rows, columns, and
    boxes. `images` contains the media type and the bytes of the image for each value. Without a
    `title`, the document has none. The height follows from the width.
    """
    left, top = picture.left - MARGIN, picture.top - MARGIN
    across, down = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    height = round(width * down / across)
    body = "".join(_elements(picture, ink, ruled=ruled, images=images))
    named = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {across} {down}" '
        f'width="{width}" height="{height}" font-family="{_FONTS}" text-anchor="middle" '
        f'stroke-linejoin="round">{named}'
        f'<path fill="#fff" d="M{left} {top}h{across}v{down}h-{across}z"/>{body}</svg>\n'
    )


def _elements(
    picture: Picture, ink: str, *, ruled: bool, images: Sequence[tuple[str, bytes]]
) -> Iterator[str]:
    """Yield the SVG elements of a picture, from the lowest to the uppermost.

    The arguments are those of `svg_file`.
    """
    colors, gray = INKS[ink], ink == "gray"
    for number, shape in enumerate(picture.shapes):
        style = shape_style(shape.kind, gray=gray)
        fill = colors[style.fill] if style.fill else "none"
        stroke = ""
        if style.width:
            dash = f' stroke-dasharray="{" ".join(map(str, style.dash))}"' if style.dash else ""
            cap = f' stroke-linecap="{style.cap}"' if style.cap != "butt" else ""
            stroke = f' stroke="{colors[style.stroke]}" stroke-width="{style.width:g}"{dash}{cap}'
        yield f'<path fill="{fill}"{stroke} d="{shape.path}"/>'
        if number == 0:
            yield from _given_grounds(picture, colors["tint"])
    for label in picture.labels:
        text_style = label_style(label.kind, ruled=ruled)
        yield _text(text_style, f"{label.x:g}", label.y, label.text, colors)
    for text in picture.texts:
        text_style = symbol_style(text.kind, picture, ruled=ruled)
        yield _text(text_style, text.x, text.y, text.symbols, colors)
    for image in picture.images:
        kind, data = images[image.value - 1]
        yield (
            f'<image href="data:{kind};base64,{b64encode(data).decode()}" x="{image.x + 2}" '
            f'y="{image.y + 2}" width="{CELL - 4}" height="{CELL - 4}"/>'
        )


def _given_grounds(picture: Picture, color: str) -> Iterator[str]:
    """Yield an SVG element for each given that is drawn as an image: its background.

    It distinguishes givens, because images can't be bold as symbols of givens are.
    """
    for image in picture.images:
        if image.kind in ("given", "wrong"):
            yield f'<path fill="{color}" d="M{image.x} {image.y}h{CELL}v{CELL}h-{CELL}z"/>'


def _text(style: TextStyle, x: str, y: float, text: str, colors: Mapping[str, str]) -> str:
    """Return the SVG element of a text.

    `x` is its position, or the position of each symbol, separated by spaces. `y` is its position
    before the style lowers it. `colors` has the SVG color for each color name of a style.
    """
    weight = ' font-weight="700"' if style.bold else ""
    halo = (
        f' paint-order="stroke" stroke="{colors["board"]}" stroke-width="{style.halo:g}"'
        if style.halo
        else ""
    )
    struck = ' text-decoration="line-through"' if style.struck else ""
    return (
        f'<text x="{x}" y="{round(y + style.lowered, 2):g}" font-size="{round(style.size, 2):g}" '
        f'fill="{colors[style.color]}"{weight}{halo}{struck}>{escape(text)}</text>'
    )
