"""The name of a job whose puzzles are generated, if its creator chose none."""

from solver.board.bounds import Bounds
from solver.board.symbols import Symbols
from solver.generation.difficulty_words import ALL_WORDS
from solver.generation.request import GenerationRequest, PuzzleRequest
from solver.logic.rating.difficulty import WORDS
from solver.rules.registry import RULES
from web.boards.renderers.registry import describe_rules


def generation_name(request: GenerationRequest) -> str:
    """Return a name that says which puzzles a request makes, such as "20 hard 9×9 puzzles".

    Properties in which the parts of the request differ are left out.
    """
    boards = {f"{part.layout.rows}×{part.layout.columns}" for part in request.parts}
    words = {_words(part) for part in request.parts}
    rules = {_rules(part) for part in request.parts}
    ratings = {_rating(part) for part in request.parts}
    kind = [*words, *boards] if len(words) == len(boards) == 1 else ["new"]
    puzzles = "puzzle" if request.count == 1 else "puzzles"
    title = f"{request.count:,} {' '.join(kind)} {puzzles}"
    details = [each.pop() for each in (rules, ratings) if len(each) == 1]
    return ", ".join(filter(None, [title, *details]))


def _words(part: PuzzleRequest) -> str:
    """Return the difficulty words of the puzzles, or "new" if every difficulty is permitted."""
    if part.words == ALL_WORDS:
        return "new"
    return " or ".join(word for word in WORDS if word in part.words)


def _rules(part: PuzzleRequest) -> str:
    """Return the names of the rules beyond rows, columns, and boxes, separated by commas."""
    titles = [text.title for text in describe_rules(part.layout, Symbols.usual(part.layout.size))]
    random = () if part.random is None else part.random.constraints
    titles += [RULES[each.rule].title for each in random]
    return ", ".join(dict.fromkeys(titles))


def _rating(part: PuzzleRequest) -> str:
    """Return the permitted ratings, such as "rated 3 to 4", or "".

    It is "" if all ratings are permitted, or if difficulty words limit them.
    """
    if part.words != ALL_WORDS or part.rating == Bounds():
        return ""
    least, most = part.rating.least, part.rating.most
    if least == most:
        return f"rated {least:g}"
    if least is None:
        return f"rated up to {most:g}"
    return f"rated {least:g} to {most:g}" if most is not None else f"rated {least:g} or more"
