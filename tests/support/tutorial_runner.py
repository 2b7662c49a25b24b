"""Runs the commands and Python examples of a documentation page, and compares the output.

Console blocks (```console) contain commands after `$ `, each followed by its output. A command
continues after a backslash at the end of a line, and up to the end of a here-document. Python
blocks (```pycon) contain a session with `>>> ` prompts. All blocks of a page run in order, in one
shell and one interpreter. Python follows the shell to other folders.

In expected output, `…` matches any text within a line, a line with only `…` matches any number of
lines, and job ids match each other. A block after `<!-- not run -->` is skipped.
"""

import code
import contextlib
import io
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

DOCUMENTED_URL = "http://127.0.0.1:8000"
_BLOCK = re.compile(r"(<!-- not run -->\n+)?^```(console|pycon)\n(.*?)^```$", re.M | re.S)
_HERE_DOCUMENT = re.compile(r"<<'(\w+)'")
_JOB_ID = re.compile(r"\b[\w-]{22}\b(?<!\.)")
_END = "the command ended in the folder "

Step = tuple[str, str, str]  # "console" or "pycon", input, expected output


def steps_of(page: Path) -> list[Step]:
    """Return the commands and Python statements of a page with their expected output.

    Skipped blocks are left out.
    """
    steps: list[Step] = []
    for skipped, kind, text in _BLOCK.findall(page.read_text("utf-8")):
        if not skipped:
            split = _commands if kind == "console" else _statements
            steps += [(kind, source, output) for source, output in split(text.splitlines())]
    return steps


def _commands(lines: list[str]) -> Iterator[tuple[str, str]]:
    queue = list(lines)
    while queue:
        line = queue.pop(0)
        assert line.startswith("$ "), f"expected a command after '$ ', got {line!r}"
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(queue.pop(0))
        if end := _HERE_DOCUMENT.search(command[-1]):
            while command[-1] != end[1]:
                command.append(queue.pop(0))
        yield "\n".join(command), _output(queue, prompt="$ ")


def _statements(lines: list[str]) -> Iterator[tuple[str, str]]:
    queue = list(lines)
    while queue:
        line = queue.pop(0)
        assert line.startswith(">>> "), f"expected a statement after '>>> ', got {line!r}"
        statement = [line[4:]]
        while queue and queue[0].startswith("..."):
            statement.append(queue.pop(0)[4:])
        yield "\n".join(statement), _output(queue, prompt=">>> ")


def _output(queue: list[str], *, prompt: str) -> str:
    output = []
    while queue and not queue[0].startswith(prompt):
        output.append(queue.pop(0))
    return "\n".join(output)


def run_page(page: Path, folder: Path, *, url: str = DOCUMENTED_URL) -> None:
    """Run all steps of a page in `folder`, and fail on the first output that differs.

    Commands run in bash, with stderr in their output, and use the service at `url`.
    The page's URL of the service is replaced with `url`, and the other way round in the output.
    """
    environment = os.environ | {"SUDOKUQ_URL": url, "COLUMNS": "100"}
    shell = subprocess.Popen(
        ["bash"], cwd=folder, env=environment, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    interpreter = code.InteractiveInterpreter({"__name__": "__console__"})
    with shell, contextlib.chdir(folder):
        for kind, source, expected in steps_of(page):
            text = source.replace(DOCUMENTED_URL, url)
            found = _in_shell(shell, text) if kind == "console" else _in_python(interpreter, text)
            found = found.replace(url, DOCUMENTED_URL)
            assert matches(expected, found), (
                f"{page.name}: {source}\n\nexpected:\n{expected}\n\nfound:\n{found}"
            )


def _in_shell(shell: subprocess.Popen[str], command: str) -> str:
    """Return the output of a command, without line breaks at its end.

    Changes to the shell's folder, because the command may have been `cd`.
    """
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(f"{command}\nprintf '\\n{_END}'; pwd\n")
    shell.stdin.flush()
    lines: list[str] = []
    for line in shell.stdout:
        if line.startswith(_END):
            os.chdir(line.removeprefix(_END).rstrip("\n"))
            break
        lines.append(line)
    return "".join(lines).removesuffix("\n").rstrip("\n")


def _in_python(interpreter: code.InteractiveInterpreter, statement: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        is_incomplete = interpreter.runsource(f"{statement}\n")
    assert not is_incomplete, f"incomplete statement: {statement}"
    return output.getvalue().rstrip("\n")


def matches(expected: str, found: str) -> bool:
    """Return whether output is as expected, with the marks that the module describes.

    Line breaks at the end of `expected` don't count.
    """
    pattern = re.escape(_JOB_ID.sub("JOB-ID", expected.rstrip("\n")))
    pattern = re.sub(r"(?m)^…\\?\n", lambda _: r"(?:.*\n)*", pattern)
    pattern = re.sub(r"\\?\n…$", lambda _: r"(?:\n.*)*", pattern)
    pattern = pattern.replace("…", ".*")
    return re.fullmatch(pattern, _JOB_ID.sub("JOB-ID", found)) is not None
