"""Ask the oracle's programs about cases, and write each answer beside its case.

`python -m tests.conformance.gitops.record --flux PROGRAM --argocd PROGRAM [--check] FOLDER...`; helm and kustomize have
to be on the PATH.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.conformance.gitops.cases import CASES, Case, all_cases


def main() -> int:
    """Write the answers, or with `--check` name those that are other ones now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flux", required=True)
    parser.add_argument("--argocd", required=True)
    parser.add_argument("--helm", default="helm", help="for --enable-helm of kustomize")
    parser.add_argument("--kustomize", default="kustomize", help="another version, whose answer is kept where it differs")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folders", nargs="*", default=[str(CASES)])
    options = parser.parse_args()
    different = 0
    for case in [case for folder in options.folders for case in all_cases(Path(folder))]:
        text = json.dumps(_asked(case, options), indent=1, ensure_ascii=False) + "\n"
        target = case.folder / "expected.json"
        if not options.check:
            target.write_text(text, "utf-8")
        elif target.read_text("utf-8") != text:
            different += 1
            print(case.name)  # noqa: T201
    return 1 if different else 0


def _asked(case: Case, options: argparse.Namespace) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        root = case.checkout(Path(folder))
        program, *words = case.about["run"]
        command = [os.path.abspath(options.argocd)] if program == "argocd" else [os.path.abspath(options.flux), program]
        command += [options.helm if word == "HELM" else word for word in words] + ["-root", str(root)]
        command += ["-also", options.kustomize] if program == "kustomize" else []
        charts = case.folder / "charts"
        command += ["-charts", str(charts.absolute())] if charts.is_dir() else []
        environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
        ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment)
        if ran.returncode:
            sys.exit(f"{case.name}: {ran.stderr[-2000:]}")
        return _plain(json.loads(ran.stdout), folder)


def _plain(value: Any, folder: str) -> Any:
    """Leave out what differs from run to run: temporary folders, and what errors of the network say."""
    if isinstance(value, dict):
        return {key: _plain(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, folder) for item in value]
    if not isinstance(value, str):
        return value
    for root in (os.path.realpath(folder), folder):
        value = value.replace(f"{root}/repo", ".")
    value = re.sub(r": Get \"http.*", ": <network>", value, flags=re.DOTALL)
    return re.sub(re.escape(tempfile.gettempdir()) + r"/[A-Za-z0-9_./-]+", "<temporary>", value)


if __name__ == "__main__":
    sys.exit(main())
