"""The table of tricks by class; `python -m tests.gates.tricks` runs it and prints what passes unnoticed.

A class is a module of this package with `TRICKS`, a tuple of rows. Names are unique within a class.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.gates import (
    azure,
    charts,
    classes,
    components,
    configuration,
    delivery,
    edges,
    escalation,
    judges,
    machines,
    money,
    network,
    operators,
    packed,
    pools,
    principals,
    queues,
    roads,
    sources,
    strangers,
    system_groups,
    templates,
    trust,
    user_data,
    workloads,
    wrappings,
)
from tests.gates.programs import PROGRAMS
from tests.gates.trick import Trick

CLASSES: Final[Mapping[str, tuple[Trick, ...]]] = {
    "azure": azure.TRICKS,
    "charts": charts.TRICKS,
    "classes": classes.TRICKS,
    "components": components.TRICKS,
    "configuration": configuration.TRICKS,
    "delivery": delivery.TRICKS,
    "edges": edges.TRICKS,
    "escalation": escalation.TRICKS,
    "judges": judges.TRICKS,
    "machines": machines.TRICKS,
    "money": money.TRICKS,
    "network": network.TRICKS,
    "operators": operators.TRICKS,
    "packed": packed.TRICKS,
    "pools": pools.TRICKS,
    "principals": principals.TRICKS,
    "queues": queues.TRICKS,
    "roads": roads.TRICKS,
    "sources": sources.TRICKS,
    "strangers": strangers.TRICKS,
    "system_groups": system_groups.TRICKS,
    "templates": templates.TRICKS,
    "trust": trust.TRICKS,
    "user_data": user_data.TRICKS,
    "workloads": workloads.TRICKS,
    "wrappings": wrappings.TRICKS,
}


def wrong(trick: Trick) -> Iterator[str]:
    """Yield the ways of judging that do not say what a row wants, each with what they say."""
    ways = {"offline": trick.offline} | ({} if trick.files else {"pack": trick.by_the_pack})
    for way, ask in ways.items():
        spoken = ask()
        if not trick.holds(spoken):
            yield f"{way}: {', '.join(sorted(f'{rule} {wanted}' for rule, wanted in spoken)) or 'nothing'}"


def main() -> int:
    """Print each row that is not judged as wanted, and the count of rows of each class; return 1 if there is any."""
    failed, lines = 0, []
    for name, tricks in CLASSES.items():
        for trick in tricks:
            for line in wrong(trick):
                failed += 1
                lines.append(f"{name}/{trick.name}: wanted {trick.rule or 'all'} {trick.wanted}; {line}")
        lines.append(f"{name}: {len(tricks)} rows")
    for hostile in PROGRAMS:
        with TemporaryDirectory() as folder:
            for line in hostile.wrong(Path(folder)):
                failed += 1
                lines.append(f"programs/{hostile.name}: {line}")
    lines.append(f"programs: {len(PROGRAMS)} rows")
    count = len(PROGRAMS) + sum(map(len, CLASSES.values()))
    sys.stdout.write("\n".join((*lines, f"{count} rows, {failed} wrong\n")))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
