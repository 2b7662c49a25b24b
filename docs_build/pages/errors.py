"""The problem types, which the service also explains under /errors."""

from docs_build.markdown import code, joined
from web.schemas.problem_types import PROBLEM_TYPES


def write() -> str:
    """Return an entry per problem type."""
    return joined(
        *(
            joined(
                f"## {code(each.name)}",
                f"**{each.title}** · status {each.status} · `type` is {code(each.uri)}",
                each.help,
            )
            for each in PROBLEM_TYPES.values()
        )
    )
