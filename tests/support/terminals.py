"""Run commands in a real pseudo-terminal, with the test as the user."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import IO

SUDOKUQ = [sys.executable, "-m", "web.commands.cli"]
CTRL_C = b"\x03"
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def use_default_signals() -> None:
    """Make Ctrl-C work even if the tests run as a background job of a shell, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A sudokuq command that runs in a pseudo-terminal.

    The terminal is its stdin and stderr, and its stdout unless `output` is given. It has 40 rows
    and 120 columns. `more` are environment variables. `raw` is the output that has been read.
    """

    def __init__(self, *arguments: str, output: IO[bytes] | None = None, **more: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.raw = ""
        self.process = subprocess.Popen(
            [*SUDOKUQ, *arguments],
            env=os.environ | {"TERM": "xterm-256color", "PYTHONWARNINGS": ""} | more,
            stdin=slave, stdout=slave if output is None else output, stderr=slave,
            start_new_session=True, preexec_fn=self._take_terminal,  # noqa: PLW1509
        )  # fmt: skip
        os.close(slave)

    @staticmethod
    def _take_terminal() -> None:
        use_default_signals()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read_until(self, text: str, *, seconds: float = 300.0) -> None:
        """Read the output until it contains `text`.

        Fails after `seconds`, or if the output ends before that.
        """
        deadline = time.monotonic() + seconds
        while text not in self.raw:
            assert time.monotonic() < deadline, self.raw
            piece = self._read()
            assert piece, self.raw
            self.raw += piece

    def press(self, keys: bytes) -> None:
        """Send keystrokes to the command."""
        os.write(self._master, keys)

    def end(self) -> int:
        """Read the output until the command ends, and return its exit code."""
        while piece := self._read():
            self.raw += piece
        os.close(self._master)
        return self.process.wait(60)

    @property
    def text(self) -> str:
        """The output read so far, without control sequences and with plain line breaks."""
        return _CONTROL.sub("", self.raw).replace("\r\n", "\n")

    def _read(self) -> str:
        try:
            return os.read(self._master, 1 << 16).decode(errors="replace")
        except OSError:  # the last process on the terminal has ended
            return ""


def session_of(pid: int) -> list[int]:
    """Return the ids of the live processes in the session of the process `pid`, which started it.

    Zombies don't count.
    """
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:  # the process has ended
            continue
        if int(session) == pid and state != "Z":
            found.append(int(entry.name))
    return found
