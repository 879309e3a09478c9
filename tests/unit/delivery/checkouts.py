"""Checkouts of git with a chart, written by hand, and a stand-in for helm that prints what helm makes of it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path

from cutlist.core.notes import Notes
from cutlist.documents.collecting import read_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import Charts, Reading

ADDRESS = "https://git.example.com/shop/deploy.git"
RECORDED: Mapping[str, Mapping[str, object]] = json.loads(Path(__file__).with_name("rendered.json").read_text())
"""By name of a release: the words of the command, without the program, and what helm printed, by `make helm` and a test."""

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "charts/web/values.yaml": "replicas: 2\nzone: ''\ncpu: 500m\n",
    "charts/web/values-prod.yaml": "replicas: 6\n",
    "charts/web/crds/thing.yaml": (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n"
    ),
    "charts/web/templates/deployment.yaml": textwrap.dedent(
        """\
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {{ .Release.Name }}-web
        spec:
          replicas: {{ .Values.replicas }}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              {{- with .Values.zone }}
              nodeSelector: {topology.kubernetes.io/zone: {{ . | quote }}}
              {{- end }}
              containers:
                - name: web
                  image: example.com/web
                  resources: {requests: {cpu: {{ .Values.cpu }}, memory: 1Gi}}
        """
    ),
    "charts/web/templates/budget.yaml": textwrap.dedent(
        """\
        {{- if .Capabilities.APIVersions.Has "policy/v1" }}
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: {{ .Release.Name }}-web
          namespace: {{ .Release.Namespace }}
        spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
        {{- end }}
        """
    ),
}
"""A chart whose Deployment has no namespace of its own, as is usual."""


def checkout(root: Path, files: Mapping[str, str], address: str = ADDRESS) -> Path:
    """Write files into a checkout of a repository, and return its root."""
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git/config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {address}\n')
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def stand_in(folder: Path, *, text: str = "", status: int = 0, errors: str = "") -> Path:
    """Write a program named helm that keeps what it is given, and prints a text, else what is recorded of a release."""
    folder.mkdir()
    for name, made in RECORDED.items():
        (folder / f"{name}.yaml").write_text(str(made["output"]))
    if text:
        (folder / "text").write_text(text)
    (folder / "errors").write_text(errors)
    here = f"'{folder}'"
    (folder / "helm").write_text(
        f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {here}/words\nenv > {here}/environment\n"
        f'for word in "$@"; do case "$word" in */values-*.json) cat "$word" > {here}/values;; esac; done\n'
        f'if [ -e {here}/text ]; then cat {here}/text; else cat {here}/"$2".yaml; fi\ncat {here}/errors >&2\nexit {status}\n'
    )
    (folder / "helm").chmod(0o755)
    for name in ("helm3", "helm4"):  # which controllers prefer, where they are installed
        (folder / name).symlink_to("helm")
    return folder


def words(folder: Path) -> list[str]:
    """Return the words that the stand-in was called with."""
    return (folder / "words").read_text().splitlines()


def rendered(*paths: Path, charts: Charts | None = None, recursive: bool = False) -> tuple[tuple[Document, ...], list[str]]:
    """Return the objects of paths with charts rendered, and the notes. Raises InputError for any problem."""
    notes = Notes()
    reading = Reading(recursive, charts=charts or Charts())
    documents = read_documents(paths, reading=reading, notes=notes)
    return documents, [f"{note.code}: {note.text}" for note in notes.all()]


def names(documents: tuple[Document, ...]) -> list[str]:
    """Return kind, namespace and name of objects in order."""
    metadata = (document.data["metadata"] for document in documents)
    return [f"{d.kind} {m.get('namespace', '-')}/{m['name']}" for d, m in zip(documents, metadata, strict=True)]
