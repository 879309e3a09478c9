"""Objects of the table of kinds as sets of pods, each with its checked template and its number."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.shapes import Located, Report, integer
from cutlist.documents.document import Document
from cutlist.workloads import check
from cutlist.workloads.controllers import Controller
from cutlist.workloads.pod_kinds import Added, PodKind, PodSet

Manifest = Mapping[str, Any]
Lookup = Callable[[str, str, str], Manifest | None]
"""Returns the manifest of a kind, namespace and name, or None if the input lacks it."""

_STEP: Final = re.compile(r"\['([^']*)'\]|([^.\[\]]+)")
_POD_FIELDS: Final = (
    "nodeSelector",
    "affinity",
    "tolerations",
    "topologySpreadConstraints",
    "priorityClassName",
    "hostNetwork",
)
_COUNT: Final = integer(0)
_MAIN: Final = "main"
_CLAIM: Final = "data"


@dataclass(frozen=True, slots=True)
class Within(Located):
    """Places of generated parts: each is the place of the object's part that it comes from."""

    document: Document
    path: str

    def at(self, path: str) -> Place:  # noqa: ARG002 - it is not written there
        """Return the place of the part from which a path was generated."""
        return self.document.at(self.path)


def controllers_of(document: Document, row: PodKind, lookup: Lookup, report: Report) -> list[tuple[Controller, PodSet]]:
    """Return the sets of pods of an object, as controllers; none if it has no template that its kind should have. Mistakes in a
    template or a number are reported, and their set is left out.
    """
    sets = []
    for pods in row.sets:
        if _is_absent(document.data, pods.unless) or _is_undecided(document, pods, lookup):
            continue
        for entry, path, role in _entries(document.data, pods):
            controller = _controller(_Set(document, pods, entry, path, role, lookup), report)
            sets += [(controller, pods)] if controller is not None else []
    return sets


def value_at(data: Any, path: str) -> Any:
    """Return the value at a path such as `spec.template` or `metadata.annotations['a.b/c']`, or None if nothing is there."""
    for quoted, plain in _STEP.findall(path):
        data = data.get(quoted or plain) if isinstance(data, Mapping) else None
    return data


@dataclass(frozen=True, slots=True)
class _Set:
    """One set of pods of an object: its row, and the object's entry that contains it."""

    document: Document
    pods: PodSet
    entry: Any
    path: str
    role: str
    lookup: Lookup

    def read(self, paths: str) -> tuple[Any, str]:
        """Return the first value that is written at one of these paths, with its path in the object."""
        where = ""
        for path in paths.split("|"):
            is_root = path.startswith("/") or not self.path
            where = path.lstrip("/") if is_root else f"{self.path}.{path}"
            value = value_at(self.document.data, where) if is_root else value_at(self.entry, path)
            if value is not None:
                return value, where
        return None, where


def _is_absent(data: Manifest, unless: str) -> bool:
    path, _, word = unless.partition("!")
    value = value_at(data, path) if path else None
    return value not in (None, word) if word else bool(value)


def _is_undecided(document: Document, pods: PodSet, lookup: Lookup) -> bool:
    """Tell whether the object, or one of its entries, has something that makes the pods differ from the row."""
    sets = [_Set(document, pods, *entry, lookup) for entry in _entries(document.data, pods)]
    for of, condition in product(sets, pods.undecided):
        if condition.startswith("-"):
            if of.read(condition[1:])[0] is None:
                return True
            continue
        path, sign, word = re.split(r"([!=])", condition) if re.search("[!=]", condition) else (condition, "", "")
        value = of.read(path)[0]
        if value is not None and (not sign or (str(value).lower() == word) == (sign == "=")):
            return True
    return False


def _entries(data: Manifest, pods: PodSet) -> Iterator[tuple[Any, str, str]]:
    """Yield the entries that have their own sets, each with its path and role; without `each`, the object itself."""
    if not pods.each:
        yield data, "", pods.role
        return
    entries = value_at(data, pods.each)
    if isinstance(entries, Mapping):
        for key, entry in entries.items():
            yield entry, f"{pods.each}.{key}", str(key).lower()
    for index, entry in enumerate(entries) if isinstance(entries, list) else ():
        role = value_at(entry, pods.name) if pods.name else None
        yield entry, f"{pods.each}[{index}]", str(role or index)


def _controller(of: _Set, report: Report) -> Controller | None:
    template, path, is_written = _template(of)
    if template is None:
        return None
    before, document = len(report.problems.found), of.document
    at = report if is_written else Report(Within(document, path), report.problems)
    check.template(template, path, at)
    count, most = _count(of, report), _most(of, report)
    claims = _claims(of, report)
    if len(report.problems.found) > before:
        return None
    metadata = document.data["metadata"]
    namespace = metadata.get("namespace") or "default"
    labels = {**(template.get("metadata") or {}), "namespace": namespace}
    suspended = any(of.read(path)[0] is True for path in of.pods.suspended)
    return Controller(
        document.kind,
        namespace,
        "-".join(filter(None, (metadata.get("name") or metadata.get("generateName") or "", of.role))),
        {"metadata": labels, "spec": template["spec"]},
        count,
        suspended,
        0,
        claims,
        None if most is None else (count, max(count, most)),
    )


def _template(of: _Set) -> tuple[dict[str, Any] | None, str, bool]:
    """Return the pod template with the operator's additions, its path, and whether it is written as a template."""
    for path in of.pods.template:
        value, where = of.read(path)
        if isinstance(value, Mapping) or (of.pods.main and value is None):
            return _with_added(_with_main(value or {}, of), of), where, True
    reference, where = of.read("spec.workloadRef")
    if isinstance(reference, Mapping):
        metadata = of.document.data["metadata"]
        named = str(reference.get("kind") or ""), metadata.get("namespace") or "default", str(reference.get("name") or "")
        target = of.lookup(*named)
        template = value_at(target, "spec.template") if target is not None else None
        return (_with_added(template, of) if isinstance(template, Mapping) else None), where, False
    if not of.pods.pod:
        return None, "", False
    fields, where = of.read(of.pods.pod)
    return _with_added(_made(fields if isinstance(fields, Mapping) else {}, of), of), where, False


def _made(fields: Manifest, of: _Set) -> Manifest:
    """Return a pod template generated from the fields of an object without one."""
    values = {**fields, **{name: of.read(path)[0] if path else None for name, path in of.pods.fields.items()}}
    spec = {name: values[name] for name in _POD_FIELDS if values.get(name) is not None}
    owner = of.document.name
    spec |= _filled_in(of.pods.sets, owner)
    resources = values.get("resources")
    main = {"name": _MAIN, "resources": {"requests": dict(of.pods.default_requests)} if resources is None else resources}
    others = fields.get("containers")
    containers = [main, *(others if isinstance(others, list) else ())]
    metadata = fields.get("podMetadata") or {}
    if of.pods.labels:
        metadata = {"labels": _filled_in(of.pods.labels, owner)}
    return {"metadata": metadata, "spec": {**spec, "containers": containers}}


def _with_main(template: Manifest, of: _Set) -> Manifest:
    """Return a template with the container, labels and fields that the operator adds."""
    metadata, spec = template.get("metadata") or {}, template.get("spec") or {}
    containers = spec.get("containers") or [] if isinstance(spec, Mapping) else None
    if not of.pods.main or not isinstance(metadata, Mapping) or not isinstance(containers, list):
        return template
    known = [container.get("name") for container in containers if isinstance(container, Mapping)]
    others = [c for c in containers if not isinstance(c, Mapping) or c.get("name") != of.pods.main]
    main = containers[known.index(of.pods.main)] if of.pods.main in known else {"name": of.pods.main}
    resources = main.get("resources") or {}
    if isinstance(resources, Mapping) and not (resources.get("requests") or resources.get("limits")):
        main = {**main, "resources": {**resources, "requests": dict(of.pods.default_requests)}}
    owner = of.document.name
    written = metadata.get("labels") or {}
    labels = {**written, **_filled_in(of.pods.labels, owner)} if isinstance(written, Mapping) else written
    fields = {name: value for name, value in spec.items() if value is not None}
    whole = {**_filled_in(of.pods.sets, owner), **fields, "containers": [main, *others]}
    return {**template, "metadata": {**metadata, "labels": labels}, "spec": whole}


def _filled_in(value: Any, name: str) -> Any:
    """Return a value of the table with the object's name in place of `{name}`."""
    if isinstance(value, Mapping):
        return {key: _filled_in(member, name) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled_in(member, name) for member in value]
    return value.replace("{name}", name) if isinstance(value, str) else value


def _with_added(template: Manifest, of: _Set) -> dict[str, Any]:
    """Return a template whose containers have names and requests, including those that the operator adds."""
    spec = template.get("spec")
    lists = [spec.get(name) or [] for name in ("containers", "initContainers")] if isinstance(spec, Mapping) else []
    if not isinstance(spec, Mapping) or not all(isinstance(items, list) for items in lists) or not spec.get("containers"):
        return dict(template)
    containers = [_named(c, index, of.pods.requests) for index, c in enumerate(spec["containers"])]
    inits = spec.get("initContainers") or []
    known = [c.get("name") for c in (*containers, *inits) if isinstance(c, Mapping)]
    added = [(a, _container(a, of)) for a in of.pods.adds if a.name not in known and (not a.when or of.read(a.when)[0])]
    first = [c for a, c in added if a.is_init]
    spec = {**spec, "containers": [*containers, *(c for a, c in added if not a.is_init)]}
    return {**template, "spec": {**spec, "initContainers": [*first, *inits]} if first else spec}


def _named(container: Any, index: int, requests: Mapping[str, str]) -> Any:
    if not isinstance(container, Mapping):
        return container
    named = {"name": f"{_MAIN}-{index}" if index else _MAIN, **container}
    resources = named.get("resources") or {}
    if index or not requests or not isinstance(resources, Mapping):
        return named
    written = resources.get("requests") or {}
    limits = resources.get("limits") or {}
    if isinstance(written, Mapping) and isinstance(limits, Mapping):
        missing = {name: amount for name, amount in requests.items() if name not in written and name not in limits}
        named["resources"] = {**resources, "requests": {**missing, **written}}
    return named


def _container(added: Added, of: _Set) -> dict[str, Any]:
    resources = of.read(added.resources)[0] if added.resources else None
    return {"name": added.name, "resources": resources or {"requests": dict(added.requests)}}


def _count(of: _Set, report: Report) -> int:
    """Return the number of pods: the product of its factors, the first one within its bounds."""
    return math.prod(_factors(of, report).values())


def _most(of: _Set, report: Report) -> int | None:
    """Return the most pods that the operator scales the set to, None if it does not scale it, or without a limit."""
    if not of.pods.up_to:
        return None
    factors = _factors(of, report)
    for paths, (limit, default) in of.pods.up_to.items():
        written = _number(of, limit, report)
        most = default if written is None else written
        if most is None:
            return None
        factors[paths] = most
    return math.prod(factors.values())


def _factors(of: _Set, report: Report) -> dict[str, int]:
    """Return the factors of the number of pods by their paths."""
    factors = {}
    for index, (paths, default) in enumerate(of.pods.count.items()):
        factor = _number(of, paths, report)
        factor = default if factor is None else factor
        if index == 0 and of.pods.at_least:
            factor = max(factor, _number(of, of.pods.at_least, report) or 0)
        if index == 0 and of.pods.at_most:
            most = _number(of, of.pods.at_most, report)
            factor = factor if most is None else min(factor, most)
        factors[paths] = max(0, factor - of.pods.less.get(paths, 0))
    return factors


def _number(of: _Set, paths: str, report: Report) -> int | None:
    return number_of_pods(*of.read(paths), report)


def number_of_pods(value: Any, path: str, report: Report) -> int | None:
    """Return a number of pods, which annotations and settings have as text; None if it is missing or reported."""
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    if value is None:
        return None
    count: int = _COUNT(value, path, report)
    return count if _COUNT.accepts(value) else None


def _has_volume(of: _Set, claims: Any) -> bool:
    """Tell whether a claim template or a volume of the pod template has the name of the operator's claim."""
    volumes = of.read(f"{of.pods.template[0]}.spec.volumes")[0]
    named = [value_at(claim, "metadata.name") for claim in claims] if isinstance(claims, list) else []
    named += [value_at(volume, "name") for volume in volumes] if isinstance(volumes, list) else []
    return of.pods.claimed in named


def _claims(of: _Set, report: Report) -> tuple[Manifest, ...]:
    single, where = of.read(of.pods.claim) if of.pods.claim else (None, "")
    several, several_at = of.read(of.pods.claims) if of.pods.claims else (None, "")
    claims = []
    if isinstance(single, Mapping):
        claims = [
            (
                {**single, "metadata": {"name": "data", **(single.get("metadata") or {})}, "spec": single.get("spec") or {}},
                where,
            )
        ]
    if of.pods.claimed and not _has_volume(of, several):
        claims.append(({"metadata": {"name": of.pods.claimed}, "spec": {}}, several_at))
    if of.pods.storage_class:
        storage_class, where = of.read(of.pods.storage_class)
        spec = {} if storage_class is None else {"storageClassName": storage_class}
        claims.append(({"metadata": {"name": _CLAIM}, "spec": spec}, where))
    claims += [(c, f"{several_at}[{index}]") for index, c in enumerate(several if isinstance(several, list) else ())]
    for claim, path in claims:
        check.shape_of("NamedClaimTemplate")(claim, path, report)
    return tuple(claim for claim, _ in claims)
