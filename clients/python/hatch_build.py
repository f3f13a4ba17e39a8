"""Generates quarry.generated from the OpenAPI document whenever the package is built."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DOCUMENT = "../../libs/client/src/generated/openapi.json"
CONFIG = "openapi-python-client.yaml"


class CustomBuildHook(BuildHookInterface[Any]):
    """Runs the generator. A source distribution has no document, because it contains the generated code."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        document = root / DOCUMENT
        output = root / "src/quarry/generated"
        if not document.exists() and output.exists():
            return
        paths = [f"--path={document}", f"--config={root / CONFIG}", f"--output-path={output}"]
        subprocess.run(
            [sys.executable, "-m", "openapi_python_client", "generate", *paths, "--meta=none", "--overwrite"],
            check=True,
        )
