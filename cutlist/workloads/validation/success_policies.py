"""The policy by which an indexed Job succeeds before all of its indexes have (W-68)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.shapes import shown
from cutlist.workloads.validation.refusals import Refusals, not_negative

Manifest = Mapping[str, Any]

_MOST_RULES: Final = 20
_LONGEST_INDEXES: Final = 64 * 1024
_INDEX: Final = re.compile(r"[+]?[0-9]{1,19}", re.ASCII)


def check_success_policy(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the success policy of an indexed Job."""
    policy, here = spec.get("successPolicy"), f"{path}.successPolicy.rules"
    if policy is None or spec.get("completionMode") != "Indexed":
        return
    rules = policy.get("rules") or ()
    if not rules:
        refusals.required(here, "at least one rule is needed")
    if len(rules) > _MOST_RULES:
        refusals.add(here, f"has {len(rules)} rules", f"at most {_MOST_RULES}")
    for index, rule in enumerate(rules):
        _check_rule(rule, spec.get("completions") or 0, f"{here}[{index}]", refusals)


def _check_rule(rule: Manifest, completions: int, path: str, refusals: Refusals) -> None:
    count, indexes = rule.get("succeededCount"), rule.get("succeededIndexes")
    if count is None and indexes is None:
        refusals.required(path, "succeededCount or succeededIndexes is needed")
    listed = completions if indexes is None else _check_indexes(indexes, completions, f"{path}.succeededIndexes", refusals)
    not_negative(count, f"{path}.succeededCount", refusals)
    if count is not None and count > completions:
        refusals.invalid(f"{path}.succeededCount", count, f"must be at most completions, {completions}")
    elif count is not None and count > listed:
        refusals.invalid(f"{path}.succeededCount", count, f"must be at most the number of succeededIndexes, {listed}")


def _check_indexes(text: str, completions: int, path: str, refusals: Refusals) -> int:
    """Return how many indexes a text such as `0,2-4` lists; 0, with a refusal added, for a text that lists none."""
    if len(text) > _LONGEST_INDEXES:
        refusals.add(path, f"has {len(text)} characters", f"at most {_LONGEST_INDEXES}")
    last, count = -1, 0
    for interval in text.split(",") if text else ():
        ends = interval.split("-")
        if len(ends) > 2 or not all(_INDEX.fullmatch(end) for end in ends):
            refusals.invalid(path, text, f"has the part {shown(interval)}, which is no index and no interval", "such as 0,2-4")
            return 0
        first, final = int(ends[0]), int(ends[-1])
        if final >= completions:
            refusals.invalid(path, text, f"has index {final}", f"below completions, {completions}")
            return 0
        if first <= last or (len(ends) == 2 and first >= final):
            refusals.invalid(path, text, f"is not in ascending order at {shown(interval)}")
            return 0
        last, count = final, count + final - first + 1
    return count
