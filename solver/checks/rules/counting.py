"""Checks of rules that count or list values, of index cells, and of sums that must not occur."""

from itertools import combinations

from solver.checks.rules.filled import Check, Filled, all_differ


def _quadruple(filled: Filled) -> bool:
    numbers, wanted = list(filled.numbers), list(filled.values)
    return all(numbers.count(number) >= wanted.count(number) for number in wanted)


def _counting_circles(filled: Filled) -> bool:
    numbers = list(filled.numbers)
    return all(numbers.count(number) == number for number in numbers)


def _equality(filled: Filled) -> bool:
    numbers, board = filled.numbers, filled.layout.numbers
    odd = [number for number in numbers if number % 2]
    even = [number for number in numbers if number % 2 == 0]
    low = [number for number in numbers if number - board[0] < board[-1] - number]
    high = [number for number in numbers if number - board[0] > board[-1] - number]
    balanced = len(odd) == len(even) and len(low) == len(high)
    return balanced and len(low) + len(high) == len(numbers) and all_differ(numbers)


def _rellik(filled: Filled) -> bool:
    return all_differ(filled.numbers) and all(
        sum(chosen) != filled.number
        for count in range(1, len(filled.numbers) + 1)
        for chosen in combinations(filled.numbers, count)
    )


def _index(filled: Filled) -> bool:
    pointer = filled.numbers[filled.number - 1]
    reaches = 0 < pointer <= len(filled.numbers)
    return reaches and filled.numbers[pointer - 1] == filled.number


COUNTING_CHECKS: dict[str, Check] = {
    "quadruple": _quadruple,
    "countingcircles": _counting_circles,
    "equality": _equality,
    "rellik": _rellik,
    "index": _index,
    "oneof": lambda filled: set(filled.numbers) <= set(filled.values),
    "different": lambda filled: all_differ(filled.numbers),
    "odd": lambda filled: all(number % 2 == 1 for number in filled.numbers),
    "even": lambda filled: all(number % 2 == 0 for number in filled.numbers),
}
