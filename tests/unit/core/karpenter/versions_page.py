"""The page on what each supported Karpenter does otherwise, written from the table.

python -m tests.unit.core.karpenter.versions_page > docs/spec/versions.md
"""

from __future__ import annotations

import sys

from cutlist.core.karpenter.baselines import BASELINES, DEFAULT, SUPPORTED
from cutlist.core.karpenter.behaviours import Behaviour


def page() -> str:
    """The page as Markdown."""
    releases = " | ".join(map(str, BASELINES))
    rows = [
        f"| {behaviour.text} | {behaviour.statements} | {' | '.join('yes' if b.does(behaviour) else '' for b in BASELINES)} |"
        for behaviour in Behaviour
    ]
    values = [
        ("AWS provider", [str(b.aws_release) for b in BASELINES]),
        ("version of the NodePool's hash", [b.node_pool_hash for b in BASELINES]),
        ("version of the EC2NodeClass's hash", [b.ec2_node_class_hash for b in BASELINES]),
        ("feature gates", [str(len(b.feature_gates)) for b in BASELINES]),
        ("flags that came later", [", ".join(f"`{flag}`" for flag in sorted(b.flags)) for b in BASELINES]),
    ]
    rows += [f"| {name} | | {' | '.join(of)} |" for name, of in values]
    lines = [
        "# What the supported Karpenters do otherwise",
        "",
        f"Rules of Karpenter {' and '.join(map(str, SUPPORTED))} are known; `--karpenter` chooses, {DEFAULT.minor} by default.",
        "A patch release counts as the latest one below that is not after it. This page is written from",
        "`cutlist/core/karpenter` by `python -m tests.unit.core.karpenter.versions_page`.",
        "",
        f"| behaviour | statements | {releases} |",
        f"|---|---|{'---|' * len(BASELINES)}",
        *rows,
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
