"""The page about how Cutlist's answers are known to be right, with figures counted from what is recorded.

python -m tests.evidence > docs/how-we-know.md
"""

from __future__ import annotations

import json
import math
import re
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from cutlist.catalog.ages import ERRORS_OF_SPOT
from cutlist.catalog.spreads import ON_DEMAND
from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE
from tests.conformance import stored_rounds
from tests.conformance.score import KINDS, files_of
from tests.live.recording import Recording
from tests.live.recordings import RECORDINGS, archives, days, recorded
from tests.live.replaying import node_hours, replayed
from tests.recorded import PROJECT, VECTORS
from tests.unit.simulation import kube_scheduler_questions
from tests.unit.simulation.demand import autoscaler_questions
from tests.unit.test_statements import LETTERS, stated
from tests.unit.workloads.validation.record import MINORS, answers
from tools.spot import errors
from tools.spot.pairs import FOLDS

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
"""The kinds of recordings that are compared with an answer."""
TITLES: Final[Mapping[str, str]] = {
    "karpenter": "Karpenter's own code",
    "live": "A live Karpenter",
    "kubernetes": "What Kubernetes refuses",
    "simulation": "Kubernetes in simulations",
    "specification": "Statements and laws",
    "gates": "What gates detect",
    "suggestions": "How good suggestions are",
    "prices": "How near estimated prices are",
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

Cutlist predicts what Karpenter will do. This page shows why you can trust it, and where you cannot: the questions put to
Karpenter's own code, to a live Karpenter and to Kubernetes, how many of their answers Cutlist reproduces, and what nobody has
checked.

`python -m tests.evidence` counts the figures from the files of this repository. Tests compare Cutlist with every recorded
answer, and fail when this page is out of date.
"""
_ENDING: Final = """\
## What is left to chance

Some of Karpenter's decisions are random: it iterates over Go maps and uses an unstable sort. Two runs on the same cluster can
differ. Cutlist always gives the same answer, which is one of those that Karpenter can give:

- Among nodes, NodePools and instance types that Karpenter's rules rank equally, Cutlist takes the first by name.
- Where a topology spread can begin in any zone, Cutlist takes the first by name.
- Karpenter sends EC2 a list of instance types, and EC2 chooses. Cutlist names the cheapest and lists the others.

[The specification](spec/disruption.md#12-sources-of-nondeterminism) lists all sources of randomness. `cutlist verify` reports
such a difference as [a tie](causes.md) or as EC2's choice, not as an error.

## What is not proven

- **No account of a cloud was used.** Capacity, exhausted quotas and EC2's choice are known only after a launch. Prices are
  as old as the catalogue says.
- **The live Karpenter runs on KWOK.** The scheduler, Karpenter and the API server are the real programs; machines and kubelets
  are simulated. How long real machines take to boot, join and drain was not measured.
- **Azure's VM sizes** are those of the provider's own code, for the sizes of one location under 11 classes: labels, capacity,
  offerings, OS disk, hash ([recorded](../tests/conformance/answers/README.md)). It cannot check what follows from the name of a
  size because no record of Azure is public. Prices are not compared.
- **EKS Auto Mode** is closed source. Cutlist follows AWS's documentation.
- **Releases before Karpenter 1.14** have no rules of their own in a plan. Cutlist converts their objects, lists what an upgrade
  changes, and reads their logs.
- **Other people's logs** were tried by hand on 2026-11-23: 56 log lines quoted in public issue threads, from v0.13 on. Cutlist
  reads all of them. 28 report a removed node, a failed launch or an offering without capacity, and 27 of these get a cause; the
  last one names no NodePool. Lines that failed at first led to fixes, so they are not an independent sample.
- **Webhooks and policies** in a cluster can change or refuse any object. Cutlist does not see them.

Did your Karpenter act differently? `cutlist verify` shows where, and the cause if it is known. Please report differences
without a cause.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([_BEGINNING, *(section() for section in SECTIONS.values()), _ENDING])


def write() -> None:
    """Regenerate the page."""
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
    played = list(stored_rounds.read())
    of_runs = Counter(row["kind"] for row in played)
    validated = [row["answer"] for row in played if "during" in row["scenario"].get("disruption", {})]
    dropped = sum(answer["first"] == "none" for answer in validated)
    return _section(
        "karpenter",
        "Small Go programs call the functions of Karpenter's core and of its providers with prepared questions and record the "
        "answers. They import Karpenter's source as released. Cutlist answers the same questions.",
        _table(["Recorded answers", *(f"Karpenter {version}" for version in folders)], rows),
        "The column of a later release counts questions that only this release understands, or answers in another way. "
        + (f"Cutlist gives all but {pending:,} of these answers." if pending else "Cutlist gives all of these answers."),
        f"A fuzzer generates clusters and compares both sides. Each difference was fixed and became a test: {kept:,} "
        "clusters so far. On 2026-11-30, with each Karpenter, it compared 2,000 clusters in scheduling and 512 in disruption; "
        "half of those of 1.15 had claims for devices. Karpenter broke off in 26. To all others, Cutlist gave an answer that "
        "Karpenter gives too. `python -m tests.conformance.fuzz --seed 600000 --count 2000` repeats the first of these, "
        "`python -m tests.conformance.fuzz_disruption --seed 600000 --count 512` the others. "
        "[Recorded answers](../tests/conformance/answers/README.md) describes each archive, and "
        "[oracle](../tools/oracle/README.md) shows how to record them again.",
        "Simulations are checked in the same way. `cutlist simulate` plays random runs of some hours with several NodePools, "
        "spot interruptions, budgets, topology rules, expiry, drift, edits, node failures and missing capacity, with Karpenter "
        "1.14 and 1.15. Karpenter's code then gets the same clusters: its decisions in "
        f"{of_runs[SCHEDULE]:,} scheduling passes and {of_runs[DISRUPT]:,} disruption rounds are recorded, and Cutlist decides "
        f"the same from each file. In {len(validated):,} of these rounds, the files also say what changed until the command "
        f"was validated, 15 seconds later; in {dropped:,} of them no command survives. "
        "`python -m tests.conformance.fuzz_simulation` tries other runs.",
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
        "Scenarios run on a real etcd, API server, controller manager, scheduler and Karpenter. Each creates pods and "
        "NodePools and records what Karpenter does. Cutlist gets the cluster as it was before, and has to predict the same "
        "nodes, pods and commands.",
        _table(["Scenarios of", "Karpenter", "recorded", "equal", "left to chance"], rows),
        "A scheduling scenario is equal when three things are: the NodeClaims with their pods, requirements and requests, the "
        "pods on running nodes, and the refused pods. A disruption scenario is equal when the commands are, with their nodes "
        "and replacements, or, without a command, the reasons why nodes stay.",
        *(["These depend on chance:", "\n".join(ties)] if ties else []),
        "A day is a script of ten minutes in which replicas and NodePools change. The simulation behind `cutlist simulate` "
        "gets the script and has to predict the rest. It gives Karpenter's disruption commands, in the same order:",
        _table(["Day", "Karpenter", "commands", "node-hours", "simulated node-hours differ by"], map(_day_row, days())),
        "`make live` builds the programs from their modules, runs all scenarios and compares them with Cutlist again. "
        "[Its page](../tests/live/README.md) describes how.",
    )


def _day_row(day: Recording) -> list[str]:
    hours = node_hours(day)
    off = math.ceil(abs(replayed(day).day.totals.node_hours / hours - 1) * 100)
    return [f"`{day.name}`", day.version, str(len(day.answer["commands"])), f"{hours:.2f}", f"less than {off}%"]


def _equal_and_free(recordings: Sequence[Recording]) -> list[str]:
    free = sum(recording.free is not None for recording in recordings)
    is_compared = recordings[0].kind in _COMPARED
    return [f"{len(recordings):,}", f"{len(recordings) - free:,}" if is_compared else "", f"{free:,}" if is_compared else ""]


def kubernetes_validation() -> str:
    """Return the section on what Kubernetes refuses."""
    recorded_answers = [paths for minor in MINORS for paths in answers(minor).values()]
    refused = sum(paths is None or bool(paths) for paths in recorded_answers)
    server = json.loads((RECORDINGS / "validation.json").read_text("utf-8"))
    rows = [[kind, f"{equal:,}"] for kind, equal in server["equal"].items()]
    rows.append(["**all**", f"**{sum(server['equal'].values()):,}**"])
    others = [f"- `{name}`: {why}" for name, why in sorted(server["different"].items())]
    versions = " and ".join(f"1.{minor}" for minor in MINORS)
    return _section(
        "kubernetes",
        f"`cutlist validate` is compared with Kubernetes' own validation code, of {versions}, on {len(recorded_answers):,} "
        f"workloads, claims, policies and services. {refused:,} are refused; verdicts and paths agree. One object is refused "
        "by the validation code alone, because admission would correct it first; Cutlist accepts it.",
        f"An API server of Kubernetes {server['server']} then judged all of these, and the recorded objects of Karpenter's "
        "kinds, in dry runs. It confirmed:",
        _table(["Objects of", "recorded answers"], rows),
        *([f"It answered differently in {len(others):,} cases, each for a known reason:", "\n".join(others)] if others else []),
    )


def simulated_kubernetes() -> str:
    """Return the section on what a simulation does in place of Kubernetes."""
    questions, autoscalers = kube_scheduler_questions.recorded(), autoscaler_questions.recorded()
    nodes = sum(len(question["nodes"]) for question in questions)
    open_nodes = sum(len(question["scores"]) for question in questions)
    steps = sum(len(question["answer"]) for question in autoscalers)
    return _section(
        "simulation",
        "`cutlist simulate` also does what Kubernetes' own controllers would do. Their code in Kubernetes 1.35.1 was asked:",
        f"- kube-scheduler, with all plugins of its default profile: {len(questions):,} random clusters of up to 8 nodes, each "
        f"with a pod that waits. Of {nodes:,} nodes it refuses {nodes - open_nodes:,}. Cutlist refuses the same, and gives "
        f"the other {open_nodes:,} the same scores: for room, for other pods, and in all.\n"
        f"- the controller of HorizontalPodAutoscalers: {len(autoscalers):,} random autoscalers with "
        f"{steps:,} readings of their metrics. Cutlist sets the same replicas.",
    )


def specification() -> str:
    """Return the section on the specification and the tests of its statements."""
    statements = sum(len(stated(letter)) for letter in LETTERS if letter != "K")
    files = (path.read_text("utf-8") for path in (PROJECT / "tests").rglob("test_*.py"))
    laws = sum(len(_LAW.findall(text)) for text in files)
    return _section(
        "specification",
        f"[The specification](spec/README.md) has at least {about(statements)} numbered statements, read from the "
        "source code of Karpenter and of its providers. At least one test names each of them.",
        f"At least {about(laws)} property tests check laws on generated inputs: each pod is planned once; planning again "
        "with the planned nodes running adds no node; written objects read back unchanged. `make fuzz` tries new inputs, "
        "for longer.",
    )


def gates() -> str:
    """Return the section on the tricks that gates are compared with."""
    from tests.gates.tricks import CLASSES  # the SDK of policies takes seconds to import

    wanted = Counter(str(trick.wanted) for tricks in CLASSES.values() for trick in tricks)
    return _section(
        "gates",
        f"A table of at least {about(wanted.total())} rows has ways to bypass a gate, and ordinary resources that no gate "
        "may stop. Two judges see each row: the gate that runs a program offline, and the policy pack that an engine calls. "
        "Both reach the expected verdict:",
        _table(["Expected", "rows"], [[name, f"at least {about(count)}"] for name, count in wanted.most_common()]),
        "[What gates see](gates.md#what-gates-see) also lists what they cannot see.",
    )


def suggestions() -> str:
    """Return the section on how near suggested NodePools come to the least that is possible."""
    medians = _MEDIAN.finditer((PROJECT / "docs" / "performance.md").read_text("utf-8"))
    rows = [[match["sets"], f"{float(match['median']) - 1:.1%}"] for match in medians]
    return _section(
        "suggestions",
        "No packing of the pods on allowed nodes costs less than [the lower bound](decisions/bounds.md), which is computed "
        "for each input. So you can see how much `cutlist suggest` misses at most. In [the "
        "benchmark](performance.md#suggested-nodepools):",
        _table(["Sets of workloads", "best option above the bound, median"], rows),
    )


def prices() -> str:
    """Return the section on errors of estimated prices, by source, by group, by region."""
    rules = {
        "the Spot Advisor of 2025, which was the rule before": errors.by_earlier_advisor(),
        "one part for all": errors.by_folds(()),
        "median of the region": errors.by_folds(("region",)),
        "region and size": errors.by_folds(("region", "size")),
        "region, size, kind, region with size": errors.by_folds(("region", "size", "kind", "region and size")),
        "region, size, kind, region with size, with CPU maker: the model": errors.of_model(),
        "the same without savings of the Advisor": errors.by_folds(fitted=lambda pair: bool(pair.zones)),
        "a region without published prices: model of the others, halfway to the Spot Advisor of 2025": errors.by_regions(),
        "the Spot Advisor of 2026-08": errors.by_advisor(),
        "one zone, from the type's other zones": errors.by_other_zones(),
    }
    model = errors.of_model()
    groups = {
        of: [trial for trial in model if trial.pair.traits.group == of] for of in sorted({t.pair.traits.group for t in model})
    }
    sizes = {of: [trial for trial in model if trial.pair.traits.size == of] for of in errors.SIZES}
    areas = sorted({trial.pair.traits.region for trial in model})
    by_region = {of: [trial for trial in model if trial.pair.traits.region == of] for of in areas}
    total, sums = len(errors.published()), errors.sums_within()
    return _section(
        "prices",
        f"On demand, {ON_DEMAND.pairs:,} estimates were compared with list prices that were found later. The median "
        "is 0.03% off, the worst are 7.4% too high and 5.9% too low; 180 of them are metal sizes. The list prices "
        "then replaced these estimates.",
        f"Spot prices of {total} types in {len(areas)} regions are published by zone. Cutlist uses them as they "
        f"are. Where it has none, it estimates. A stable hash of region and type divides the pairs into {FOLDS} "
        f"parts. Each pair is estimated by a model that was fitted to the other {FOLDS - 1} parts, and compared "
        "with the mean of its zones. The model that Cutlist uses is then fitted to all pairs. It was chosen by "
        "this table. Families have too few prices each to be part of it.",
        _errors_table("Estimate", rules),
        "Errors of the model by what is known of the type, and the range that an estimate has: one in ten prices "
        "of zones is below it, and one in ten above.",
        _errors_table("Regions and sizes", groups, with_range=True),
        _errors_table("Size", sizes),
        _errors_table("Region", by_region),
        "The sum of a plan has a range too. Errors of all types of a family count as one error, so they add up; "
        "errors of families count as independent, so the root of the sum of their squares is taken. Errors of a "
        f"region are partly shared between families, which this leaves out. As a check, {sums.count:,} sums of four "
        f"published types of a region, each of another family, were estimated in the same way: {sums.within:.0%} "
        "are within their range.",
        "Prices get old. Spot prices that follow from savings of the Advisor were off by this much more later, in the median:",
        _table(["Age", "error that it adds"], [[f"{days} days", f"{error:.0%}"] for days, error in reversed(ERRORS_OF_SPOT)]),
        "These figures were measured on snapshots of the Advisor's public feed that this repository does not hold. As a check, "
        "two that spotinfo published, of 2025-06-28 and 2026-08-10, differ by 19% in the median over 224 types of two regions, "
        "nine in ten by at most 72%: the error goes on growing. [Each answer says](prices.md#once-a-week) when its "
        "prices are old.",
    )


def _errors_table(title: str, by: Mapping[str, Sequence[errors.Trial]], *, with_range: bool = False) -> str:
    """Return a row for each kind of estimate with its errors, and on request its range."""
    rows = []
    for name, trials in by.items():
        of = errors.summary(trials)
        ends = [f"{of.low:.2f} to {of.high:.2f} times"] if with_range else []
        rows.append([name, f"{of.pairs:,}", f"{of.median:.0%}", f"{of.ninth:.0%}", *ends])
    return _table([title, "pairs", "median error", "nine in ten within", *(["range"] if with_range else [])], rows)


def stand_ins() -> str:
    """Return the section on what stands in for clouds and engines."""
    rows = (PROJECT / "tests" / "account" / "README.md").read_text("utf-8").splitlines()
    limits = sum(row.startswith("| ") and not row.startswith("| resource ") for row in rows)
    return _section(
        "stand-ins",
        f"Every resource of every stack is checked against at least {about(limits)} published limits of AWS, Azure and "
        "Kubernetes, each with its source: [what an account would say](../tests/account/README.md). A real Pulumi engine "
        "runs the stacks in Python, TypeScript and YAML, with stand-ins for the clouds. Code that reads an account is tested "
        "against moto, which imitates AWS.",
    )


SECTIONS: Final[Mapping[str, Callable[[], str]]] = {
    "karpenter": karpenters_code,
    "live": live_karpenter,
    "kubernetes": kubernetes_validation,
    "simulation": simulated_kubernetes,
    "specification": specification,
    "gates": gates,
    "suggestions": suggestions,
    "prices": prices,
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
