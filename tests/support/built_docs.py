"""The documentation site, built once per test process."""

from pathlib import Path

import pytest

from docs_build.site import build


@pytest.fixture(scope="session")
def built_docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, which fails on any warning, and return its folder."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    build(folder)
    return folder
