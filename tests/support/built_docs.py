"""The documentation site, built once per test process."""

from pathlib import Path

import pytest

from docs_build.site import build


@pytest.fixture(scope="session")
def built_docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, and return its folder, a temporary one.

    A warning of the build is an error.
    """
    folder = tmp_path_factory.mktemp("docs") / "site"
    build(folder)
    return folder
