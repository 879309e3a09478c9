"""Readers as jobs: each is tried in its own process, whose growth is that of its mutants alone."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from typing import NamedTuple

from tests.fuzz.readers import READERS, Tally, run


class Mutants(NamedTuple):
    """The mutants of a reader, from a number on."""

    reader: int
    first: int
    count: int


def tally_of(_: None, mutants: Mutants) -> Tally:
    """Return what a reader does with mutants. Raises CalledProcessError if its process does not answer."""
    # Not in this thread: what stops a reader that hangs works only in the main thread of a process.
    command = [sys.executable, "-m", __name__, *map(str, mutants)]
    plain = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    seconds, slowest = plain["slowest"]
    failures = [(name, failure) for name, failure in plain["failures"]]
    return Tally(plain["count"], (seconds, slowest), plain["grown"], failures)


def nothing(_: None) -> None:
    """Return the state of a team whose members need none."""


if __name__ == "__main__":
    asked = Mutants(*map(int, sys.argv[1:]))
    sys.stdout.write(json.dumps(asdict(run(READERS[asked.reader], asked.first, asked.count))))
