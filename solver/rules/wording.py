"""Display the names of rules, and the sentences that a setter would print under the puzzle."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

_CLASSIC = range(1, 10)
_CLASSIC_SIZE = len(_CLASSIC)
_LONGEST_LIST = 12  # numbers in a sentence
_LONGEST_TEXT = 40  # characters of a parameter in a sentence

Parameter = int | tuple[int, ...] | str


@dataclass(frozen=True, slots=True)
class Wording:
    """The name of a rule for display, and the sentence that explains the rule.

    `sentence` is a template. The method `on_board` replaces these fields in braces, either for the
    parameter that a puzzle uses, or for any parameter of the rule:

    value                     the parameter: a number, several numbers, or `parameter` followed by
                              a text in quotes
    digits                    the parameter's numbers as digits of the board, such as "1, 2, or 5"
    pairs                     the parameter's numbers as pairs of digits, such as "1-2 or 4-8"
    number                    the parameter's first number, "N" for any parameter
    lowest, middle, highest   digits of the board
    thirds                    the low, middle, and high digits: "1-3, 4-6, 7-9"
    low_half, high_half       the digits below and above the middle: "1-4" and "6-9"
    windows                   "four shaded windows" on a 9×9 board

    In a sentence for any parameter, `value`, `digits`, and `pairs` are replaced by the text
    `parameter`, such as "N (5 unless stated)". `note` is text after the sentence, for example about
    the order of the cells in JSON, or about what a variant requires. `other_names` are further
    names of the rule.
    """

    title: str
    sentence: str
    parameter: str = ""
    other_names: tuple[str, ...] = ()
    note: str = ""

    @property
    def general(self) -> str:
        """The sentence for a classic board and any parameter."""
        return self.on_board(_CLASSIC)

    @property
    def with_note(self) -> str:
        """The general sentence and the note."""
        return f"{self.general} {self.note}".strip()

    def on_board(
        self,
        numbers: range,
        symbols: Sequence[str] = (),
        parameters: Collection[Parameter] = (),
    ) -> str:
        """Return the sentence for a board with these numbers and symbols of its values.

        `parameters` are the parameters of all constraints of the rule in the puzzle. If they are
        all equal, the sentence contains this parameter, unless it is too long or negative.
        Otherwise, the sentence is about any parameter. Without `symbols`, digits are written as
        numbers.
        """
        different = {*parameters}
        value = different.pop() if len(different) == 1 else None
        fields = _board_fields(numbers, symbols) | self._parameter_fields(value, numbers, symbols)
        return self.sentence.format_map(fields)

    def _parameter_fields(
        self, value: Parameter | None, numbers: range, symbols: Sequence[str]
    ) -> dict[str, str]:
        """Return the texts for the fields in the template that depend on the parameter, by field.

        Without a value, or if its numbers are too many for a sentence, they are texts for any
        parameter. `symbols` are the board's symbols for `numbers`.
        """
        general = dict.fromkeys(("value", "digits", "pairs"), self.parameter) | {"number": "N"}
        if value is None or (isinstance(value, int) and value < 0):
            return general
        if isinstance(value, str):
            text = f' "{value}"' if len(value) <= _LONGEST_TEXT else ""
            return general | {"value": self.parameter + text}
        listed = (value,) if isinstance(value, int) else value
        if len(listed) > _LONGEST_LIST:
            return general
        names = [_name(number, numbers, symbols) for number in listed]
        pairs = ["-".join(pair) for pair in zip(names[::2], names[1::2], strict=False)]
        return {
            "value": _either(list(map(str, listed))),
            "digits": _either(names),
            "pairs": _either(pairs),
            "number": str(listed[0]),
        }


def thirds(numbers: range) -> tuple[range, range, range]:
    """Return the low, middle, and high numbers of a board.

    There are as many low as high numbers. If 3 doesn't divide their count, there is one middle
    number more or less: of four numbers, the first is low, the second and third are in the middle.
    """
    some, rest = divmod(len(numbers), 3)
    low = some + (rest == 2)
    middle = some + (rest == 1)
    return numbers[:low], numbers[low : low + middle], numbers[low + middle :]


def _board_fields(numbers: range, symbols: Sequence[str]) -> dict[str, str]:
    half, odd = divmod(len(numbers), 2)
    windows = "four shaded windows" if len(numbers) == _CLASSIC_SIZE else "shaded windows"
    return {
        "lowest": _name(numbers[0], numbers, symbols),
        "middle": _name(numbers[half + odd - 1], numbers, symbols),
        "highest": _name(numbers[-1], numbers, symbols),
        "thirds": ", ".join(_span(third, numbers, symbols) for third in thirds(numbers) if third),
        "low_half": _span(numbers[:half] or numbers, numbers, symbols),
        "high_half": _span(numbers[half + odd :] or numbers, numbers, symbols),
        "windows": windows,
    }


def _span(some: range, numbers: range, symbols: Sequence[str]) -> str:
    """Return the first and the last of consecutive numbers, as in "1-3", or the only number."""
    ends = dict.fromkeys((some[0], some[-1]))
    return "-".join(_name(number, numbers, symbols) for number in ends)


def _name(number: int, numbers: range, symbols: Sequence[str]) -> str:
    """Return the board's symbol of a number, or the number itself if it has none."""
    known = number in numbers and len(symbols) == len(numbers)
    return symbols[number - numbers[0]] if known else str(number)


def _either(names: list[str]) -> str:
    """Return the names separated by commas, with "or" before the last one."""
    if len(names) <= 2:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"
