"""Decode the parts that Interactive Sudoku Solver encodes as letters: bits, patterns, automata."""

from base64 import urlsafe_b64decode
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits
from urllib.parse import unquote

from solver.formats.objects.iss_arguments import Refused
from solver.rules.regular_expressions import BETWEEN

BASE64 = ascii_uppercase + ascii_lowercase + digits + "-_"
# Encoding of states: 0 lists all moves; 1 is a bit mask of the numbers that
# have a move, at most one each.
_PLAIN = 0


def bits_of(text: str) -> list[int]:
    """Return the bits of base64 letters, six per letter, lowest bit first.

    The letters select the cells of a .Replicate. Raises Refused for any other letters.
    """
    if any(letter not in BASE64 for letter in text):
        raise Refused("the cells to copy to aren't in base64")
    return [BASE64.index(letter) >> k & 1 for letter in text for k in range(6)]


def _bytes_of(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise Refused("the pattern or automaton isn't in base64") from None


def pattern_in(text: str) -> str:
    """Decode a regular expression from base64 or, as in old strings, from percent-encoding.

    Raises Refused if it is malformed base64.
    """
    return unquote(text) if "%" in text or "." in text else _bytes_of(text).decode("latin-1")


class _Bits:
    """Reads numbers from the bits of bytes, highest bit first.

    `left` is the number of unread bits.
    """

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "big")
        self.left = 8 * len(data)

    def read(self, count: int) -> int:
        if count > self.left:
            raise Refused("the automaton ends too early")
        self.left -= count
        return self._value >> self.left & (1 << count) - 1


@lru_cache(maxsize=64)  # replicated constraints share their automaton
def automaton_in(text: str, *, size: int, lowest: int) -> tuple[str, str]:
    """Decode the automaton of an Interactive Sudoku Solver constraint.

    Returns its header (initial and accepting states) and its transitions, both in the notation of
    the rule `nfa`. Raises Refused if the text is malformed. An empty text is an automaton that
    accepts nothing.

    The text is URL-safe base64. Its bits, highest first, are these fields:

      2 bits  the encoding of transitions: 0 (lists) or 1 (masks)
      4 bits  s − 1, where s is the width of a state number in bits
      4 bits  the number of symbols, less 1
      s bits  the number of initial states
      s bits  the number of accepting states that aren't initial
      1 bit for each initial state, the last state first: whether it is also accepting
      4 bits  c, the width of a transition count in bits (only in encoding 0)

    The transitions follow, state by state. In encoding 0, a state has a count of c bits and then
    this many pairs of a symbol and the next state. In encoding 1, it has a mask with one bit per
    symbol, the highest symbol first, and then the next state for each symbol in the mask, from the
    lowest on.

    States are numbered from 0: first the initial states, then the other accepting states, then the
    rest. Symbols are numbered from 0, too. Symbols below `size` are the numbers of the board, which
    start at `lowest`. The symbol `size` is the separator, which is read between two pieces of a
    line.
    """
    if not text:
        return "0>", ""
    bits = _Bits(_bytes_of(text))
    way, state_bits, symbols = bits.read(2), bits.read(4) + 1, bits.read(4) + 1
    if way > 1:
        raise Refused("the encoding of the automaton isn't supported")
    first, last = bits.read(state_bits), bits.read(state_bits)
    both = bits.read(first)
    lasts = [n for n in range(first) if both >> n & 1]
    lasts += range(first, first + last)
    count_bits = bits.read(4) if way == _PLAIN else 0
    moves = _all_moves(bits, count_bits, symbols, state_bits) if way == _PLAIN else None
    if moves is None:
        moves = _packed_moves(bits, symbols, state_bits)

    def read(symbol: int) -> str:
        return BETWEEN if symbol == size else str(symbol + lowest)

    head = ",".join(map(str, range(first))) + ">" + ",".join(map(str, lasts))
    return head, " ".join(f"{here}-{read(symbol)}-{there}" for here, symbol, there in moves)


Move = tuple[int, int, int]  # state, symbol from 0, next state


def _all_moves(bits: _Bits, count_bits: int, symbols: int, state_bits: int) -> list[Move]:
    """Read transitions that are listed for each state: a count, and pairs of symbol and next state.

    `symbols` is the number of symbols. The widths of a count and of a state are in bits.
    """
    moves = []
    state = 0
    symbol_bits = (symbols - 1).bit_length()
    while count_bits and bits.left >= count_bits:
        count = bits.read(count_bits)
        moves += [(state, bits.read(symbol_bits), bits.read(state_bits)) for _ in range(count)]
        state += 1
    return moves


def _packed_moves(bits: _Bits, symbols: int, state_bits: int) -> list[Move]:
    """Read the transitions of one state after the other.

    For each state, there is a mask with one bit per symbol, and then a next state for each bit that
    is set. `symbols` is the number of symbols, and `state_bits` the number of bits of a state.
    """
    moves = []
    state = 0
    while bits.left >= symbols:
        mask = bits.read(symbols)
        there = [symbol for symbol in range(symbols) if mask >> symbol & 1]
        moves += [(state, symbol, bits.read(state_bits)) for symbol in there]
        state += 1
    return moves
