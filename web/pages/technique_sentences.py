"""One sentence per technique, which names the pattern and its consequence."""

_SENTENCES = {
    "0000": "A row, column, or box has one empty cell, which takes the missing digit.",
    "0003": "A cell has one candidate left, because the cells that it sees have all other digits.",
    "0002": "A digit has one possible cell left in a row, column, or box.",
    "3000": "The cells of a cage keep only digits that occur in a combination with the cage’s sum.",
    "3001": (
        "Every row, column, and box sums to 45, which gives the sum of the cells that whole "
        "cages leave over inside."
    ),
    "3002": (
        "Every row, column, and box sums to 45, which gives the sum of the cells by which "
        "cages stick out."
    ),
    "3003": (
        "The sum of 45 gives the difference between the cells left over inside and those that "
        "stick out."
    ),
    "0110": (
        "Two cells that share a line and a box have the same two candidates, which are "
        "removed from the rest of both."
    ),
    "0111": (
        "Three cells that share a line and a box have three candidates, which are removed "
        "from the rest of both."
    ),
    "0100": (
        "In a box, a digit is possible in one line only, so it is removed from the rest of "
        "the line."
    ),
    "0101": (
        "In a line, a digit is possible in one box only, so it is removed from the rest of the box."
    ),
    "0200": (
        "Two cells of a house have the same two candidates, which no other cell of the house "
        "can have."
    ),
    "0201": (
        "Three cells of a house share three candidates, which no other cell of the house can have."
    ),
    "0210": (
        "Two digits are possible in the same two cells of a house only, so these cells have "
        "no other candidates."
    ),
    "0211": (
        "Three digits are possible in the same three cells of a house only, so these cells "
        "have no other candidates."
    ),
    "0202": (
        "Four cells of a house share four candidates, which no other cell of the house can have."
    ),
    "0212": (
        "Four digits are possible in the same four cells of a house only, so these cells have "
        "no other candidates."
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
        "In four rows, a digit is possible in the same four columns only, so it is removed "
        "from the rest of these columns, or with rows and columns exchanged."
    ),
    "0703": (
        "A chain of cells with the same two candidates has opposite digits at its ends, so "
        "cells that see both ends can have neither."
    ),
    "0610": (
        "All unsolved cells but one have two candidates, and the extra candidate must be "
        "true, because without it there would be two solutions."
    ),
    "0400": (
        "In two rows, a digit has two places each, and one of them is in the same column, so "
        "cells that see both other places can’t have the digit."
    ),
    "0401": (
        "A row and a column with two places each for a digit meet in a box, so cells that see "
        "both other ends can’t have the digit."
    ),
    "0403": (
        "A chain of four places of one digit shows that one of its ends is true, so cells "
        "that see both ends can’t have the digit."
    ),
    "0402": (
        "The places of a digit in a box form a cross, which together with two places in a "
        "line outside it excludes the digit from a cell."
    ),
    "0803": (
        "Two cells with the same two candidates are linked by a line with two places for one "
        "of them, so the other one is true in one of the cells."
    ),
    "0800": (
        "A cell with candidates XY sees cells with XZ and YZ, so one of these has Z, and "
        "cells that see both can’t."
    ),
    "0801": (
        "A cell with candidates XYZ sees cells with XZ and YZ, so one of the three has Z, and "
        "cells that see all of them can’t."
    ),
    "0600": (
        "Three corners of a rectangle in two boxes have the same two candidates, so the "
        "fourth corner can have neither of them, or there would be two solutions."
    ),
    "0601": (
        "Two corners of a rectangle have the same extra candidate, which must be true in one "
        "of them, or there would be two solutions."
    ),
    "0602": (
        "The extra candidates in two corners of a rectangle form a subset with other cells, "
        "or there would be two solutions."
    ),
    "0603": (
        "One of the two digits of a rectangle must be in two of its corners, so the other "
        "digit is removed from them."
    ),
    "0604": (
        "Two or three corners of a rectangle, two of them diagonally opposite, have the same "
        "extra candidate, which must be true in one of them."
    ),
    "0605": (
        "One of a rectangle’s digits can’t be in two opposite corners, or there would be two "
        "solutions."
    ),
    "0606": (
        "A corner of a rectangle must not have a digit that would force the same two digits "
        "into all corners."
    ),
    "0607": (
        "Three solved corners of a rectangle without givens exclude the digit in the fourth "
        "one that would allow two solutions."
    ),
    "0608": (
        "Two solved corners of a rectangle without givens leave an extra candidate in the "
        "other two, one of which must have it."
    ),
    "0310": (
        "An X-Wing with additional places, the fins, in one box excludes the digit only from "
        "cells that see all fins."
    ),
    "0320": "A finned X-Wing in which a corner is missing, so that its box has only fins.",
    "0311": (
        "A Swordfish with additional places, the fins, in one box excludes the digit only "
        "from cells that see all fins."
    ),
    "0321": "A finned Swordfish in which a line has only one place without the fins.",
    "0312": (
        "A Jellyfish with additional places, the fins, in one box excludes the digit only "
        "from cells that see all fins."
    ),
    "0322": "A finned Jellyfish in which a line has only one place without the fins.",
    "1101": (
        "The cells in which a line and a box meet form locked sets with cells in both, which "
        "use up their candidates there."
    ),
    "0500": (
        "Pairs of places of a digit are colored alternately, and cells that see both colors "
        "can’t have the digit."
    ),
    "0501": (
        "Pairs of places of a digit are colored alternately, and a color that occurs twice in "
        "a house is wrong."
    ),
    "0502": (
        "Two separate colorings of a digit touch, so one of two colors is true, and cells "
        "that see both can’t have the digit."
    ),
    "0503": (
        "Two separate colorings of a digit touch so that one color would exclude both colors "
        "of the other one, so it is wrong."
    ),
    "0701": (
        "A chain of one digit shows that one of its ends is true, so cells that see both ends "
        "can’t have the digit."
    ),
    "0702": (
        "A chain of cells with two candidates shows that one of its ends has a digit, so "
        "cells that see both ends can’t have it."
    ),
    "0706": (
        "A chain of strong and weak links closes to a loop, so in each weak link one of two "
        "candidates is true."
    ),
    "0707": (
        "A chain of links starts and ends in the same cell, which proves or excludes one of "
        "its candidates."
    ),
    "0708": (
        "Alternating strong and weak links show that one of the chain’s two ends is true, "
        "which excludes candidates that see both."
    ),
    "0709": "A continuous loop in which several cells of a house act as one link.",
    "0710": "A discontinuous loop in which several cells of a house act as one link.",
    "0711": "An AIC in which several cells of a house act as one link.",
    "0901": (
        "Two groups of cells with one candidate too many share a digit that only one can "
        "have, so another common digit must be in one of them."
    ),
    "0902": (
        "Three groups of cells with one candidate too many are linked in a row, so a digit "
        "common to the first and the last must be in one of them."
    ),
    "0903": (
        "A chain of groups of cells with one candidate too many, so a digit common to the "
        "first and the last must be in one of them."
    ),
    "0904": (
        "Each candidate of a cell is linked to a group of cells with one candidate too many, "
        "and a digit common to all groups is in one of them."
    ),
    "0330": "An X-Wing in which a box takes the place of a line.",
    "0331": "A Swordfish in which boxes take the places of lines.",
    "0332": "A Jellyfish in which boxes take the places of lines.",
    "0340": (
        "A Franken X-Wing with additional places, the fins, which exclude the digit only from "
        "cells that see all fins."
    ),
    "0341": (
        "A Franken Swordfish with additional places, the fins, which exclude the digit only "
        "from cells that see all fins."
    ),
    "0342": (
        "A Franken Jellyfish with additional places, the fins, which exclude the digit only "
        "from cells that see all fins."
    ),
    "1301": "A candidate leads to a contradiction through chains, so it is wrong.",
    "1302": (
        "All candidates of a cell, or all places of a digit, lead to the same result through "
        "chains, so the result is true."
    ),
    "1303": (
        "A candidate leads to a contradiction through a net of implications that can join, so "
        "it is wrong."
    ),
    "1304": (
        "All candidates of a cell, or all places of a digit, lead to the same result through "
        "nets of implications, so the result is true."
    ),
    "2000": "A pointing pair or triple that leads to a hidden single right away.",
    "2001": "A claiming pair or triple that leads to a hidden single right away.",
    "2002": "A hidden pair that leads to a hidden single right away.",
    "2003": "A hidden triplet that leads to a hidden single right away.",
    "2010": (
        "A loop of cells would allow two solutions, unless its only cell with extra "
        "candidates has one of them."
    ),
    "2011": (
        "A loop of cells would allow two solutions, unless one of two cells has the extra "
        "candidate that both share."
    ),
    "2012": (
        "A loop of cells would allow two solutions, so the extra candidates in two of them "
        "form a subset with other cells."
    ),
    "2013": (
        "A loop of cells would allow two solutions, so one of its digits is locked in two of "
        "them, and the other one is removed."
    ),
    "2020": (
        "All unsolved cells but a few have two candidates, and these few share one extra "
        "candidate, which must be true in one of them."
    ),
    "2022": (
        "All unsolved cells but two have two candidates, and a digit locked in the two "
        "removes the other candidates."
    ),
    "2021": (
        "All unsolved cells but two have two candidates, and the extra candidates of the two "
        "form a subset with other cells."
    ),
    "2030": (
        "Two cells can’t have a pair of digits that another cell needs, which can exclude a "
        "candidate completely."
    ),
    "2031": (
        "Three cells can’t have a triplet of digits that other cells need, which can exclude "
        "a candidate completely."
    ),
    "2040": (
        "A chain of one digit that closes to a loop can be read in both directions, and "
        "excludes the digit next to it."
    ),
    "2041": (
        "A chain of cells with two candidates that closes to a loop can be read in both "
        "directions, and excludes digits next to it."
    ),
    "2042": (
        "A chain of links that closes to a loop can be read in both directions, and excludes "
        "candidates next to it."
    ),
    "2043": "A chain of one digit proves that a candidate is true or false.",
    "2044": "A chain of links proves that a candidate is true or false.",
    "2050": "A candidate leads to a contradiction through chains, so it is wrong.",
    "2051": "All candidates of a cell lead to the same result through chains.",
    "2052": "All places of a digit in a house lead to the same result through chains.",
}
# Sudoku Explainer's dynamic chains, by the word after "Dynamic" in their names.
_DYNAMIC = {
    "Contradiction": "A candidate leads to a contradiction through joined chains, so it is wrong",
    "Double": (
        "A candidate leads to the same result through joined chains whether it is true or false"
    ),
    "Cell": "All candidates of a cell lead to the same result through joined chains",
    "Region": "All places of a digit in a house lead to the same result through joined chains",
}


def technique_sentence(code: str, name: str) -> str:
    """Return a sentence that describes a technique, or "" without one."""
    if code in _SENTENCES:
        return _SENTENCES[code]
    for kind, words in _DYNAMIC.items():
        if name.startswith(f"Dynamic {kind}"):
            nested = name.partition("(+")[2].strip(" )")
            inner = nested.lower() if nested else "locked candidates, subsets, and fish"
            return f"{words}, in which {inner} count as links." if "(+" in name else f"{words}."
    return ""
