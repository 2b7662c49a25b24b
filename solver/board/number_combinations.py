"""Find selections of numbers with a given sum."""

from collections.abc import Iterable, Iterator, Sequence

from solver.board.budget import charge


def adding_up_to(total: int, numbers: Sequence[int], length: int) -> Iterator[tuple[int, ...]]:
    """Yield each selection of `length` of the numbers that adds up to a total.

    `numbers` must be in ascending order, and each is used at most once. The numbers of a selection
    are in ascending order, too. Selections come in lexicographic order. The work is charged to the
    puzzle's budget, see `charge`.
    """
    if length == 0:
        if total == 0:
            yield ()
        return
    for place in range(len(numbers) - length + 1):
        charge(1 + len(numbers) // 16)
        rest = numbers[place:]
        if sum(rest[:length]) > total:
            return
        if total <= sum(rest[-length:]):
            for others in adding_up_to(total - rest[0], rest[1:], length - 1):
                yield (rest[0], *others)


def has_sum(numbers: Iterable[int], total: int) -> bool:
    """Return whether a subset of the numbers adds up to the total.

    The empty subset has the sum 0. Each number is used at most once. The numbers must not be
    negative.
    """
    sums = 1  # reachable sums as bits
    for number in numbers:
        sums |= sums << number
    return total >= 0 and bool(sums >> total & 1)
