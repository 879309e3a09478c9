"""Asks a program of `tools/oracle/` all recorded questions of a kind again, and says which answers differ from the record.

    python -m tests.conformance.reask KIND --program PROGRAM [--root FOLDER] [--repeat N] [--write FOLDER] [NAME ...]

KIND is schedule, devices, disrupt, aws-types, aws-launch, aws-userdata, validate or validate-azure; a program judges the
objects of one provider, and that for devices is `schedule` built for 1.15. With NAMEs only the files of these names are asked.
--root is the record, that of 1.14 if not given: the folder 1.15 in what `python -m tests.recorded unpack` writes is that of
1.15.
--write puts the questions with their new answers into a folder, in the form of the record. Exit code 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conformance.judges import devices
from tests.conformance.score import cases_of, files_of
from tests.recorded import VECTORS

Answered = Iterator[tuple[Path, Any]]
ASKED = ("name", "object", "old", "caBundle", "now", "nodes", "settings")
ENVIRONMENT = {**os.environ, "CUTLIST_VECTORS": str(VECTORS)}


def scenarios(program: Path, files: Sequence[Path], folder: Path, repeat: int) -> Answered:
    """Return the new answers to scenarios, which the program writes beside them."""
    copies = [Path(shutil.copy(file, folder)) for file in files]
    for types in {file.parent / "types" for file in files}:
        if types.is_dir():  # lists of instance types that only these scenarios name
            shutil.copytree(types, folder / "types", dirs_exist_ok=True)
    run = subprocess.run(
        [program, "-write", f"-repeat={repeat}", *copies], capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    sys.stderr.write(run.stderr)
    for file, copy in zip(files, copies, strict=True):
        answer = copy.with_name(f"{copy.stem}.answer.json")
        yield file, json.loads(answer.read_text()) if answer.is_file() else None


def aws_cases(program: Path, files: Sequence[Path], folder: Path, repeat: int) -> Answered:
    """Return the new answers to files of cases, as whole files."""
    records = VECTORS / "aws" / "ec2-us-west-2.json.gz"
    for file in files:
        run = subprocess.run(
            [program, "-catalogue", records, "-repeat", str(repeat), file], capture_output=True, text=True, check=True
        )
        (folder / file.name).write_text(run.stdout)
        yield file, {case["name"]: case["expected"] for case in json.loads(run.stdout)["cases"]}


def objects(program: Path, files: Sequence[Path], folder: Path, _repeat: int) -> Answered:
    """Return the new verdicts on objects."""
    for file in files:
        cases = json.loads(file.read_text())
        asked = [
            {k: case[k] for k in ("name", "object", "old", "caBundle", "now", "nodes", "settings") if k in case}
            for case in cases
        ]
        lines = "\n".join(map(json.dumps, asked))
        run = subprocess.run([program, "-jsonl"], input=lines, capture_output=True, text=True, check=True)
        answers = {row["name"]: row for row in map(json.loads, run.stdout.splitlines())}
        (folder / file.name).write_text(json.dumps([{**case, **answers[case["name"]]} for case in cases], indent=1))
        yield file, answers


ASK: dict[str, Callable[[Path, Sequence[Path], Path, int], Answered]] = {
    "schedule": scenarios,
    "devices": scenarios,
    "disrupt": scenarios,
    "aws-types": aws_cases,
    "aws-launch": aws_cases,
    "aws-userdata": aws_cases,
    "validate": objects,
    "validate-azure": objects,
}
JUDGED = {"validate-azure": "validate"}
PROVIDERS = {"validate": "aws", "validate-azure": "azure"}
"""Whose objects a program judges: a file has those of one provider."""
UNRELEASED = "next"
"""Answers of a CRD that no release has: the programs hold released ones."""


def questions(kind: str, root: Path) -> list[Path]:
    """Return the recorded files that a program of this kind can answer."""
    if kind == "devices":
        return sorted(file for file in root.glob("devices/*.json") if file.with_suffix(".answer.json").is_file())
    if kind not in PROVIDERS:
        return files_of(kind, root)
    judged = [file for file in files_of("validate", root) if file.stem != UNRELEASED]
    return [file for file in judged if json.loads(file.read_text())[0]["provider"] == PROVIDERS[kind]]


def judged(kind: str, file: Path, answer: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the cases of a file, with what sets each new answer apart from the recorded one."""
    if kind != "devices":
        yield from cases_of(JUDGED.get(kind, kind), file, answer)
    elif answer is None:
        yield file.name, ["no answer"]
    else:
        asked, recorded = (json.loads(f.read_text()) for f in (file, file.with_suffix(".answer.json")))
        yield file.name, devices.compare(asked, recorded, answer)


def main(arguments: Sequence[str]) -> int:
    """Print a line for each answer that differs, and how many were asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=ASK)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--root", type=Path, default=VECTORS)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", type=Path)
    options = parser.parse_intermixed_args(arguments)
    files = [file for file in questions(options.kind, options.root) if not options.names or file.stem in options.names]
    unknown = sorted(set(options.names) - {file.stem for file in files})
    if unknown:
        parser.error(f"no recorded file of kind {options.kind} is called {', '.join(unknown)}")
    if not os.access(options.program, os.X_OK) or options.program.is_dir():
        parser.error(f"--program {options.program} is not a program; tools/oracle/README.md says how to build one")
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
    cases = different = 0
    with TemporaryDirectory() as scratch:
        for file, answer in ASK[options.kind](options.program.resolve(), files, options.write or Path(scratch), options.repeat):
            for name, differences in judged(options.kind, file, answer):
                cases += 1
                if differences:
                    different += 1
                    sys.stdout.write(f"{file.name} {name}: {differences[0]}\n")
    sys.stdout.write(f"{cases} asked, {different} answered differently\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
