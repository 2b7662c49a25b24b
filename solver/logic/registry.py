"""All techniques in HoDoKu's search order. Sums, which HoDoKu doesn't have, follow the singles.

`LISTED_TECHNIQUES` has more general forms of some techniques, for lists of all steps.
"""

from solver.logic.technique import Technique
from solver.logic.techniques import (
    almost_locked_sets,
    avoidable,
    basic_fish,
    bug_plus_one,
    chains,
    coloring,
    death_blossom,
    empty_rectangle,
    fish,
    forcing_chains,
    forcing_nets,
    intersections,
    kite,
    nice_loops,
    rectangles,
    singles,
    skyscraper,
    subsets,
    sue_de_coq,
    sums,
    w_wing,
    wings,
)

SINGLES: tuple[Technique, ...] = (
    singles.FULL_HOUSE,
    singles.NAKED_SINGLE,
    singles.HIDDEN_SINGLE,
)

SOLVING_ORDER: tuple[Technique, ...] = (
    *SINGLES,
    sums.SUM,
    sums.INNIES,
    sums.OUTIES,
    sums.INNIES_AND_OUTIES,
    subsets.LOCKED_PAIR,
    subsets.LOCKED_TRIPLE,
    intersections.POINTING,
    intersections.CLAIMING,
    subsets.NAKED_PAIR,
    subsets.NAKED_TRIPLE,
    subsets.HIDDEN_PAIR,
    subsets.HIDDEN_TRIPLE,
    subsets.NAKED_QUADRUPLE,
    subsets.HIDDEN_QUADRUPLE,
    basic_fish.X_WING,
    basic_fish.SWORDFISH,
    basic_fish.JELLYFISH,
    chains.REMOTE_PAIR,
    bug_plus_one.BUG,
    skyscraper.SKYSCRAPER,
    kite.KITE,
    chains.TURBOT_FISH,
    empty_rectangle.EMPTY_RECTANGLE,
    w_wing.W_WING,
    wings.XY_WING,
    wings.XYZ_WING,
    rectangles.RECTANGLE,
    avoidable.AVOIDABLE_RECTANGLE,
    fish.FINNED_X_WING,
    fish.FINNED_SWORDFISH,
    fish.FINNED_JELLYFISH,
    sue_de_coq.SUE_DE_COQ,
    coloring.SIMPLE_COLORS,
    coloring.MULTI_COLORS,
    chains.X_CHAIN,
    chains.XY_CHAIN,
    nice_loops.NICE_LOOP,
    nice_loops.GROUPED_NICE_LOOP,
    almost_locked_sets.ALS_XZ,
    almost_locked_sets.ALS_XY_WING,
    almost_locked_sets.ALS_CHAIN,
    death_blossom.DEATH_BLOSSOM,
    fish.FRANKEN_X_WING,
    fish.FRANKEN_SWORDFISH,
    fish.FRANKEN_JELLYFISH,
    fish.FINNED_FRANKEN_X_WING,
    fish.FINNED_FRANKEN_SWORDFISH,
    fish.FINNED_FRANKEN_JELLYFISH,
    forcing_chains.FORCING_CHAIN,
    forcing_nets.FORCING_NET,
)

# More general forms of some techniques. HoDoKu uses them only on request, because they are harder
# to see, so they aren't in the solving order.
_GENERAL_FORMS: dict[Technique, tuple[Technique, ...]] = {
    empty_rectangle.EMPTY_RECTANGLE: (empty_rectangle.SMALL_EMPTY_RECTANGLE,),
    nice_loops.GROUPED_NICE_LOOP: (nice_loops.ONLY_GROUPED, nice_loops.WITH_SETS),
    almost_locked_sets.ALS_XY_WING: (almost_locked_sets.OVERLAPPING_XY_WING,),
    death_blossom.DEATH_BLOSSOM: (death_blossom.OVERLAPPING_BLOSSOM,),
}
# The techniques of which all steps can be listed. They include those that are rarely used.
LISTED_TECHNIQUES: tuple[Technique, ...] = tuple(
    form for technique in SOLVING_ORDER for form in _GENERAL_FORMS.get(technique, (technique,))
)
