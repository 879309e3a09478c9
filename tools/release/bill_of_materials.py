"""The bill of materials of a release, as CycloneDX has it: what Cutlist is installed with, in the pinned versions, each with
its hashes."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from tools.release.project import Project

PINS: Final = "tools/integrations/requirements.txt"
_PIN: Final = re.compile(r"^(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?P<hashes>(?: --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def bill_of_materials(project: Project, distributions: Sequence[Path]) -> dict[str, Any]:
    """Return the document: the same for the same commit, wherever it is made. Licences and dependencies are those of the
    distributions that are installed here in the pinned version."""
    pins = {match["name"]: match for match in _PIN.finditer((project.root / PINS).read_text("utf-8"))}
    references = {name: f"pkg:pypi/{name}@{match['version']}" for name, match in pins.items()}
    own = f"pkg:pypi/cutlist@{project.version}"
    digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in distributions}
    made = datetime.fromtimestamp(project.commit_time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own + ''.join(sorted(digests.values())))}",
        "version": 1,
        "metadata": {
            "timestamp": made,
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "cutlist",
                "version": project.version,
                "purl": own,
                "licenses": [{"license": {"id": str(project.metadata["project"]["license"])}}],
                "components": [_file(name, digest) for name, digest in sorted(digests.items())],
            },
        },
        "components": [_component(match, references[name]) for name, match in sorted(pins.items())],
        "dependencies": list(_dependencies(project, own, pins, references)),
    }


def _file(name: str, digest: str) -> dict[str, Any]:
    return {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def _component(pin: re.Match[str], reference: str) -> dict[str, Any]:
    """Return a pinned distribution. Its hashes are those of its wheels, of which an installation has one."""
    expression = _licence(pin["name"], pin["version"])
    return {
        "type": "library",
        "bom-ref": reference,
        "name": pin["name"],
        "version": pin["version"],
        "purl": reference,
        **({"licenses": [{"expression": expression}]} if expression else {}),
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in re.findall(r"sha256:(\w+)", pin["hashes"])],
    }


def _licence(name: str, version: str) -> str | None:
    """Return the licence expression of an installed distribution, where its metadata has one."""
    try:
        installed = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    expression = re.search(r"^License-Expression: (.+)$", installed.read_text("METADATA") or "", re.MULTILINE)
    return expression[1] if expression and installed.version == version else None


def _dependencies(
    project: Project, own: str, pins: Mapping[str, re.Match[str]], references: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield what depends on what, among the pinned distributions."""
    declared = project.metadata["project"]
    requirements = [*declared["dependencies"], *(one for extra in declared["optional-dependencies"].values() for one in extra)]
    yield _edge(own, requirements, references)
    for name, pin in sorted(pins.items()):
        try:
            installed = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if installed.version == pin["version"]:
            yield _edge(references[name], installed.requires or [], references)


def _edge(reference: str, requirements: Sequence[str], references: Mapping[str, str]) -> dict[str, Any]:
    names = {re.sub(r"[-_.]+", "-", Requirement(text).name).lower() for text in requirements}
    return {"ref": reference, "dependsOn": sorted(references[name] for name in names if name in references)}
