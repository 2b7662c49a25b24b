"""Convert the table of techniques to the API's schema."""

from solver.logic.examples import EXAMPLES
from solver.logic.sudoku_explainer.techniques import TABLE
from solver.logic.technique_table import TECHNIQUES
from web.schemas import responses


def techniques_json() -> responses.Techniques:
    """Return two lists of techniques: in solving order, and those that only Sudoku Explainer has.

    The first list contains HoDoKu's techniques and the project's own ones for sums, with the codes
    3000–3003. The second list is sorted by rating.
    """
    hodoku = [
        responses.Technique(
            code=entry.code,
            name=entry.name,
            other_names=entry.aliases,
            score=entry.score,
            level=entry.level.name.lower(),
            rating=entry.rating,
            usual=entry.enabled_by_default,
            example=EXAMPLES.get(entry.code),
        )
        for entry in TECHNIQUES.values()
    ]
    explainer = [
        responses.Technique(
            code=f"{code:04}",
            name=rated.name,
            other_names=(),
            score=None,
            level=None,
            rating=rated.rating,
            usual=True,
            example=EXAMPLES.get(f"{code:04}"),
        )
        for code, rated in sorted(TABLE.items(), key=lambda entry: entry[1].rating)
        if f"{code:04}" not in TECHNIQUES
    ]
    return responses.Techniques(hodoku, explainer)
