"""Compile engines before they are used, with a progress bar."""

import time
from collections.abc import Iterable
from concurrent.futures import wait
from functools import partial

import click

from solver.preparing import LABELS, Code, is_kept
from solver.preparing import prepare as compile_code
from web.commands.exits import print_message
from web.commands.interruptible import in_thread
from web.commands.progress_bars import functions_bar

_POLL_SECONDS = 0.2
_FIRST_USE = (
    "Compiling the engines for their first use, which may take a minute or more; "
    "`sudokuq prepare` does this ahead of time."
)


@click.command()
def prepare() -> None:
    """Compile the engines ahead of time, so that later commands start immediately.

    This takes about a minute on a fast, idle machine, and up to 20 on a slow or busy one. It is
    needed once for each version of sudokuq and each type of processor. Without it, each command
    compiles the engines that it needs when they are first used.

    \b
    Example:
      sudokuq prepare
    """
    if not make_ready(Code):
        print_message("All engines are compiled already.")


def make_ready(codes: Iterable[Code]) -> bool:
    """Compile the given units of code, except those in the cache, and show the progress.

    Returns whether any unit was compiled.
    """
    missing = sorted(code for code in codes if not is_kept(code))
    has_compiled = False
    for number, code in enumerate(missing, 1):
        label = f"{LABELS[code]} ({number} of {len(missing)})"
        has_compiled |= _compile(code, label, is_first=not has_compiled)
    return has_compiled


def _compile(code: Code, label: str, *, is_first: bool) -> bool:
    """Compile a unit of code or load it from the cache, and return whether it was compiled.

    Compiling shows a progress bar and messages. If another process is compiling the unit, this
    prints a message, and waits for that process. `is_first` states whether no other unit was
    compiled before.
    """
    # Loading Numba takes most of a second.
    from numba.core import event  # noqa: PLC0415

    with event.install_recorder("numba:compile") as events:
        began = time.monotonic()
        work = in_thread(partial(compile_code, code, on_wait=partial(_report_wait, label)))
        while not events.buffer and not wait((work,), timeout=_POLL_SECONDS).done:
            pass
        if events.buffer:
            if is_first:
                print_message(_FIRST_USE)
            with functions_bar(label) as progress:
                task = progress.add_task("", total=None)
                while not wait((work,), timeout=_POLL_SECONDS).done:
                    # The recorder has two events per function: start and end.
                    progress.update(task, completed=len(events.buffer) // 2)
            print_message(f"Compiled {label} in {time.monotonic() - began:.0f} s.")
    work.result()
    return bool(events.buffer)


def _report_wait(label: str) -> None:
    print_message(f"Waiting for another process that is compiling {label} …")
