"""The command that connects the f-puzzles editor to the engines on this machine."""

import asyncio
import logging
import os
import re

import click

from solver.preparing import Code, prepare
from web.commands.exits import fail, print_message
from web.commands.interruptible import in_thread
from web.commands.option_types import WholeNumber
from web.commands.prepare import make_ready

_PORT = 4545  # to which the userscript connects
# The userscript runs on no other site.
_ORIGINS = ("https://f-puzzles.com", "https://www.f-puzzles.com")
_ORIGIN = re.compile(r"https?://[^/?#\s]+")
_CODES = (Code.CLASSIC, Code.GENERAL, Code.LOGIC)


def _check_origins(
    context: click.Context, parameter: click.Parameter, origins: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the origins, or fail with a message if one isn't an origin (a click callback)."""
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            detail = f"{origin!r} isn't an origin; expected one such as https://f-puzzles.com"
            raise click.BadParameter(detail, context, parameter)
    return origins


@click.command()
@click.option(
    "--port",
    type=WholeNumber(0, 65_535),
    metavar="PORT",
    default=_PORT,
    show_default=True,
    help="Port to listen on. The userscript uses the default. 0 picks a free port.",
)
@click.option(
    "--origin",
    "origins",
    metavar="URL",
    multiple=True,
    default=_ORIGINS,
    show_default=", ".join(_ORIGINS),
    callback=_check_origins,
    help="Origin of a web page that may connect. Replaces the default. Can be repeated.",
)
def bridge(port: int, origins: tuple[str, ...]) -> None:
    """Connect the setters' editor f-puzzles.com to the engines on this machine.

    The userscript Fpuzzles-SudokuSolver adds a Connect button to the editor. This command takes the
    place of the program that the script was made for. It listens on this machine only, and refuses
    web pages of other sites. Ctrl-C stops it.

    \b
    Example:
      sudokuq bridge
    """
    # Loading the engines takes seconds, and the help doesn't need them.
    from web.bridge.server import open_sockets, run_bridge  # noqa: PLC0415

    logging.basicConfig(format="%(message)s")
    try:
        sockets = open_sockets(port)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        fail(f"can't listen on port {port} ({reason}); is another solver running?")
    make_ready(_CODES)
    in_thread(_load)
    number = sockets[0].getsockname()[1]
    print_message(f"Listening on ws://localhost:{number} for {', '.join(origins)}")
    asyncio.run(run_bridge(sockets, origins=origins))


def _load() -> None:
    """Load the compiled code, so that the first request doesn't wait for it."""
    for code in _CODES:
        prepare(code)
