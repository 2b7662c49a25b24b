"""Read folders as inputs of commands, like zip archives of their files."""

import tempfile
import zipfile
from pathlib import Path
from typing import IO, Any

import click

from web.commands.exits import fail


def files_in(folder: Path) -> list[Path]:
    """Return the files in a folder and its subfolders, sorted by path, without hidden ones."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def open_folder(folder: Path) -> IO[bytes]:
    """Return a zip archive of the files in a folder, as a temporary file.

    The file is deleted when the command ends. Exits with an error message if the folder contains no
    files.
    """
    files = files_in(folder)
    if not files:
        fail(f"the folder {folder} contains no files")
    archive = tempfile.TemporaryFile()  # noqa: SIM115 (read until the command ends)
    click.get_current_context().call_on_close(archive.close)
    with zipfile.ZipFile(
        archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1, strict_timestamps=False
    ) as written:
        for path in files:
            written.write(path, path.relative_to(folder))
    archive.seek(0)
    return archive


class NamedInput(click.File):
    """An argument that is converted to an opened file and its name.

    The argument is a file, a folder, which becomes a zip archive, or a dash for standard input.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the file, the folder's archive, or standard input, opened, with its name."""
        if value == "-":
            return super().convert(value, param, ctx), "standard input"
        path = Path(value)
        if path.is_dir():
            return open_folder(path), path.absolute().name
        return super().convert(value, param, ctx), path.name
