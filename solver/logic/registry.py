"""All techniques in HoDoKu's search order."""

from solver.logic.technique import Technique
from solver.logic.techniques.almost_locked_sets import ALS_CHAIN, ALS_XY_WING, ALS_XZ
from solver.logic.techniques.avoidable import AVOIDABLE_RECTANGLE
from solver.logic.techniques.basic_fish import (
    JELLYFISH,
    SWORDFISH,
    X_WING,
)
from solver.logic.techniques.bug import BUG
from solver.logic.techniques.chains import REMOTE_PAIR, TURBOT_FISH, X_CHAIN, XY_CHAIN
from solver.logic.techniques.coloring import MULTI_COLORS, SIMPLE_COLORS
from solver.logic.techniques.death_blossom import DEATH_BLOSSOM
from solver.logic.techniques.empty_rectangle import EMPTY_RECTANGLE
from solver.logic.techniques.fish import (
    FINNED_FRANKEN_JELLYFISH,
    FINNED_FRANKEN_SWORDFISH,
    FINNED_FRANKEN_X_WING,
    FINNED_JELLYFISH,
    FINNED_SWORDFISH,
    FINNED_X_WING,
    FRANKEN_JELLYFISH,
    FRANKEN_SWORDFISH,
    FRANKEN_X_WING,
)
from solver.logic.techniques.forcing_chains import FORCING_CHAIN
from solver.logic.techniques.forcing_nets import FORCING_NET
from solver.logic.techniques.intersections import CLAIMING, POINTING
from solver.logic.techniques.kite import KITE
from solver.logic.techniques.nice_loops import GROUPED_NICE_LOOP, NICE_LOOP
from solver.logic.techniques.rectangles import RECTANGLE
from solver.logic.techniques.singles import FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE
from solver.logic.techniques.skyscraper import SKYSCRAPER
from solver.logic.techniques.subsets import (
    HIDDEN_PAIR,
    HIDDEN_QUADRUPLE,
    HIDDEN_TRIPLE,
    LOCKED_PAIR,
    LOCKED_TRIPLE,
    NAKED_PAIR,
    NAKED_QUADRUPLE,
    NAKED_TRIPLE,
)
from solver.logic.techniques.sue_de_coq import SUE_DE_COQ
from solver.logic.techniques.sums import INNIES, INNIES_AND_OUTIES, OUTIES, SUM
from solver.logic.techniques.w_wing import W_WING
from solver.logic.techniques.wings import XY_WING, XYZ_WING

SOLVING_ORDER: tuple[Technique, ...] = (
    FULL_HOUSE,
    NAKED_SINGLE,
    HIDDEN_SINGLE,
    SUM,
    INNIES,
    OUTIES,
    INNIES_AND_OUTIES,
    LOCKED_PAIR,
    LOCKED_TRIPLE,
    POINTING,
    CLAIMING,
    NAKED_PAIR,
    NAKED_TRIPLE,
    HIDDEN_PAIR,
    HIDDEN_TRIPLE,
    NAKED_QUADRUPLE,
    HIDDEN_QUADRUPLE,
    X_WING,
    SWORDFISH,
    JELLYFISH,
    REMOTE_PAIR,
    BUG,
    SKYSCRAPER,
    KITE,
    TURBOT_FISH,
    EMPTY_RECTANGLE,
    W_WING,
    XY_WING,
    XYZ_WING,
    RECTANGLE,
    AVOIDABLE_RECTANGLE,
    FINNED_X_WING,
    FINNED_SWORDFISH,
    FINNED_JELLYFISH,
    SUE_DE_COQ,
    SIMPLE_COLORS,
    MULTI_COLORS,
    X_CHAIN,
    XY_CHAIN,
    NICE_LOOP,
    GROUPED_NICE_LOOP,
    ALS_XZ,
    ALS_XY_WING,
    ALS_CHAIN,
    DEATH_BLOSSOM,
    FRANKEN_X_WING,
    FRANKEN_SWORDFISH,
    FRANKEN_JELLYFISH,
    FINNED_FRANKEN_X_WING,
    FINNED_FRANKEN_SWORDFISH,
    FINNED_FRANKEN_JELLYFISH,
    FORCING_CHAIN,
    FORCING_NET,
)
