"""End commands: exit codes, messages, and output pipes that are closed early."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Never

import click

SOME_NOT_SOLVED = 1
BAD_USAGE = 2
# The codes that shells report for SIGINT and SIGPIPE.
INTERRUPTED = 130
PIPE_CLOSED = 141
# The result formats that aren't text, with their names.
_BINARY = {"xlsx": "an Excel", "parquet": "a Parquet"}


def print_message(message: str) -> None:
    """Print a message to standard error, ignoring write errors."""
    with suppress(OSError):  # such as a full disk: the results matter more
        click.echo(message, err=True)


def fail(message: str) -> Never:
    """Exit with a message on standard error and the exit code for bad usage."""
    print_message(f"sudokuq: {message}")
    raise SystemExit(BAD_USAGE)


def output() -> IO[bytes]:
    """Return standard output as a binary file. Exit with a message if it is closed."""
    if sys.stdout is None:
        fail("standard output is closed")
    return sys.stdout.buffer


def check_output(output_format: str | None) -> None:
    """Exit with a message if the command would write a binary file to a terminal."""
    title = _BINARY.get(output_format or "")
    if title is not None and sys.stdout is not None and sys.stdout.isatty():
        fail(
            f"--output {output_format} writes {title} file, which a terminal can't show; redirect "
            f"the output with > results.{output_format}"
        )


@contextmanager
def ending_well() -> Iterator[None]:
    """Exit without a traceback on Ctrl-C, a closed pipe, or another OSError inside the block.

    Each of these three events has its own exit code. Also flushes standard output.
    """
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        _drop_output()
        # With compiled code loaded, the garbage collections of a normal exit take over a second.
        gc.freeze()
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(PIPE_CLOSED) from None
    except OSError as error:
        _drop_output()
        place = error.filename or "reading or writing failed"
        fail(f"{place}: {error.strerror or error}")


def _drop_output() -> None:
    """Redirect standard output to the null device, so that the final flush can't fail."""
    with suppress(OSError, AttributeError, ValueError):  # no real file, as in tests
        descriptor = sys.stdout.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)
