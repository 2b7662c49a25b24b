"""Choose the one-click buttons on a job's page that run some of its puzzles again.

Each of them has other options than the job.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from worker.job import Job, JobOptions
from worker.settings import Settings

_MORE_GUESSES = 10  # factor by which the limit on guesses is raised


@dataclass(frozen=True, slots=True)
class Preset:
    """A button that runs the puzzles with an outcome again.

    The text of the button is `label` if it runs all of these puzzles, or `short_label` if only some
    of them are selected. `outcome` is "" for puzzles with any outcome. `options` are those of the
    new job. `view` is the view that creates it.
    """

    label: str
    short_label: str
    outcome: str
    options: JobOptions
    view: str = "pages.run_again"


def only_duplicates(options: JobOptions) -> JobOptions:
    """Return options that find duplicates, and leave out everything else that takes time."""
    return replace(
        options,
        minlex=True,
        limit=min(options.limit, 2),
        count_only=False,
        true_candidates=False,
        minimal=False,
        reduce=False,
        rate=False,
        explain=False,
    )


def presets_for(job: Job, settings: Settings, *, has_classic: bool) -> Iterator[Preset]:
    """Yield the presets that fit the outcomes of a job that has ended.

    `has_classic` is whether the job has classic puzzles. Without them, there are no presets that
    rate puzzles or find duplicates.
    """
    options = job.options
    if solved := job.outcomes.get("solved", 0):
        if options.limit == 1 and settings.max_limit > 1:
            label = f"Check {_puzzles(solved, 'solved')} for uniqueness"
            yield Preset(label, "Check for uniqueness", "solved", replace(options, limit=2))
        elif options.limit > 1 and has_classic and not options.rate:
            which = " with one solution" if solved < job.done else ""
            label = f"Rate {_puzzles(solved, '')}{which}"
            yield Preset(label, "Rate these", "solved", replace(options, rate=True))
    if job.done > 1 and has_classic and not options.minlex:
        view = "pages.look_for_duplicates"
        yield Preset("Find duplicates", "Find duplicates", "", only_duplicates(options), view)
    undecided = job.outcomes.get("step_limit", 0)
    guesses = min(max(options.step_limit, 1) * _MORE_GUESSES, settings.max_step_limit)
    if undecided and guesses > options.step_limit:
        label = f"Allow {guesses:,} guesses for {_puzzles(undecided, 'undecided')}"
        raised = replace(options, step_limit=guesses)
        yield Preset(label, f"Raise the limit to {guesses:,} guesses", "step_limit", raised)
    if failed := job.outcomes.get("failed", 0):
        label = f"Try {_puzzles(failed, 'failed')} again"
        yield Preset(label, "Try the failed puzzles again", "failed", options)


def _puzzles(number: int, kind: str) -> str:
    counted = ["the", kind, "puzzle"] if number == 1 else ["the", f"{number:,}", kind, "puzzles"]
    return " ".join(filter(None, counted))
