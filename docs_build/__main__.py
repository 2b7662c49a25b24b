"""Build the documentation site. Usage: python -m docs_build [OUTPUT]; default: web/site."""

import sys
from pathlib import Path

from docs_build.policy import Unexpected
from docs_build.site import ROOT, BuildFailed, build

if __name__ == "__main__":
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "web" / "site"
    try:
        build(output)
    except (BuildFailed, Unexpected) as error:
        sys.exit(f"The documentation wasn't built:\n{error}")
    print(f"The documentation is in {output}")
