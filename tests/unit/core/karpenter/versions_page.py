"""Write the page on how the supported Karpenter releases differ, from the tables of versions.

python -m tests.unit.core.karpenter.versions_page > docs/spec/versions.md
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from cutlist.core.karpenter.baselines import BASELINES, DEFAULT, SUPPORTED, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.feature_gates import FEATURE_GATES, FLAGS, FeatureGate
from cutlist.core.karpenter.hashes import HASH_VERSIONS, hash_version
from cutlist.infrastructure.charts.crds import CRDS
from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import ChartDelta
from cutlist.infrastructure.observability.series import SERIES
from cutlist.infrastructure.versions import known_kubernetes, problems
from cutlist.verbs.upgrade.answer import upgrade


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# How the supported Karpenter releases differ",
        "",
        f"Cutlist knows the rules of Karpenter {' and '.join(map(str, SUPPORTED))}:",
        f"`--karpenter` chooses, {DEFAULT.minor} by default.",
        "A patch release follows the column of the latest release up to it. This page is written from the tables of versions",
        "by `python -m tests.unit.core.karpenter.versions_page`.",
        "",
        *_table("behaviour", ((b.text, b.statements, of_each(lambda k, b=b: "yes" if k.does(b) else "")) for b in Behaviour)),
        "",
        "## Versions, feature gates, flags, CRDs, series",
        "",
        "A blank cell: the release does not have it. Series are those that dashboards and alerts use.",
        "",
        *_table("of a release", _values()),
    ]
    for old, new in pairwise(BASELINES):
        lines += ["", f"## From {upgraded(old)} to {upgraded(new)}", "", *_changes(old, new)]
    return "\n".join(lines) + "\n"


def of_each(value: Callable[[Baseline], str]) -> list[str]:
    """A value for each release."""
    return [value(baseline) for baseline in BASELINES]


def upgraded(baseline: Baseline) -> str:
    """The release of the AWS provider, whose charts are installed."""
    return str(baseline.aws_release)


def newest_kubernetes(baseline: Baseline) -> str:
    """The newest Kubernetes that the release of the AWS provider supports."""
    return [minor for minor in known_kubernetes() if not problems(minor, upgraded(baseline))][-1]


def _table(title: str, rows: Iterable[tuple[str, str, list[str]]]) -> Iterator[str]:
    yield f"| {title} | statements | {' | '.join(of_each(upgraded))} |"
    yield f"|---|---|{'---|' * len(BASELINES)}"
    for name, statements, values in rows:
        yield f"| {name} | {statements} | {' | '.join(values)} |"


def _values() -> Iterator[tuple[str, str, list[str]]]:
    yield "core, by its recorded answers", "", of_each(str)
    yield "Azure provider", "", of_each(lambda k: str(k.azure_release or "none is public"))
    yield "newest Kubernetes", "VA15-111", of_each(newest_kubernetes)
    for kind in dict.fromkeys(row.kind for row in HASH_VERSIONS):
        rows = [hash_version(kind, baseline.aws_release) for baseline in BASELINES]
        statements = ", ".join(dict.fromkeys(row.statements for row in rows if row.statements))
        yield f"version of the {kind}'s hash", statements, [row.version for row in rows]
    for gate in FEATURE_GATES:
        states = of_each(lambda k, gate=gate: _state(gate, k))
        if any(states):
            statements = "VA15-110" if gate.is_of_aws else "V15-65" if not states[0] else ""
            yield f"feature gate {gate.name}{' of AWS' if gate.is_of_aws else ''}", statements, states
    for flag in FLAGS:
        statements = "VA15-110" if "aws" in flag.name or "security" in flag.name else "V15-64"
        yield (
            f"`{flag.name}`, {flag.variable}",
            statements,
            of_each(lambda k, f=flag: "yes" if f.since <= k.aws_release else ""),
        )
    for crd in CRDS:
        states = of_each(lambda k, crd=crd: "yes" if crd.is_in(k.aws_release) else "")
        if any(states):
            yield f"CRD {crd.name}", "", states
    for series in SERIES:
        if series.since > BASELINES[0].release:
            yield f"series `{series.name}`", "V15-77", of_each(lambda k, s=series: "yes" if s.since <= k.aws_release else "")


def _state(gate: FeatureGate, karpenter: Baseline) -> str:
    if not gate.is_in(karpenter.aws_release):
        return ""
    return "on" if gate.on_since is not None and gate.on_since <= karpenter.aws_release else "off"


def changes(old: Baseline, new: Baseline) -> tuple[ChartDelta, ...]:
    """What an upgrade between two releases says that the tables above do not: all but named behaviours and general steps."""
    behaviours = {behaviour.text for behaviour in Behaviour}
    answer = upgrade(upgraded(old), upgraded(new))
    deltas = (delta for subject in Subject for delta in answer.of(subject) if delta.statements)
    return tuple(delta for delta in deltas if delta.text.split(": ", 1)[-1] not in behaviours)


def _changes(old: Baseline, new: Baseline) -> Iterator[str]:
    """The changes as a table, of which the first column says what is to be done."""
    if not changes(old, new):
        yield "Only the behaviours above."
        return
    yield "| subject | change | statements | when |"
    yield "|---|---|---|---|"
    for delta in changes(old, new):
        text = delta.text.split(": ", 1)[-1] if delta.subject is Subject.BEHAVIOUR else delta.text
        yield f"| {delta.subject} | {text} | {delta.statements} | {delta.when} |"


if __name__ == "__main__":
    sys.stdout.write(page())
