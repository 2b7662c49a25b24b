"""Programs from the npm registry accept the OpenAPI document, and the TypeScript client works.

`make test-clients` runs these tests. They need Node.js with npm, which installs the programs.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from notified import ALLOWED
from paths import ROOT
from running import running_on

from web.api.openapi import describe
from worker.settings import Settings

pytestmark = pytest.mark.npm

CLIENT = ROOT / "clients" / "typescript"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def run(folder: Path, *command: str, **environment: str) -> None:
    """Run a command in a folder. Fails with its output if the command does."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | QUIET | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def documented_programs() -> list[str]:
    """Return the programs in the documentation. A block without imports continues the last one."""
    text = (ROOT / "docs" / "how-to" / "typescript.md").read_text("utf-8")
    programs: list[str] = []
    for block in re.findall(r"^```typescript\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if block.startswith("import"):
            programs.append(block)
        else:
            programs[-1] += block
    return programs


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the client's folder with the installed programs and the document.

    Its tests include the programs in the documentation, which are only compiled.
    """
    folder = tmp_path_factory.mktemp("npm") / "typescript"
    shutil.copytree(CLIENT, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    run(
        folder, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"
    )
    (folder / "openapi.json").write_text(json.dumps(describe(Settings())))
    for number, program in enumerate(documented_programs()):
        (folder / "test" / f"documented{number}.ts").write_text(program)
    return folder


def test_redocly_reports_no_errors_or_warnings(client: Path) -> None:
    run(client, "npm", "run", "lint")


def test_the_types_in_the_repository_are_those_of_the_document(client: Path) -> None:
    run(client, "npm", "run", "generate")
    current = (client / "src" / "schema.ts").read_text()
    assert current == (CLIENT / "src" / "schema.ts").read_text(), "run `make clients`"


@pytest.mark.redis
def test_client_and_generated_types_work_with_a_live_service(
    client: Path, redis_url: str, tmp_path: Path
) -> None:
    run(client, "npm", "run", "build")
    with running_on(redis_url, tmp_path, **ALLOWED) as service:
        run(client, "npm", "test", SUDOKUQ_URL=service.url)
