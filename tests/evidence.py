"""The page about how Cutlist's answers are known to be right, with figures counted from what is recorded.

python -m tests.evidence > docs/how-we-know.md
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.conformance.score import KINDS, files_of
from tests.live.recording import Recording
from tests.live.recordings import RECORDINGS, archives, recorded
from tests.recorded import PROJECT, VECTORS
from tests.unit.test_statements import LETTERS, stated
from tests.unit.workloads.validation.record import answers

PAGE: Final = PROJECT / "docs" / "how-we-know.md"
_CONFORMANCE: Final = PROJECT / "tests" / "conformance"
_SUBJECTS: Final[Mapping[str, str]] = {
    "algebra": "quantities, requirements, tolerations, host ports",
    "schedule": "a pass of the scheduler: which nodes for which pods",
    "disrupt": "a pass of disruption: which nodes are replaced or removed",
    "aws-types": "instance types of an EC2NodeClass: amounts, labels, offerings",
    "aws-launch": "from a NodeClaim to the request to EC2, and the node",
    "aws-userdata": "user data, hashes, drift, tags",
    "validate": "objects of Karpenter's kinds: accepted or refused, and why",
    "hash": "hashes by which nodes drift",
    "convert": "conversion between versions of the API",
}
_COMPARED: Final = frozenset({"scheduling", "disruption"})
"""The kinds of recordings that are held against an answer."""
TITLES: Final[Mapping[str, str]] = {
    "karpenter": "Karpenter's own code",
    "live": "A live Karpenter",
    "kubernetes": "What Kubernetes refuses",
    "specification": "Statements and laws",
    "gates": "What gates notice",
    "suggestions": "What suggestions can save",
    "stand-ins": "Clusters and stacks",
}
"""The headings of the sections that are counted."""
_WIDTH: Final = 126
_LAW: Final = re.compile(r"^\s*@given\(", re.MULTILINE)
_MEDIAN: Final = re.compile(
    r"^\| (?P<sets>\d+ (?:whose|with)[^|]*) \| (?P<median>[\d.]+) \| (?P<reach>[\d.]+) \|$", re.MULTILINE
)

_BEGINNING: Final = """\
# How we know

Cutlist says what Karpenter will do. This page says what that rests on: what Karpenter's own code, a live Karpenter and
Kubernetes were asked, and how many of their answers Cutlist gives. It ends with what nobody has checked.

`python -m tests.evidence` counts the figures from the files of this repository. Tests hold Cutlist to every recorded answer,
and fail when this page is out of date.
"""
_ENDING: Final = """\
## What is left to chance

Karpenter decides some things at random: it walks through Go maps, and it sorts with an unstable sort. Run twice on the same
cluster, it may act in two ways. Cutlist gives the same answer each time, one of those that Karpenter may give:

- Among nodes, NodePools and instance types that its rules call equal, Cutlist takes the first by name.
- Where a spread may begin in any zone, Cutlist takes the first by name.
- Karpenter sends EC2 a list of instance types, and EC2 chooses. Cutlist names the cheapest, and lists the others.

[The specification](spec/disruption.md#12-sources-of-nondeterminism) lists all sources of chance. `cutlist verify` calls such
a difference [a tie](causes.md), or the choice of EC2, and not an error.

## What is not proven

- **No account of a cloud was used.** Capacity, quotas that are used up and EC2's choice are known only after a launch. Prices
  are as old as the catalogue says.
- **The live Karpenter runs on KWOK.** Scheduler, disruption and API server are the real programs; machines and kubelets are
  stand-ins. How long real machines take to boot, join and drain was not measured.
- **Instance types of Azure** rest on the source code of its provider, statement by statement, not on recorded answers.
- **EKS Auto Mode** is closed source. What Cutlist knows of it is what AWS's documentation says.
- **Releases before Karpenter 1.14** are not planned for. Cutlist converts their objects, says what an upgrade changes, and
  reads their logs.
- **Logs of others** were tried by hand, on 2026-11-23: 56 log lines that public issue threads quote, of releases from v0.13
  on. All are read. Of the 28 that report a removed node, a failed launch or an offering without capacity, 27 get a cause; the
  last names no NodePool. What was missed at first was mended, so these lines are not an independent sample.
- **Webhooks and policies** of a cluster may change or refuse any object. Only the cluster knows.

Have you seen Karpenter do something else? `cutlist verify` says where, and why as far as it is known. Please report what has
no cause.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([_BEGINNING, *(section() for section in SECTIONS.values()), _ENDING])


def write() -> None:
    """Write the page anew."""
    PAGE.write_text(page(), "utf-8")


def headings() -> list[str]:
    """Return the headings of the page, in order."""
    return [*TITLES.values(), *re.findall(r"^## (.*)$", _ENDING, re.MULTILINE)]


def karpenters_code() -> str:
    """Return the section on recorded answers of Karpenter's own code."""
    folders = {"1.14": VECTORS, **{path.name: path for path in sorted(VECTORS.glob("[0-9]*.[0-9]*"))}}
    counts = {kind: [_cases(kind, root) for root in folders.values()] for kind in KINDS}
    rows = [[_SUBJECTS[kind], *(f"{count:,}" if count else "" for count in of)] for kind, of in counts.items()]
    rows.append(["**all**", *(f"**{sum(of):,}**" for of in zip(*counts.values(), strict=True))])
    pending = sum(len(_lines(_CONFORMANCE / f"pending_{kind}.txt")) for kind in ("schedule", "disrupt"))
    kept = sum(len(list((_CONFORMANCE / name).glob("*.json"))) for name in ("kept", "kept_disruption"))
    return _section(
        "karpenter",
        "Small programs in Go call the functions of Karpenter's core and of its providers with questions that we wrote, "
        "and record the answers. Karpenter's source is imported as it was released. Cutlist answers the same questions.",
        _table(["Recorded answers", *(f"Karpenter {version}" for version in folders)], rows),
        "The column of a later release has what only this release can be asked, or what it answers otherwise. "
        + (f"Cutlist gives all but {pending:,} of the answers." if pending else "Cutlist gives every one of the answers."),
        f"A fuzzer makes up clusters and asks both sides. What once differed is mended and asked for good: {kept:,} "
        "clusters so far. [Recorded answers](../tests/conformance/answers/README.md) says what each archive holds, and "
        "[oracle](../oracle/README.md) how to ask again.",
    )


def _cases(kind: str, root: Path) -> int:
    files = files_of(kind, root)
    if kind in ("schedule", "disrupt"):
        return len(files)
    documents = (json.loads(file.read_text("utf-8")) for file in files)
    return sum(len(document["cases"] if isinstance(document, dict) else document) for document in documents)


def live_karpenter() -> str:
    """Return the section on recordings of a live Karpenter."""
    recordings = [recording for archive in archives() for recording in recorded(archive)]
    groups: defaultdict[tuple[str, str], list[Recording]] = defaultdict(list)
    reasons: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for recording in recordings:
        groups[recording.kind, recording.version].append(recording)
        if recording.free is not None:
            reasons[recording.free][recording.name] = None
    rows = [[kind, version, *_equal_and_free(of)] for (kind, version), of in sorted(groups.items())]
    ties = [f"- {', '.join(f'`{name}`' for name in names)}: {reason}" for reason, names in sorted(reasons.items())]
    return _section(
        "live",
        "A real etcd, API server, controller manager, scheduler and Karpenter run scenarios: pods and NodePools are put "
        "in, and what Karpenter does is read back. Cutlist is given what the cluster held before, and has to name the "
        "same nodes, pods and commands.",
        _table(["Scenarios of", "Karpenter", "recorded", "equal", "left to chance"], rows),
        "Equal are, of scheduling, the NodeClaims with their pods, requirements and requests, the pods on running nodes "
        "and the refused pods; of disruption, the commands with their nodes and replacements, or else the reasons why "
        "nodes stay.",
        *(["Left to chance are:", "\n".join(ties)] if ties else []),
        "`make live` builds the programs from their modules, runs all scenarios and holds them against Cutlist anew. "
        "[Its page](../tests/live/README.md) says how.",
    )


def _equal_and_free(recordings: Sequence[Recording]) -> list[str]:
    free = sum(recording.free is not None for recording in recordings)
    is_compared = recordings[0].kind in _COMPARED
    return [f"{len(recordings):,}", f"{len(recordings) - free:,}" if is_compared else "", f"{free:,}" if is_compared else ""]


def kubernetes_validation() -> str:
    """Return the section on what Kubernetes refuses."""
    recorded_answers = answers()
    refused = sum(paths is None or bool(paths) for paths in recorded_answers.values())
    server = json.loads((RECORDINGS / "validation.json").read_text("utf-8"))
    rows = [[kind, f"{equal:,}"] for kind, equal in server["equal"].items()]
    rows.append(["**all**", f"**{sum(server['equal'].values()):,}**"])
    others = [f"- `{name}`: {why}" for name, why in sorted(server["different"].items())]
    return _section(
        "kubernetes",
        f"`cutlist validate` is held against Kubernetes' own validation code on {len(recorded_answers):,} workloads, "
        f"claims, policies and services, of which {refused:,} are refused: verdict and paths are the same. One that the code "
        "refuses alone, as admission mends it first, is accepted.",
        f"An API server of Kubernetes {server['server']} was then asked all of that, and what is recorded of Karpenter's "
        "kinds, by dry runs. It confirmed:",
        _table(["Objects of", "recorded answers"], rows),
        *([f"It gave another answer in {len(others):,} cases, each for a reason:", "\n".join(others)] if others else []),
    )


def specification() -> str:
    """Return the section on the specification and the tests of its statements."""
    statements = sum(len(stated(letter)) for letter in LETTERS if letter != "K")
    files = (path.read_text("utf-8") for path in (PROJECT / "tests").rglob("test_*.py"))
    laws = sum(len(_LAW.findall(text)) for text in files)
    return _section(
        "specification",
        f"[The specification](spec/README.md) has at least {about(statements)} numbered statements, read from the "
        "source code of Karpenter and of its providers. A test names each of them.",
        f"At least {about(laws)} tests are laws over made-up inputs: each pod is planned once; a plan that is fed back "
        "as the cluster it describes plans nothing new; what is written reads back as it was. `make fuzz` tries new "
        "inputs, for longer.",
    )


def gates() -> str:
    """Return the section on the tricks that gates are held against."""
    from tests.gates.tricks import CLASSES  # the SDK of policies takes seconds to import

    wanted = Counter(str(trick.wanted) for tricks in CLASSES.values() for trick in tricks)
    return _section(
        "gates",
        f"A table of at least {about(wanted.total())} rows holds ways to get round a gate, and ordinary resources that "
        "no gate may stop. Each row is judged twice: by the gate that runs a program offline, and by the policy pack "
        "that an engine calls. Both say what the row wants:",
        _table(["Wanted", "rows"], [[name, f"at least {about(count)}"] for name, count in wanted.most_common()]),
        "[What gates see](what-gates-see.md) also says what they cannot see.",
    )


def suggestions() -> str:
    """Return the section on how near suggested NodePools come to the least that is possible."""
    medians = _MEDIAN.finditer((PROJECT / "docs" / "performance.md").read_text("utf-8"))
    rows = [[match["sets"], f"{float(match['median']) - 1:.1%}"] for match in medians]
    return _section(
        "suggestions",
        "No packing of the pods on allowed nodes costs less than [the bound](decisions/bounds.md), which is computed for "
        "each input. So it is known how much `cutlist suggest` may miss at most. In [the "
        "benchmark](performance.md#suggested-nodepools):",
        _table(["Sets of workloads", "best option above the bound, median"], rows),
    )


def stand_ins() -> str:
    """Return the section on what stands in for clouds and engines."""
    rows = (PROJECT / "docs" / "what-an-account-says.md").read_text("utf-8").splitlines()
    limits = sum(row.startswith("| ") and not row.startswith("| resource ") for row in rows)
    return _section(
        "stand-ins",
        f"Every resource of every stack is held against at least {about(limits)} published limits of AWS, Azure and "
        "Kubernetes, each with its source: [what an account would say](what-an-account-says.md). A real Pulumi engine "
        "runs the stacks in Python, TypeScript and YAML, with stand-ins for the clouds. What reads an account is tested "
        "against moto, which imitates AWS.",
    )


SECTIONS: Final[Mapping[str, Callable[[], str]]] = {
    "karpenter": karpenters_code,
    "live": live_karpenter,
    "kubernetes": kubernetes_validation,
    "specification": specification,
    "gates": gates,
    "suggestions": suggestions,
    "stand-ins": stand_ins,
}


def _section(name: str, *paragraphs: str) -> str:
    return "\n\n".join([f"## {TITLES[name]}", *map(_wrapped, paragraphs)]) + "\n"


def _wrapped(paragraph: str) -> str:
    """Return a paragraph in lines of the width of the other pages; tables and lists as they are."""
    if paragraph.startswith(("|", "- ")):
        return paragraph
    return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(map(_row, [head, ["---"] * len(head), *rows]))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def about(count: int) -> str:
    """Return a count that grows every week, rounded down, so that the page is not out of date with each new test."""
    step = 10 ** max(1, len(str(count)) - 2)
    return f"{count // step * step:,}"


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]


if __name__ == "__main__":
    sys.stdout.write(page())
