"""Ask Karpenter's own code and Cutlist the same random disruption scenarios, and keep the small form of every difference.

    python -m tests.conformance.fuzz_disruption --seed 1 --count 1000 [--features pools,spot] [--oracle PROGRAM] [--keep FOLDER]

The program `disrupt` of the oracle is named by --oracle or $CUTLIST_ORACLE. Exit code 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conformance import fuzz
from tests.conformance.disrupt import answer
from tests.conformance.disruption_scenarios import FEATURES, scenario
from tests.conformance.judges import disrupt as judge
from tests.conformance.oracle import Object, Subject, cutlist

MORE = 1000


def answered(asked: Mapping[str, Any], folder: Path) -> Object:
    """Cutlist's answer."""
    return cutlist(asked, folder, answer)


def differences(_: Mapping[str, Any], right: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what sets an answer apart from the right one, texts aside.

    Which method is first is as free as the answers of the methods are.
    """
    found = list(judge.compare(right, given))
    return [line for line in found if not line.startswith("first:")] if alternatives(right) else found


def alternatives(right: Mapping[str, Any]) -> int:
    """Return how many other lists of commands the method with the most has."""
    said = [right, *right.get("steps", ())]
    methods = [method for one in said for method in one.get("methods", {}).values()]
    return max((MORE if m.get("moreAlternatives") else len(m.get("alternatives") or ()) for m in methods), default=0)


DISRUPTION = Subject(answered, differences, alternatives, (8, 60))


def features(text: str) -> frozenset[str]:
    """Return the named features."""
    found = frozenset(filter(None, text.split(",")))
    unknown = sorted(found - FEATURES.keys())
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown feature {unknown[0]!r}; there are: {', '.join(FEATURES)}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Run; exit code 1 when a difference was found, 2 when there is nothing to ask."""
    parser = fuzz.parser_of(__doc__ or "")
    parser.add_argument("--features", type=features, default=frozenset(FEATURES))
    return fuzz.fuzz(parser.parse_args(arguments), DISRUPTION, scenario)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
