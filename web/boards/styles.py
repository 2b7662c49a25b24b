"""The style of boards outside of pages: colors, line widths, dashes, and font sizes.

Pictures and books use it. On pages, style.css has the same sizes, and colors for light and dark
screens. All numbers are in the units of `web.boards.geometry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from web.boards.svg import LONGEST_NUMBER, Picture

Dash = tuple[float, ...]

COLOR: Mapping[str, str] = {
    "board": "#ffffff", "black": "#000000", "text": "#1c2233", "soft": "#5b647a",
    "thin": "#b4bacb", "thick": "#2a3146", "found": "#3f66e0", "bad": "#b3261e",
    "tint": "#e6e9f7", "grey-tint": "#dcdfe7", "grey": "#7d859a", "blue": "#2c62c9",
    "green": "#187a3d", "purple": "#8436b5", "red": "#b8362d", "teal": "#0b7575",
    "pale-grey": "#cdd1db", "pale-green": "#a6e0b4", "pale-orange": "#fbcb95",
    "pale-purple": "#e2bcf3", "pale-yellow": "#f2e284", "pale-teal": "#98dcd8",
    "pale-red": "#f8bfb9", "pale-blue": "#b3cdfa", "warn": "#fbe3b8",
    **{f"colour-{number}": shade for number, shade in enumerate(
        ("#f3ded5", "#eef3ce", "#d8f0d3", "#d3f0e4", "#d5e6f4", "#d9d8f4", "#ecd6f3", "#f4d5e4",
         "#f6e3c8"), 1)},
}  # fmt: skip
# Printers lose fills with less than 10% black.
GRAY: Mapping[str, str] = {
    **dict.fromkeys(COLOR, "#000000"),
    "board": "#ffffff", "soft": "#333333", "thin": "#777777", "found": "#000000",
    "tint": "#e4e4e4", "grey-tint": "#d8d8d8", "grey": "#555555", "pale-grey": "#c8c8c8",
    **dict.fromkeys(("pale-green", "pale-orange", "pale-purple", "pale-yellow", "pale-teal",
                     "pale-red", "pale-blue"), "#a6a6a6"),
    "warn": "#e0e0e0",
    **{f"colour-{number}": f"#{level:02x}{level:02x}{level:02x}"
       for number, level in enumerate(range(228, 156, -8), 1)},
}  # fmt: skip
INKS = {"color": COLOR, "gray": GRAY}
# Line patterns that tell rules apart where colors are missing.
_GRAY_DASHES: Mapping[str, Dash] = {
    "whisper": (3, 1.5), "dutchwhisper": (1.2, 1.2), "renban": (0.1, 5), "nabner": (7, 1.5, 1, 1.5),
    "modular": (5, 1.5, 5, 4), "regionsum": (9, 2),
}  # fmt: skip
_ROUND_IN_GRAY = ("thermo", "slowthermo", "renban", "sumline", "sumloop")
_LINE_COLORS = {
    "thermo": "pale-grey", "slowthermo": "pale-grey", "palindrome": "pale-grey",
    "whisper": "pale-green", "dutchwhisper": "pale-orange", "renban": "pale-purple",
    "nabner": "pale-yellow", "modular": "pale-teal", "entropic": "pale-red",
    "regionsum": "pale-blue", "pairs": "pale-teal", "between": "pale-grey", "lockout": "pale-blue",
    "sumline": "pale-orange", "sumloop": "pale-orange", "zipper": "pale-purple",
    "indexline": "pale-red",
}  # fmt: skip
_NARROW_LINES = ("lockout", "between", "zipper", "indexline")
_LINE_DASHES: Mapping[str, Dash] = {
    "slowthermo": (2, 8), "pairs": (6, 5), "entropic": (9, 6), "sumloop": (0.1, 6),
    "sumline": (0.1, 6),
}  # fmt: skip
_CAGES: Mapping[str, tuple[str, Dash]] = {
    "killer": ("text", (2.2, 1.5)), "sum": ("blue", (0.9, 1.4)), "different": ("green", ()),
    "equality": ("purple", (5, 1.5)), "rellik": ("red", (4, 1.2, 0.8, 1.2)),
    "pairs": ("teal", (3, 3)), "other": ("soft", (1, 1)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShapeStyle:
    """The style of a shape: names of colors, and its line. A width of 0 means no line."""

    fill: str = ""
    stroke: str = ""
    width: float = 0
    dash: Dash = ()
    cap: str = "butt"


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a text: its font size, color name, and how far its baseline is lowered.

    `halo` is the width of the outline in the color of the board, which separates it from lines.
    """

    size: float
    color: str = "text"
    bold: bool = False
    lowered: float = 0
    halo: float = 0
    struck: bool = False


_SHAPES: Mapping[str, ShapeStyle] = {
    "ground": ShapeStyle("board"),
    "thin": ShapeStyle("", "thin", 0.8),
    "thick": ShapeStyle("", "thick", 1.8, cap="round"),
    "frame": ShapeStyle("", "thick", 2.4, cap="square"),
    "extra": ShapeStyle("tint"),
    "diagonal": ShapeStyle("", "soft", 1),
    **dict.fromkeys(("odd", "even", "extreme", "clone"), ShapeStyle("grey-tint")),
    "index": ShapeStyle("tint"),
    **dict.fromkeys(("counting", "arrow", "doublearrow"), ShapeStyle("", "grey", 1.3)),
    "pointer": ShapeStyle("", "blue", 1.1),
    "thread": ShapeStyle("", "soft", 0.6, (1, 1.4)),
    "dot white": ShapeStyle("board", "text", 0.9),
    "dot black": ShapeStyle("black", "text", 0.9),
    "dot quadruple": ShapeStyle("board", "text", 0.9),
    "inequality": ShapeStyle("", "text", 1.1, cap="round"),
    "clue-frame": ShapeStyle("", "soft", 0.9),
    "clue-arrow": ShapeStyle("", "soft", 0.9),
    "clue-frame hidden-building": ShapeStyle("", "soft", 0.9, (2, 1.4)),
    "house": ShapeStyle("tint"),
    "cover": ShapeStyle("grey-tint"),
    "marked": ShapeStyle("", "blue", 1.2),
    "link strong": ShapeStyle("", "blue", 0.8),
    "link weak": ShapeStyle("", "teal", 0.8, (1.6, 1.2)),
    "differs": ShapeStyle("warn"),
}


@lru_cache(maxsize=512)
def shape_style(kind: str, *, gray: bool) -> ShapeStyle:
    """Return the style of shapes of a kind, as in `Shape`.

    Kinds without a style of their own get a default one. With `gray`, kinds of lines differ in
    their dashes, because they can't differ in color.
    """
    known = _SHAPES.get(kind)
    if known is not None:
        return known
    first, _, rule = kind.partition(" ")
    if first == "colour":
        return ShapeStyle(rule)
    if first == "cage":
        color, dash = _CAGES.get(rule, _CAGES["other"])
        return ShapeStyle("", color, 0.7, dash)
    color = _LINE_COLORS.get(rule, "pale-grey")
    if first == "bulb":
        return ShapeStyle(color)
    if first == "ring":
        return ShapeStyle("board", color, 2.4 if rule == "slowthermo" else 1.6)
    return _line(rule, color, gray=gray)


def _line(rule: str, color: str, *, gray: bool) -> ShapeStyle:
    """Return the style of the line of a rule, given the name of its color."""
    width = 2.4 if rule in _NARROW_LINES else 6 if "thermo" in rule else 5
    style = ShapeStyle("", color, width, _LINE_DASHES.get(rule, ()), "round")
    if gray:
        cap = "round" if rule in _ROUND_IN_GRAY else "butt"
        style = replace(style, dash=_GRAY_DASHES.get(rule, style.dash), cap=cap)
    return style


_LABEL_SIZES = {"corner": 5.4, "mark": 5.4, "letter": 7.5, "clue": 8.5}
_ROLE_COLORS = {
    "placed": "green", "removed": "red", "fin": "purple", "key": "purple", "first": "blue",
    "second": "teal", "pattern": "text",
}  # fmt: skip


def label_style(kind: str, *, ruled: bool = True) -> TextStyle:
    """Return the style of a label with the CSS classes `kind`, as in `Label`.

    `ruled` states whether the board has rules beyond rows, columns, and boxes. Only then do some
    labels get a halo, an outline that separates them from lines.
    """
    classes = kind.split()
    name = classes[0]
    if name == "corner":
        return TextStyle(5.4, halo=1.2 if ruled else 0)
    if name == "letter":
        return TextStyle(7.5, bold=True, halo=2.4 if ruled else 0)
    if name == "mark":
        size = 5 if "on-quadruple" in classes else 4.4 if "long" in classes else 5.4
        return TextStyle(size, "board" if "on-black" in classes else "text", bold=True)
    return TextStyle(_LABEL_SIZES.get(name, 8.5))


def symbol_style(kind: str, picture: Picture, *, ruled: bool) -> TextStyle:
    """Return the style of symbols in cells or of candidates, which have the CSS classes `kind`.

    Their size also depends on the widest symbol of the picture, and on texts in corners. `ruled`
    states whether the board has rules beyond rows, columns, and boxes. Only then do symbols get a
    halo, an outline that separates them from lines.
    """
    classes = kind.split()
    if classes[0] == "candidate":
        return _candidate_style(classes, picture, halo=0.8 if ruled else 0)
    is_word = picture.longest > LONGEST_NUMBER
    if is_word:
        size = 28 / picture.longest
    elif picture.cornered:
        size = {2: 10.0, 3: 7.5}.get(picture.longest, 11.2)
    else:
        size = {2: 11.5, 3: 8.5}.get(picture.longest, 14.0)
    lowered = 1.2 if picture.cornered else -3.4 if is_word else 0
    # Digits are centered in their cells, whatever their size.
    if not is_word and not picture.cornered:
        lowered = (size - 14) * 0.33
    color = {"found": "found", "wrong": "bad"}.get(classes[0], "text")
    return TextStyle(size, color, classes[0] != "found", lowered, 1.6 if ruled else 0)


def _candidate_style(classes: list[str], picture: Picture, *, halo: float) -> TextStyle:
    """Return the style of candidates with these CSS classes. `halo` is the width of the outline.

    The second class must be "of3" or the like, with the number of candidates side by side in a
    cell. The size depends on it, and on the longest symbol of the picture.
    """
    across = int(classes[1].removeprefix("of"))
    if "caged" in classes:
        size = {4: 3.6, 5: 3.2}.get(across, 4.7)
    elif "numbers" in classes:
        size = {4: 3.7, 5: 3.0}.get(across, 6.0)
    else:
        size = {4: 4.7, 5: 3.6}.get(across, 6.0)
    short = next((each for each in classes if each.startswith("short-")), "")
    if short:
        sizes = (4.6, 3.8, 2.8) if across == 4 else (6.0, 4.6, 3.7)
        size = sizes[int(short[-1]) - 1]
    elif picture.longest > LONGEST_NUMBER:
        size = {2: 14.0, 4: 7.0}.get(across, 9.4) / picture.longest
    role = next((each for each in classes if each in _ROLE_COLORS), "")
    color = _ROLE_COLORS.get(role, "soft")
    return TextStyle(size, color, bool(role), 0, halo, struck=role == "removed")
