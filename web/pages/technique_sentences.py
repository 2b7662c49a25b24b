"""Describe each technique in short sentences, which name the pattern and its consequence."""

from solver.logic.technique_table import RULE_MEANINGS

_SENTENCES = {
    "0000": "A row, column, or box has one empty cell, which takes the missing digit.",
    "0003": "A cell has one candidate left, because the cells that it sees have all other digits.",
    "0002": "A digit has one possible cell left in a row, column, or box.",
    "3000": "The cells of a cage keep only digits that occur in a combination with the cage’s sum.",
    "3001": (
        "Every house sums to 45, so the cells of a house outside its whole cages sum to 45 "
        "minus the sums of these cages."
    ),
    "3002": (
        "Every house sums to 45, so the cells of the cages that stick out of a house sum to the "
        "cages’ total minus 45."
    ),
    "3003": (
        "The cages inside a house and those that stick out of it give the difference between "
        "the sums of the cells left over inside and the cells outside."
    ),
    "0110": (
        "Two cells that share a line and a box have the same two candidates, which are removed "
        "from the rest of both."
    ),
    "0111": (
        "Three cells that share a line and a box have only three candidates together, which are "
        "removed from the rest of both."
    ),
    "0100": (
        "In a box, a digit is possible in one line only, so it is removed from the rest of the "
        "line."
    ),
    "0101": (
        "In a line, a digit is possible in one box only, so it is removed from the rest of the box."
    ),
    "0200": (
        "Two cells of a house have the same two candidates, which no other cell of the house "
        "can have."
    ),
    "0201": (
        "Three cells of a house have only three candidates together, which no other cell of the "
        "house can have."
    ),
    "0210": (
        "Two digits are possible in the same two cells of a house only, so these cells have no "
        "other candidates."
    ),
    "0211": (
        "In a house, three digits are possible in three cells only, so these cells have no "
        "other candidates."
    ),
    "0202": (
        "Four cells of a house have only four candidates together, which no other cell of the "
        "house can have."
    ),
    "0212": (
        "In a house, four digits are possible in four cells only, so these cells have no other "
        "candidates."
    ),
    "0300": (
        "In two rows, a digit is possible in the same two columns only, so it is removed from "
        "the rest of these columns, or with rows and columns exchanged."
    ),
    "0301": (
        "In three rows, a digit is possible in the same three columns only, so it is removed "
        "from the rest of these columns, or with rows and columns exchanged."
    ),
    "0302": (
        "In four rows, a digit is possible in the same four columns only, so it is removed from "
        "the rest of these columns, or with rows and columns exchanged."
    ),
    "0703": (
        "The digits alternate along a chain of cells with the same two candidates, so a cell "
        "that sees two of them with different digits can have neither digit."
    ),
    "0610": (
        "All unsolved cells have two candidates, except for one with three. Its extra candidate "
        "must be true, because without it there would be two solutions."
    ),
    "0400": (
        "In each of two rows, a digit has only two places, and one place of each row is in the "
        "same column. Cells that see both other places can’t have the digit. Rows and columns "
        "can be exchanged."
    ),
    "0401": (
        "A digit has only two places in a row and only two in a column, and one place of each "
        "is in the same box. A cell that sees both other places can’t have the digit."
    ),
    "0403": (
        "Two strong links of a digit are joined by a weak link, so one of the two outer ends is "
        "true, and cells that see both can’t have the digit."
    ),
    "0402": (
        "In a box, all places of a digit are in one row and one column. If a column outside the "
        "box has only two places for the digit, one of them in that row, the cell where the row "
        "of the other place crosses the box’s column can’t have the digit. Rows and columns can "
        "be exchanged."
    ),
    "0803": (
        "Two cells with the same two candidates see one end each of a strong link of one "
        "candidate, so one of the cells has the other candidate, and cells that see both can’t "
        "have it."
    ),
    "0800": (
        "A cell with candidates XY sees cells with XZ and YZ, so one of these has Z, and cells "
        "that see both can’t have Z."
    ),
    "0801": (
        "A cell with candidates XYZ sees cells with XZ and YZ, so one of the three has Z, and "
        "cells that see all of them can’t have Z."
    ),
    "0600": (
        "Three corners of a rectangle in two boxes have the same two candidates, so the fourth "
        "corner can have neither of them, or there would be two solutions."
    ),
    "0601": (
        "Two corners of a rectangle in one line have the same single extra candidate. It must "
        "be true in one of them, so cells that see both can’t have it."
    ),
    "0602": (
        "In two corners of a rectangle, one of the extra candidates must be true, so the two "
        "corners act like one cell of a naked subset in their house."
    ),
    "0603": (
        "One of the two digits of a rectangle must be in one of the two corners with extra "
        "candidates, so the other digit is removed from both."
    ),
    "0604": (
        "Two diagonally opposite corners of a rectangle, or three corners, have the same single "
        "extra candidate. It must be true in one of them, so cells that see them all can’t have "
        "it."
    ),
    "0605": (
        "Two opposite corners of a rectangle have extra candidates. If one of its two digits "
        "has no other place in the rectangle’s rows and columns, these corners can’t have this "
        "digit."
    ),
    "0606": (
        "A corner of a rectangle has only the two digits. If, in the row and column of the "
        "opposite corner, one of them is possible only in the rectangle, the opposite corner "
        "can’t have the other one."
    ),
    "0607": (
        "Three corners of a rectangle are solved, but not givens, so the fourth one can’t have "
        "the digit that would allow two solutions."
    ),
    "0608": (
        "Two corners of a rectangle are solved, but not givens, and the other two have the same "
        "extra candidate. It must be true in one of them, so cells that see both can’t have it."
    ),
    "0310": (
        "An X-Wing with additional places, the fins, in one box removes only those of its "
        "candidates that see all fins."
    ),
    "0320": "A finned X-Wing in which a line has only one place without the fins.",
    "0311": (
        "A Swordfish with additional places, the fins, in one box removes only those of its "
        "candidates that see all fins."
    ),
    "0321": "A finned Swordfish in which a line has only one place without the fins.",
    "0312": (
        "A Jellyfish with additional places, the fins, in one box removes only those of its "
        "candidates that see all fins."
    ),
    "0322": "A finned Jellyfish in which a line has only one place without the fins.",
    "1101": (
        "Two or three cells that a line and a box share have at least two candidates too many. "
        "Other cells of the line and of the box use up the surplus, with different digits, so "
        "each digit is removed from the rest of its line or box."
    ),
    "0500": (
        "The places of a digit that strong links connect get two colors alternately, and cells "
        "that see both colors can’t have the digit."
    ),
    "0501": (
        "The places of a digit that strong links connect get two colors alternately, and a "
        "color that occurs twice in a house is false."
    ),
    "0502": (
        "The places of a digit form two separate clusters of two colors each. If a color of one "
        "sees a color of the other, one of the opposite colors is true, and cells that see both "
        "of these can’t have the digit."
    ),
    "0503": (
        "The places of a digit form two separate clusters of two colors each. A color that sees "
        "both colors of the other cluster is false."
    ),
    "0701": (
        "A chain of alternating strong and weak links on one digit shows that one of its ends "
        "is true, so cells that see both ends can’t have the digit."
    ),
    "0702": (
        "A chain of cells with two candidates shows that at least one of its ends has a certain "
        "digit, so cells that see both ends can’t have it."
    ),
    "0706": (
        "Alternating strong and weak links close to a loop, so one end of each weak link is "
        "true, and other candidates that see both ends are removed."
    ),
    "0707": (
        "A chain of links starts and ends in the same cell, which proves or excludes one of its "
        "candidates."
    ),
    "0708": (
        "Alternating strong and weak links show that one of the chain’s two ends is true, which "
        "excludes candidates that see both."
    ),
    "0709": "A continuous loop in which groups of cells or almost locked sets act as links.",
    "0710": "A discontinuous loop in which groups of cells or almost locked sets act as links.",
    "0711": "An AIC in which groups of cells or almost locked sets act as links.",
    "0901": (
        "Two almost locked sets, which have one candidate more than cells, share a digit that "
        "only one of them can have. So another common digit is in one of them, and cells that "
        "see all its places in both can’t have it."
    ),
    "0902": (
        "Two almost locked sets are linked to a third one by different digits. So another digit "
        "that the two have in common is in one of them, and cells that see all its places in "
        "both can’t have it."
    ),
    "0903": (
        "A chain of linked almost locked sets shows that a digit common to the first and the "
        "last set is in one of them, and cells that see all its places in both can’t have it."
    ),
    "0904": (
        "Each candidate of a cell is linked to an almost locked set. A digit that all sets have "
        "in common is in one of them, and cells that see all its places in the sets can’t have "
        "it."
    ),
    "0330": "An X-Wing in which a box takes the place of a line.",
    "0331": "A Swordfish in which boxes take the places of lines.",
    "0332": "A Jellyfish in which boxes take the places of lines.",
    "0340": (
        "A Franken X-Wing with additional places, the fins, removes only those of its "
        "candidates that see all fins."
    ),
    "0341": (
        "A Franken Swordfish with additional places, the fins, removes only those of its "
        "candidates that see all fins."
    ),
    "0342": (
        "A Franken Jellyfish with additional places, the fins, removes only those of its "
        "candidates that see all fins."
    ),
    "1301": "A candidate leads to a contradiction through chains, so it is wrong.",
    "1302": (
        "All candidates of a cell, or all places of a digit in a house, lead to the same result "
        "through chains, so the result is true."
    ),
    "1303": (
        "A candidate leads to a contradiction through a net, in which several results together "
        "can imply another one, so it is wrong."
    ),
    "1304": (
        "All candidates of a cell, or all places of a digit in a house, lead to the same result "
        "through nets of implications, so the result is true."
    ),
    "2000": "A pointing pair or triple that leads to a hidden single right away.",
    "2001": "A claiming pair or triple that leads to a hidden single right away.",
    "2002": "A hidden pair that leads to a hidden single right away.",
    "2003": "A hidden triplet that leads to a hidden single right away.",
    "2010": (
        "A loop of cells with the same two digits would allow two solutions, so the only cell "
        "with extra candidates can’t have these two digits."
    ),
    "2011": (
        "A loop of cells with the same two digits would allow two solutions, so one of its "
        "cells has the extra candidate that two of them share, and cells that see both can’t "
        "have it."
    ),
    "2012": (
        "A loop of cells with the same two digits would allow two solutions, so one of the "
        "extra candidates in two cells is true, and these cells act like one cell of a subset."
    ),
    "2013": (
        "A loop of cells with the same two digits would allow two solutions. One digit is "
        "locked in the two cells with extra candidates, so the other digit is removed from "
        "them."
    ),
    "2020": (
        "All unsolved cells but a few have two candidates, and these few have the same extra "
        "candidate. It must be true in one of them, so cells that see them all can’t have it."
    ),
    "2022": (
        "All unsolved cells but two have two candidates. A digit is locked in these two cells, "
        "so they keep only this digit and their extra candidates."
    ),
    "2021": (
        "All unsolved cells but a few have two candidates. One of the extra candidates must be "
        "true, so the cells that have them act like one cell of a naked subset."
    ),
    "2030": (
        "Some pairs of digits in two cells would leave another cell without candidates, so a "
        "candidate that occurs only in such pairs is removed."
    ),
    "2031": (
        "Some combinations of digits in three cells would leave another cell without "
        "candidates, so a candidate that occurs only in such combinations is removed."
    ),
    "2040": (
        "Links on one digit close to a loop, so its places are alternately true and false, and "
        "cells that see two places next to each other in the loop can’t have the digit."
    ),
    "2041": (
        "A chain of cells with two candidates closes to a loop with only two possible states, and "
        "candidates that conflict with both are removed."
    ),
    "2042": (
        "Links between cells and digits close to a loop with only two possible states, and "
        "candidates that conflict with both are removed."
    ),
    "2043": (
        "A chain of links on one digit leads from an assumption to its opposite, so the "
        "assumption is wrong."
    ),
    "2044": (
        "A chain of links leads from an assumption to its opposite, so the assumption is wrong."
    ),
    "2050": (
        "A candidate leads to a contradiction through joined chains on its own digit alone, so "
        "it is wrong."
    ),
    "2051": (
        "All candidates of a cell lead to the same result through chains, so the result is true."
    ),
    "2052": (
        "All places of a digit in a house lead to the same result through chains, so the result "
        "is true."
    ),
}
# Sudoku Explainer's dynamic chains, by the word after "Dynamic" in their names.
_DYNAMIC = {
    "Contradiction": "A candidate leads to a contradiction through joined chains, so it is wrong",
    "Double": (
        "A candidate leads to the same conclusion through joined chains whether it is true or false"
    ),
    "Cell": "All candidates of a cell lead to the same conclusion through joined chains",
    "Region": "All places of a digit in a house lead to the same conclusion through joined chains",
}


def technique_sentence(code: str, name: str) -> str:
    """Return the description of a technique in one to three sentences, or "" if it has none."""
    if code in _SENTENCES:
        return _SENTENCES[code]
    if code in RULE_MEANINGS:
        meaning = RULE_MEANINGS[code]
        return f"{meaning[0].upper()}{meaning[1:]}"
    for kind, words in _DYNAMIC.items():
        if name.startswith(f"Dynamic {kind}"):
            nested = name.partition("(+")[2].strip(" )")
            inner = nested.lower() if nested else "locked candidates, pairs, and X-Wings"
            return f"{words}, in which {inner} count as links." if "(+" in name else f"{words}."
    return ""
