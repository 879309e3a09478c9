"""How these tests write manifests: YAML text in, `Workloads` or messages out."""

from __future__ import annotations

from textwrap import dedent, indent

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.read import Workloads, read_workloads

POD = "containers: [{name: main, image: demo/web, resources: {requests: {cpu: 250m}}}]"


def read(*texts: str) -> Workloads:
    """Return the workloads in YAML texts; the texts must be right."""
    workloads, problems = attempt(*texts)
    assert not problems, "\n".join(problems)
    return workloads


def attempt(*texts: str) -> tuple[Workloads, list[str]]:
    """Return the workloads in YAML texts, and every message about them."""
    problems = Problems()
    documents = parse_documents("\n---\n".join(dedent(text) for text in texts), "app.yaml", problems)
    return read_workloads(documents, problems), [str(problem) for problem in problems.found]


def messages(*texts: str) -> list[str]:
    """Return every message about YAML texts."""
    return attempt(*texts)[1]


def only(workloads: Workloads) -> PodGroup:
    """Return the one group there is."""
    (group,) = workloads.groups
    return group


def notes(workloads: Workloads) -> dict[str, list[str]]:
    """Return the notes by their codes."""
    out: dict[str, list[str]] = {}
    for note in workloads.notes:
        out.setdefault(note.code, []).append(note.text)
    return out


def controller(kind: str = "Deployment", name: str = "web", spec: str = "", pod: str = POD, metadata: str = "") -> str:
    """Return a controller; `spec` is put before its template, `pod` is the pod spec in flow or block form."""
    version = {"Job": "batch/v1", "CronJob": "batch/v1", "ReplicationController": "v1"}.get(kind, "apps/v1")
    template = f"template:\n  metadata: {{labels: {{app: {name}}}}}\n  spec:\n{indent(dedent(pod).strip(), ' ' * 4)}"
    body = dedent(spec).strip()
    if kind == "CronJob":
        inner = "jobTemplate:\n  spec:\n" + indent(template, " " * 4)
        body = f"{body}\n{inner}"
    else:
        body = f"{body}\n{template}"
    extra = f"\n{indent(dedent(metadata).strip(), '  ')}" if metadata else ""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}{extra}\nspec:\n{indent(body.strip(), '  ')}\n"
