"""Parsers for user-written regular expressions and automata. Nothing is evaluated.

A pattern is converted to a table of transitions by Thompson's construction: each piece of it has
one start state and one end state.
"""

import re
from dataclasses import dataclass, field
from itertools import chain

from solver.board.budget import charge, kept_table

MOST_STATES = 1_000
_MOST_LETTERS = 2_000  # in a pattern
_SHOWN = 10  # letters before an unexpected one, in messages
_MOST_WRITTEN = 200_000  # characters of a written automaton

_QUANTIFIER = re.compile(r"[*+?]|\{(\d{1,3})(,(\d{0,3}))?\}")
_BEGIN_QUANTIFIERS = ("*", "+", "?", "{")
_RANGE = re.compile(r"(.)-(.)|(.)")
_EDGE = re.compile(r"\d{1,4}-(?:\d{1,2}|\|)-\d{1,4}")
_EDGES = re.compile(rf"\s*(?:{_EDGE.pattern}(?:\s+|$))*")
_STATES = r"(?:\d{1,4}(?!\d)|,)"
_WRITTEN = re.compile(rf"({_STATES}+)>({_STATES}*)(?:/({_STATES}+))?:(.*)", re.DOTALL)

BETWEEN = "|"  # the symbol read between two pieces


@dataclass(slots=True)
class Moves:
    """A nondeterministic automaton with epsilon transitions.

    Sets of states are integers, one bit per state. `first` and `last` are the sets of start and
    accepting states. by_number[state] maps each number or symbol that can be read to the set of
    next states, and by_nothing[state] is the set that epsilon transitions lead to. After a call of
    `closed()`, the transitions for a symbol include the states reached by subsequent epsilon
    transitions.

    `lengths` are the numbers of cells in the pieces into which a line is split, or () if it isn't
    split. The symbol `|` is read between two pieces.
    """

    first: int = 0
    last: int = 0
    by_number: list[dict[int | str, int]] = field(default_factory=list)
    by_nothing: list[int] = field(default_factory=list)
    lengths: tuple[int, ...] = ()

    def state(self) -> int:
        """Add a state and return its number."""
        self.by_number.append({})
        self.by_nothing.append(0)
        return len(self.by_nothing) - 1

    def reach(self, states: int) -> int:
        """Return the epsilon closure of a set of states. Both sets are bit masks."""
        fresh = states
        while fresh:
            lowest = fresh & -fresh
            fresh ^= lowest
            more = self.by_nothing[lowest.bit_length() - 1] & ~states
            states |= more
            fresh |= more
        return states

    def follow(self, states: int) -> dict[int | str, int]:
        """Return, for each number or symbol, the states reached from a set of states by reading it.

        Sets of states are bits.
        """
        after: dict[int | str, int] = {}
        while states:
            lowest = states & -states
            states ^= lowest
            for read, there in self.by_number[lowest.bit_length() - 1].items():
                after[read] = after.get(read, 0) | there
        return after

    def closed(self) -> "Moves":
        """Add to each transition the states reached by subsequent epsilon transitions.

        Epsilon transitions are then unnecessary, except from the first states. Changes and returns
        this automaton.
        """
        if any(self.by_nothing):
            theirs = {*chain.from_iterable([moves.values() for moves in self.by_number])}
            reached = {there: self.reach(there) for there in theirs}
            charge(sum(map(int.bit_count, reached.values())) // 2)
            for moves in filter(None, self.by_number):
                moves.update([(read, reached[there]) for read, there in moves.items()])
        return self


class _Unreadable(Exception):
    """A text is not a valid pattern. The message says why."""


@kept_table
def read_pattern(text: str, numbers: range) -> Moves | str:
    """Convert a regular expression to an automaton, or return an error message.

    The subject of the message is the constraint, as in "has an invalid pattern". The expression
    consists of digits and letters with ``. [ ] ( ) | * + ? { }``. Letters stand for the numbers
    from 10 on. White space is ignored. `numbers` are the numbers of the board. ``.`` stands for any
    of them, and ``[^…]`` for any that it doesn't list.
    """
    if len(text) > _MOST_LETTERS:
        return f"has a pattern of {len(text):,} characters; the limit is {_MOST_LETTERS:,}"
    try:
        return _Pattern("".join(text.split()), numbers).moves.closed()
    except _Unreadable as error:
        return f"has an invalid pattern: {error}"


class _Pattern:
    """A recursive-descent parser that builds the automaton of a regular expression, `moves`.

    Creating it parses the text, and raises `_Unreadable` if that isn't a valid pattern. Each method
    for a part of the grammar adds states to `moves`, and returns its part's start state and end
    state.
    """

    def __init__(self, text: str, numbers: range) -> None:
        self._text, self._at, self._numbers = text, 0, numbers
        self.moves = Moves()
        begin, end = self._choice()
        if self._at < len(text):
            before = text[max(0, self._at - _SHOWN) : self._at]
            raise _Unreadable(f"unexpected {text[self._at]!r} after {before!r}")
        self.moves.first, self.moves.last = self.moves.reach(1 << begin), 1 << end

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _state(self) -> int:
        if len(self.moves.by_nothing) >= MOST_STATES:
            raise _Unreadable(f"it needs more than {MOST_STATES:,} states, the limit")
        charge(5)
        return self.moves.state()

    def _join(self, here: int, there: int) -> None:
        self.moves.by_nothing[here] |= 1 << there

    def _choice(self) -> tuple[int, int]:
        begin, end = self._state(), self._state()
        while True:
            first, last = self._sequence()
            self._join(begin, first)
            self._join(last, end)
            if self._next() != "|":
                return begin, end
            self._at += 1

    def _sequence(self) -> tuple[int, int]:
        begin = end = self._state()
        while self._next() not in ("", "|", ")"):
            first, last = self._repeated()
            self._join(end, first)
            end = last
        return begin, end

    def _repeated(self) -> tuple[int, int]:
        """Parse a piece with its quantifiers; return its start state and end state.

        The piece is parsed again for each repetition, because each one needs its own states.
        """
        start = self._at
        piece = self._piece()
        if self._next() not in _BEGIN_QUANTIFIERS:
            return piece
        unused = [piece]
        quantifiers = []
        while match := _QUANTIFIER.match(self._text, self._at):
            self._at = match.end()
            quantifiers.append(_times(match))
        stop = self._at

        def build(many: int) -> tuple[int, int]:
            """Return the start and end state of the piece with its first `many` quantifiers.

            States are added for all of its repetitions.
            """
            if many == 0 and unused:
                return unused.pop()
            if many == 0:
                self._at = start
                return self._piece()
            least, most = quantifiers[many - 1]
            count = max(least, most or least, 1)
            return self._chained([build(many - 1) for _ in range(count)], least, most)

        piece = build(len(quantifiers))
        self._at = stop
        return piece

    def _chained(
        self, pieces: list[tuple[int, int]], least: int, most: int | None
    ) -> tuple[int, int]:
        """Concatenate repetitions of a piece; return the start state and end state of the whole.

        `pieces` are the start and end states of the repetitions. Those after the first `least` are
        optional. If `most` is None, the last one can repeat, and if it is 0, the whole is empty.
        """
        begin, end = self._state(), self._state()
        at = begin
        if most == 0:
            pieces = []
        for number, (first, last) in enumerate(pieces):
            if number >= least:
                self._join(at, end)
            self._join(at, first)
            at = last
        self._join(at, end)
        if most is None:
            self._join(at, pieces[-1][0])
        return begin, end

    def _piece(self) -> tuple[int, int]:
        letter = self._next()
        self._at += 1
        if letter == "(":
            inside = self._choice()
            if self._next() != ")":
                raise _Unreadable("a group isn't closed with ')'")
            self._at += 1
            return inside
        if letter == "":
            raise _Unreadable("it ends too early")
        if letter == ".":
            allowed = {*self._numbers}
        elif letter == "[":
            allowed = self._class()
        else:
            allowed = {self._number(letter)}
        begin, end = self._state(), self._state()
        self.moves.by_number[begin] = dict.fromkeys(allowed, 1 << end)
        return begin, end

    def _class(self) -> set[int]:
        stop = self._text.find("]", self._at + 1)
        if stop < 0:
            raise _Unreadable("a class isn't closed with ']'")
        inside, self._at = self._text[self._at : stop], stop + 1
        others = inside.startswith("^")
        allowed: set[int] = set()
        for match in _RANGE.finditer(inside[others:]):
            low = self._number(match[1] or match[3])
            allowed.update(range(low, self._number(match[2] or match[3]) + 1))
        return set(self._numbers) - allowed if others else allowed

    def _number(self, letter: str) -> int:
        number = int(letter, 36) if letter.isascii() and letter.isalnum() else -1
        if number not in self._numbers:
            values = f"{self._numbers[0]} to {self._numbers[-1]}"
            raise _Unreadable(f"{letter!r} isn't a value of this board ({values})")
        return number


def _times(match: re.Match[str]) -> tuple[int, int | None]:
    usual: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
    if match[0] in usual:
        return usual[match[0]]
    least = int(match[1])
    most = least if match[2] is None else int(match[3]) if match[3] else None
    if most is not None and most < least:
        raise _Unreadable(f"the minimum in {match[0]} is greater than the maximum")
    return least, most


@kept_table
def read_moves(text: str) -> Moves | str:
    """Read an automaton such as ``0>2,3: 0-1-1 1-5-2``, or return an error message.

    Before the colon are the start states, ``>``, and the accepting states, each separated by
    commas. Then come the transitions: a state, a number, and the next state. If lengths follow the
    accepting states after a slash, as in ``0>2/3,4: …``, the cells are split into pieces of these
    lengths (3 and 4), and the automaton reads the symbol ``|`` between two pieces, in transitions
    such as ``1-|-2``.
    """
    if len(text) > _MOST_WRITTEN:
        return f"has an automaton of {len(text):,} characters; the limit is {_MOST_WRITTEN:,}"
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        expected = "start states > accepting states: transitions, such as 0>1,2: 0-1-1 1-5-2"
        return f"has an invalid automaton: expected {expected}"
    charge(len(text) // 8)
    edges = match[4].split()
    if _EDGES.fullmatch(match[4]) is None:
        wrong = next(edge for edge in edges if _EDGE.fullmatch(edge) is None)
        expected = "state-number-state, such as 0-1-1"
        return f"has an invalid automaton: expected {expected}, not {wrong[:20]!r}"
    first, last = _listed(match[1]), _listed(match[2])
    made = [edge.split("-") for edge in edges]
    here = [int(edge[0]) for edge in made]
    there = [int(edge[2]) for edge in made]
    states = 1 + max(chain(first, last, here, there), default=0)
    if states > MOST_STATES:
        return f"has an automaton of {states:,} states; the limit is {MOST_STATES:,}"
    moves = Moves(lengths=_listed(match[3] or ""))
    moves.by_number = [{} for _ in range(states)]
    moves.by_nothing = [0] * states
    for (_, read, _), state, after in zip(made, here, there, strict=True):
        number = read if read == BETWEEN else int(read)
        reached = moves.by_number[state]
        reached[number] = reached.get(number, 0) | 1 << after
    moves.first = sum(1 << state for state in set(first))
    moves.last = sum(1 << state for state in set(last))
    return moves


def _listed(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)
