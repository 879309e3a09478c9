"""What a real API server says of objects, compared with what is recorded of Kubernetes' own code.

Two records are asked again: the verdicts on Karpenter's kinds (tests/conformance/answers, `api`), under the CRDs of their
providers, and those on workloads (tests/unit/workloads/validation). Programs that import the code of an API server gave both.
Here a server is asked, by dry runs with strict fields. Nothing is recorded twice: `recordings/validation.json` holds how many
answers the server confirmed, of which questions, and each answer that differs, with its cause.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.conformance.judges import api as judge
from tests.live.api import Api, ApiError
from tests.live.custom_resources import Paths, install, lax
from tests.live.provider_modules import AWS, AWS_1_15, AZURE, ProviderModule
from tests.recorded import VECTORS
from tests.unit.workloads.validation.cases import CASES
from tests.unit.workloads.validation.record import answers

RECORDED: Final = Path(__file__).with_name("recordings") / "validation.json"
CAUSES: Final[Mapping[str, str]] = {
    "admin access": "the server asks for the label resource.kubernetes.io/admin-access of the namespace",
    "weight-float": "recorded of an API server of 1.37, which names types as Go does",
    "namespace with dot": "the server looks for the namespace first",
    "unknown preemption policy": "admission compares the policy with that of the pod's PriorityClass first",
    "priority class in upper case": "admission looks for the PriorityClass first",
    "empty runtime class": "admission looks for the RuntimeClass first",
    "service account in upper case": "admission looks for the service account first",
    "token without account": "admission names the account `default` first",
    "class of the system": "the server has made it itself: nobody else can",
}
"""Why the server gives another answer than the code that it is made of, by case."""
_LEVELS: Final = ("verdict", "paths", "messages", "defaulted")
"""What an API server decides of what is recorded; readiness, hashes and budgets are Karpenter's."""
_WITHOUT_RELEASE: Final = "next.json"
_QUERY: Final = "?dryRun=All&fieldValidation=Strict"
_BLOCKED: Final = "some validation rules were not checked"
_OF_THE_SERVER: Final = ("uid", "creationTimestamp", "generation", "managedFields", "resourceVersion")
_UNKNOWN_FIELD: Final = re.compile(r'unknown field "([^"]+)"')
_NAMED: Final = ({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web", "namespace": "default"}},)
"""What workloads of cases name."""
_NAMESPACE: Final = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web"}}
"""The namespace of objects of cases: later than the workloads, one of which has its name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the server says of an object: accepted with the object that it would store, or refused for causes."""

    accepted: bool
    causes: tuple[Mapping[str, str], ...] = ()
    stored: Mapping[str, Any] | None = None

    @property
    def answer(self) -> dict[str, Any]:
        """Return the verdict in the form of the recorded answers."""
        errors = [cause for cause in self.causes if _BLOCKED not in cause["message"]]
        defaulted = {} if self.stored is None else {"defaulted": _written(self.stored)}
        return {"accepted": self.accepted, "errors": errors, **defaulted}

    @property
    def paths(self) -> list[str] | None:
        """Return the paths of what is refused in their order; None for what cannot be decoded, which has no path."""
        return [] if self.accepted else sorted({cause["path"] for cause in self.causes if cause["path"]}) or None


@dataclass(frozen=True, slots=True)
class Record:
    """A group of recorded answers on Karpenter's kinds: the cases of a cloud, under the CRDs of its provider."""

    name: str
    folder: str
    cloud: str
    module: ProviderModule

    def files(self) -> list[Path]:
        """Return the files of the folder that have cases of releases."""
        files = sorted((VECTORS / self.folder).glob("*/*.json"))
        return [file for file in files if file.parent.name not in ("hash", "convert") and file.name != _WITHOUT_RELEASE]

    def cases(self) -> Iterator[Mapping[str, Any]]:
        """Yield the cases in their order."""
        for file in self.files():
            yield from (case for case in json.loads(file.read_text("utf-8")) if case["provider"] == self.cloud)


RECORDS: Final = (
    Record("AWS 1.14.1", "api", "aws", AWS),
    Record("AWS 1.15.1", "1.15/api", "aws", AWS_1_15),
    Record("Azure 1.14.0", "api", "azure", AZURE),
)
WORKLOADS: Final = "workloads"
MINOR: Final = 35
"""The minor version of Kubernetes of the servers."""


@dataclass(slots=True)
class Confirmation:
    """How many answers of each group a server confirmed, and what it says otherwise, by case."""

    equal: dict[str, int] = field(default_factory=dict)
    different: dict[str, list[str]] = field(default_factory=dict)

    def add(self, group: str, name: str, differences: list[str]) -> None:
        """Count an answer."""
        self.equal[group] = self.equal.get(group, 0) + (not differences)
        if differences:
            self.different[name] = differences

    @property
    def unexplained(self) -> dict[str, list[str]]:
        """Return what differs for no known cause."""
        return {name: differences for name, differences in self.different.items() if name not in CAUSES}

    def written(self, server: str) -> dict[str, Any]:
        """Return the record of what a server of a version confirmed."""
        causes = {name: CAUSES[name] for name in sorted(self.different) if name in CAUSES}
        return {"server": server, "questions": digest(), "equal": dict(sorted(self.equal.items())), "different": causes}


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks a server."""

    api: Api

    def confirm(self) -> Confirmation:
        """Ask everything a server that is new. Its CRDs are those of the last record afterwards."""
        confirmation, right, paths = Confirmation(), answers(MINOR), Paths(self.api)
        for named in _NAMED:
            self.api.create(named)
        for workload in CASES:
            said = self._asked(paths, workload.manifest).paths
            differences = [] if said == right[workload.name] else [f"{said} instead of {right[workload.name]}"]
            confirmation.add(WORKLOADS, workload.name, differences)
        self.api.create(_NAMESPACE)
        for record in RECORDS:
            install(self.api, record.module.crds())
            paths = Paths(self.api)
            for case in record.cases():
                confirmation.add(record.name, case["name"], self._differences(paths, case))
        return confirmation

    def _differences(self, paths: Paths, case: Mapping[str, Any]) -> list[str]:
        """Return what sets the server's answer to a case apart from the recorded one."""
        verdict = self._asked(paths, case["object"], case.get("old"))
        levels = judge.validate(_in_words_of_the_server(case), verdict.answer)
        return [f"{level}: {json.dumps(detail)}" for level, right, detail in levels if level in _LEVELS and not right]

    def _asked(self, paths: Paths, manifest: Mapping[str, Any], old: Mapping[str, Any] | None = None) -> Verdict:
        """Return what the server says of an object that is created, or that takes the place of an old one."""
        try:
            path = paths.of(manifest)
            if old is None:
                return Verdict(True, stored=self.api.call("POST", path + _QUERY, manifest))
            with self._stored(paths.of(old), old) as stored:
                identity = {key: stored["metadata"][key] for key in ("resourceVersion", "uid")}
                new = {**manifest, "metadata": {**identity, **manifest["metadata"]}}
                return Verdict(True, stored=self.api.call("PUT", f"{path}/{manifest['metadata']['name']}{_QUERY}", new))
        except ApiError as error:
            return Verdict(False, tuple(causes_of(error.status)))

    @contextlib.contextmanager
    def _stored(self, path: str, old: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Store an object for some time: one that today's CRD refuses as if it had been there before the CRD's rules."""
        try:
            stored = self.api.call("POST", path, old)
        except ApiError:
            with lax(self.api, old):
                stored = self.api.call("POST", path, old)
        try:
            yield stored
        finally:
            self.api.call("DELETE", f"{path}/{old['metadata']['name']}")


def digest() -> str:
    """Return what stands for all questions and their recorded answers."""
    files = sorted({file for record in RECORDS for file in record.files()})
    paths = answers(MINOR)
    workloads = [(case.name, case.manifest, paths[case.name]) for case in CASES]
    kinds = b"".join(file.read_bytes() for file in files)
    return hashlib.sha256(kinds + json.dumps(workloads, sort_keys=True).encode()).hexdigest()


def write(file: Path, confirmation: Confirmation, server: str) -> None:
    """Write down what a server of a version confirmed."""
    file.write_text(json.dumps(confirmation.written(server), indent=1) + "\n", "utf-8")


def recorded() -> dict[str, Any]:
    """Return what a server confirmed when it was asked last."""
    confirmed: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return confirmed


def _in_words_of_the_server(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case whose messages are the lines that users read, but for the path at their beginning."""
    errors = [{**error, "message": error["text"].removeprefix(f"{error.get('path')}: ")} for error in case["errors"]]
    return {**case, "errors": errors}


def causes_of(status: Any) -> list[dict[str, str]]:
    """Return why an object is refused, from a Status or the text of an answer without one."""
    if not isinstance(status, Mapping):
        return [{"path": "", "message": str(status)}]
    message = status.get("message", "")
    if unknown := _UNKNOWN_FIELD.findall(message):
        return [{"path": path, "message": f'unknown field "{path}"'} for path in unknown]
    causes = (status.get("details") or {}).get("causes") or [{"message": message}]
    return [{"path": cause.get("field", ""), "message": cause.get("message", "")} for cause in causes]


def _written(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored object without what the server adds to its metadata."""
    metadata = {key: value for key, value in stored["metadata"].items() if key not in _OF_THE_SERVER}
    return {**stored, "metadata": metadata}
