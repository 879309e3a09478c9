"""Ask Karpenter's own code and Cutlist the same random disruption scenarios, and keep the small form of every difference.

    python -m tests.conformance.fuzz_disruption --seed 1 --count 1000 [--features pools,spot] [--oracle PROGRAM] [--keep FOLDER]
    python -m tests.conformance.fuzz_disruption --karpenter 1.15 --oracle PROGRAM ...
    python -m tests.conformance.fuzz_disruption --oracle PROGRAM --workers 4, or --dask ADDRESS

The program `disrupt` of the oracle is named by --oracle or $CUTLIST_ORACLE. With --karpenter 1.15 it is one built for 1.15,
scenarios have what came with it, and texts count. Exit code 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conformance import fuzz
from tests.conformance.disrupt import answer
from tests.conformance.disruption_scenarios import FEATURES, scenario
from tests.conformance.disruptions_1_15 import with_later_disruption
from tests.conformance.judges import disrupt as judge
from tests.conformance.judges import since_1_15
from tests.conformance.oracle import MOST_REPEATS, Object, Subject, cutlist
from tests.conformance.scenarios_devices import DEVICES, with_devices

ALL = frozenset({*FEATURES, DEVICES})
MORE = 1000
FAILED = "FailedScheduling"
_FREE = re.compile(r"^(step \d+: )?(first:|\w+: events )")
WITHOUT_NODE = "Nodeclaim does not have an associated node"


def answered(asked: Mapping[str, Any], folder: Path) -> Object:
    """Cutlist's answer."""
    return cutlist(asked, folder, answer)


def differences(asked: Mapping[str, Any], right: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what sets an answer apart from the right one. Texts are those of 1.15: with 1.14 they do not count.

    Which method is first, and the events of methods, are as free as the answers of the methods are.
    """
    if asked.get("karpenter") is None:
        lines = list(judge.compare(right, given))
    else:
        expected, answer = comparable(right), comparable(given)
        lines = [*judge.compare(expected, answer, messages=True), *since_1_15.compare(expected, answer)]
    return [line for line in lines if not _FREE.search(line)] if alternatives(right) else lines


def comparable(answer: Any) -> Any:
    """Return an answer that says which pods have no place, and not why, and types by price, not in one text.

    Karpenter prints the requirements that were left in the last attempt, which follow from the order of equal pods; types of
    equal price stand in the text in an order of the oracle's. NodeClaims that commands create have random names in events of a
    method; that they have no node yet is said among the blocks as well.
    """
    if isinstance(answer, list):
        return [comparable(part) for part in answer]
    if not isinstance(answer, dict):
        return answer
    parts = {name: comparable(part) for name, part in answer.items()}
    if "instanceTypes" in parts:
        parts.pop("list", None)
    if "events" in parts:
        parts["events"] = [e for e in parts["events"] if e["message"] != WITHOUT_NODE]
    if "podErrors" in parts:
        parts["podErrors"] = dict.fromkeys(parts["podErrors"], "")
    if "podEvents" in parts:
        events = parts["podEvents"].items()
        parts["podEvents"] = {pod: [FAILED if t.startswith(FAILED) else t for t in texts] for pod, texts in events}
    return parts


def alternatives(right: Mapping[str, Any]) -> int:
    """Return how many other lists of commands the method with the most has."""
    said = [right, *right.get("steps", ())]
    methods = [method for one in said for method in one.get("methods", {}).values()]
    return max((MORE if m.get("moreAlternatives") else len(m.get("alternatives") or ()) for m in methods), default=0)


DISRUPTION = Subject(answered, differences, alternatives, (8, 60, MOST_REPEATS))


def later_scenario(seed: int, vectors: Path, allowed: Collection[str]) -> Object:
    """Return the scenario of a seed for Karpenter 1.15."""
    made = with_later_disruption(scenario(seed, vectors, allowed), seed, vectors)
    return with_devices(made, seed, vectors, may_remove=False) if DEVICES in allowed and fuzz.has_devices(seed) else made


def features(text: str) -> frozenset[str]:
    """Return the named features."""
    found = frozenset(filter(None, text.split(",")))
    unknown = sorted(found - ALL)
    if unknown:
        known = f"{', '.join(FEATURES)}, and {DEVICES} of 1.15"
        raise argparse.ArgumentTypeError(f"unknown feature {unknown[0]!r}; there are: {known}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Run; exit code 1 when a difference was found, 2 when there is nothing to ask."""
    parser = fuzz.parser_of(__doc__ or "")
    parser.add_argument("--features", type=features, default=ALL)
    return fuzz.fuzz(parser.parse_args(arguments), DISRUPTION, {"1.14": scenario, "1.15": later_scenario})


if __name__ == "__main__":
    from tests.conformance import fuzz_disruption as named  # so that other processes find the functions by their names

    sys.exit(named.main(sys.argv[1:]))
