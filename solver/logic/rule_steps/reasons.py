"""Minimal reasons: the smallest part of the candidates that forces an elimination.

The search starts from all known domains of the unit's cells. It relaxes one cell after the other,
and keeps only the restrictions without which the conclusion would no longer follow. Then it relaxes
each remaining domain to a bound, such as "at least 4". Of the best reason, all values that don't
matter are added back.
"""

from collections.abc import Callable, Iterator, Sequence

Proves = Callable[[Sequence[int]], bool]


def minimal_domains(
    domains: Sequence[int], base: Sequence[int], proves: Proves, *, target: int = -1
) -> tuple[int, ...]:
    """Return domains between `domains` and `base` that restrict few cells and prove the conclusion.

    `domains` prove it, and `base` are larger domains that need no reason. Cells are relaxed one by
    one: to `base` if the rest still proves the conclusion, otherwise, if possible, to a bound.
    `proves` returns whether some domains suffice. The cell at index `target` isn't relaxed.
    """
    left = list(domains)
    relaxed = [cell for cell in range(len(left)) if left[cell] != base[cell] and cell != target]
    # Filled cells are the simplest reasons, so the others are relaxed first.
    relaxed.sort(key=lambda cell: -left[cell].bit_count())
    for cell in relaxed:
        before, left[cell] = left[cell], base[cell]
        if not proves(left):
            left[cell] = before
    for cell in relaxed:
        if left[cell] == base[cell] or left[cell].bit_count() == 1:
            continue
        for bound in _bounds(left[cell], base[cell]):
            before, left[cell] = left[cell], bound
            if proves(left):
                break
            left[cell] = before
    return tuple(left)


def with_further_values(
    domains: Sequence[int], base: Sequence[int], proves: Proves, *, keep_bounds: bool = False
) -> tuple[int, ...]:
    """Return `domains` with all values of `base` added that don't matter to the conclusion.

    `domains` prove it. Each value that they lack is added if they still prove it then, one after
    the other. Filled cells stay as they are. `proves` returns whether some domains suffice.
    With `keep_bounds`, this doesn't apply to cells that only have a bound, such as "at least 4".
    """
    left = list(domains)
    for cell, mask in enumerate(domains):
        if mask & (mask - 1) and not (keep_bounds and _is_bound(mask, base[cell])):
            for value in _values_outside(mask, base[cell]):
                left[cell] |= value
                if not proves(left):
                    left[cell] &= ~value
    return tuple(left)


def _bounds(domain: int, base: int) -> list[int]:
    """Return domains between `domain` and `base`: the values of `base` within bounds of `domain`.

    A domain is a bit mask. The first one has the lower bound of `domain`, the second one its upper
    bound, and the third one both. Those that equal `domain` or `base` are left out.
    """
    low = domain & -domain
    above = base & ~(low - 1)
    below = base & ((1 << domain.bit_length()) - 1)
    return [bound for bound in (above, below, above & below) if bound not in (domain, base)]


def _is_bound(domain: int, base: int) -> bool:
    """Return whether a domain has all values of `base` from its lowest or up to its highest one."""
    gone, low, end = base & ~domain, domain & -domain, 1 << domain.bit_length()
    return gone < low or not gone & (end - 1)


def _values_outside(domain: int, base: int) -> Iterator[int]:
    """Yield the values of `base` that `domain` lacks, as bits, nearest to its bounds first."""
    gone = base & ~domain
    low = domain & -domain
    lower = gone & (low - 1)
    while lower:
        value = 1 << (lower.bit_length() - 1)
        yield value
        lower &= ~value
    higher = gone & ~(low - 1)
    while higher:
        value = higher & -higher
        yield value
        higher &= ~value
