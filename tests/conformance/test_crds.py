"""The CRD files themselves: every field, bound and default of theirs is in the models, every rule of theirs has its row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cutlist.api import v1beta1
from cutlist.api.aksnodeclass_rules import AKS_NODE_CLASS
from cutlist.api.kinds import KINDS
from cutlist.api.model import GO_DURATION, HELP
from cutlist.api.rule_table import Rule
from cutlist.api.schema import NAMES_FORMAT
from cutlist.api.validation import ObjectKind
from cutlist.core import labels
from cutlist.core.karpenter.baselines import BASELINES
from tests.conformance.next_aksnodeclass import NEXT_AKS_NODE_CLASS
from tests.recorded import FACTS

# V-1 to V-9, V-23, V-26, V-46, V-47, V-56: what a schema says. Auto Mode's NodeClass has no published CRD.
OLD = "v1.0"  # of its two versions only the one that was removed since
NEWER = "-1.15"  # V15-60, V15-61, VA15-1, VA15-50, VA15-116: with this after its name, what a provider has since
PROVIDERS = {
    "core": "",
    OLD: "",
    "aws": labels.AWS_GROUP,
    "azure": labels.AZURE_GROUP,
    "azure-next": labels.AZURE_GROUP,
    f"core{NEWER}": "",
    f"aws{NEWER}": labels.AWS_GROUP,
}
UNREAD = {
    "description",
    HELP,
    NAMES_FORMAT,
    "x-kubernetes-validations",
    "x-kubernetes-map-type",  # how kubectl merges labels and annotations
}


class Version(NamedTuple):
    """One version of a CRD file, and the kind that stands for it."""

    name: str
    provider: str
    kind: ObjectKind
    schema: Mapping[str, Any]


def versions() -> Iterator[Version]:
    for file in sorted((FACTS / "crds").glob("*/*.json")):
        if file.parent.name in PROVIDERS:
            yield from of_file(file)


def of_file(file: Path) -> Iterator[Version]:
    crd = json.loads(file.read_text())["spec"]
    for version in crd["versions"]:
        kind = KINDS.get((f"{crd['group']}/{version['name']}", crd["names"]["kind"])) or v1beta1.KINDS[crd["names"]["kind"]]
        if file.parent.name == OLD and version["name"] != "v1beta1":
            continue
        if file.parent.name == "azure-next" and kind is AKS_NODE_CLASS:
            kind = NEXT_AKS_NODE_CLASS
        if file.parent.name.endswith(NEWER):
            kind = kind.under(BASELINES[-1])
        name = f"{file.parent.name}/{crd['names']['kind']}/{version['name']}"
        yield Version(name, PROVIDERS[file.parent.name], kind, version["schema"]["openAPIV3Schema"])


@pytest.mark.parametrize("provider", ["aws", "azure", f"aws{NEWER}"])
def test_all_kinds_of_a_provider_are_known_and_of_no_namespace(provider):  # K-187
    """So none of them is read from a namespace, or looked for in one."""
    served = [json.loads(file.read_text())["spec"] for file in (FACTS / "crds" / provider).glob("*.json")]
    assert {crd["scope"] for crd in served} == {"Cluster"}
    known = {kind for _, kind in KINDS}
    assert {crd["names"]["kind"] for crd in served} <= known
    assert len(served) == 4


VERSIONS = list(versions())
each_version = pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)


def comparable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what says nothing to the API server's checks."""
    found = {key: value for key, value in schema.items() if key not in UNREAD}
    if found.get("x-kubernetes-list-type") == "atomic":
        del found["x-kubernetes-list-type"]  # what a list is anyway
    if found.get("format") in ("int64", GO_DURATION):
        del found["format"]
    if found.get("additionalProperties") is False:
        del found["additionalProperties"]
    for key in ("items", "additionalProperties"):
        if isinstance(found.get(key), Mapping):
            found[key] = comparable(found[key])
    if "properties" in found:
        found["properties"] = {name: comparable(member) for name, member in found["properties"].items()}
        found["required"] = sorted(found.get("required", ()))
    return found


def differences(ours: Any, theirs: Any, path: str) -> Iterator[str]:
    """Where two comparable schemas differ."""
    if not isinstance(ours, Mapping) or not isinstance(theirs, Mapping):
        if ours != theirs:
            yield f"{path}: {ours!r}, in the CRD {theirs!r}"
        return
    for key in sorted({*ours, *theirs}):
        yield from differences(ours.get(key), theirs.get(key), f"{path}.{key}")


@each_version
def test_the_model_has_the_schema_of_the_crd(version):
    """Types, patterns, closed sets, bounds, sizes, required fields, defaults, kinds of lists: no difference, either way."""
    ours, theirs = comparable(version.kind.schema), comparable(version.schema)
    assert ours["properties"]["spec"] == theirs["properties"]["spec"], list(
        differences(ours["properties"]["spec"], theirs["properties"]["spec"], "spec")
    )
    # Karpenter 1.0 stored an EC2NodeClass without a spec, which launched nothing.
    assert ("spec" in theirs["required"]) == ("spec" in ours["required"]) or version.name.startswith(OLD)


def rules_in(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str, str]]:
    """Place, message and text in CEL of every rule below a schema."""
    for rule in schema.get("x-kubernetes-validations", ()):
        yield path, rule["message"], rule["rule"]
    for name, member in schema.get("properties", {}).items():
        yield from rules_in(member, f"{path}.{name}".removeprefix("."))
    if isinstance(schema.get("items"), Mapping):
        yield from rules_in(schema["items"], f"{path}[]")


KEYS = re.compile(r"\[[^\]]*/[^\]]*\](?= \|\|)")


def spelled(cel: str) -> str:
    """A rule in CEL without line breaks, with one kind of quotes, and without its list of label keys."""
    return KEYS.sub("[...]", re.sub(r"\s+", " ", cel.replace("'", '"')))


@each_version
def test_every_rule_of_the_crd_has_its_row(version):
    """With the CRD's path, message and text; and there is no row that no CRD has."""
    rows = {(row.path, row.message, spelled(row.cel)) for row in version.kind.rows(version.provider)}
    theirs = {(path, message, spelled(cel)) for path, message, cel in rules_in(version.schema)}
    assert rows == theirs


@each_version
def test_rows_know_the_label_keys_of_the_crd(version):
    """Each key that a rule lists is let through, and every other key of its domain that Cutlist knows is not."""
    known = labels.AWS.well_known | labels.AZURE.well_known | labels.AUTO.well_known
    rows = {(row.path, row.message): row for row in version.kind.rows(version.provider)}
    for path, message, cel in rules_in(version.schema):
        listed = KEYS.search(cel)
        if listed is not None:
            keys = set(re.findall(r'"([^"]+)"', listed.group()))
            *open_inside, domain = re.findall(r'endsWith\("([^"]+)"\)', cel)
            row = rows[path, message]
            assert isinstance(row, Rule)
            of_map = path.endswith("labels")
            for key in keys | {k for k in known if k.partition("/")[0].endswith(domain)}:
                breaches = list(row.breaches({key: ""} if of_map else key))
                is_open = key in keys or key.partition("/")[0].endswith(tuple(open_inside))
                assert bool(breaches) != is_open, (path, key)
