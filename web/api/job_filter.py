"""Select jobs of a list by their state, title, and metadata, as in the query of a request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask import request

from solver.board.closest import unknown
from web.http.errors import Problem, raise_if_rejected
from web.uploads.fields import joined
from worker.job import Job, JobState
from worker.job_details import pair_name, parse_metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Selects jobs by state, by a part of their title in any case, and by values of metadata keys.

    `name` is a part of the title. An empty member selects all jobs. With several states, a job must
    have one of them. With several metadata keys, all of them must have the given values.
    """

    states: tuple[JobState, ...] = ()
    name: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def selects_all(self) -> bool:
        """Whether there is nothing to filter by."""
        return not (self.states or self.name or self.metadata)

    def matches(self, job: Job, title: Callable[[Job], str]) -> bool:
        """Return whether the filter selects a job, whose title `title` returns."""
        return (
            (not self.states or job.state in self.states)
            and self.metadata.items() <= job.metadata.items()
            and (not self.name or self.name.casefold() in title(job).casefold())
        )

    def query(self) -> dict[str, str]:
        """Return the query parameters of this filter."""
        pairs = {pair_name(key): value for key, value in self.metadata.items()}
        named = {"state": ",".join(self.states), "name": self.name}
        return {name: value for name, value in named.items() if value} | pairs


def read_job_filter() -> JobFilter:
    """Return the filter in the current request's query. Raises Problem if it is invalid."""
    fields = joined(request.args.items(multi=True))
    states = [part for part in fields.get("state", "").split(",") if part]
    for state in states:
        if state not in list(JobState):
            raise Problem(422, unknown("state", state, list(JobState)), field="state")
    return JobFilter(
        states=tuple(map(JobState, states)),
        name=fields.get("name", ""),
        metadata=raise_if_rejected(parse_metadata(fields)),
    )
