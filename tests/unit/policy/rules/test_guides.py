"""Every rule has a guide whose example breaks it, and whose fixed example passes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
import yaml

from cutlist.policy.guides import Guide, guides
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Finding, ObjectRule, Options, Resource, Resources, StackRule, Violation
from cutlist.policy.rules.rule import DAY
from cutlist.policy.rules.tokens import NODE_PLAN

GUIDES = guides()
OPTIONS = {
    "protect": "protect",
    "retainOnDelete": "retain_on_delete",
    "ignoreChanges": "ignore_changes",
    "replaceOnChanges": "replace_on_changes",
}


def resources_of(text: str) -> Iterator[Resource]:
    """The resources of an example: Kubernetes objects, a Pulumi program's resources, or the measures of a plan."""
    for document in yaml.safe_load_all(text):
        if "kind" in document:
            token = f"kubernetes:{document['apiVersion']}:{document['kind']}"
            yield Resource(token, document["metadata"]["name"], document)
        elif "measures" in document:
            yield Resource(NODE_PLAN, "nodes", document)
        else:
            yield from (_of_program(name, **members) for name, members in document["resources"].items())


def _of_program(name: str, type: str, properties: dict[str, Any], options: dict[str, Any] | None = None) -> Resource:  # noqa: A002
    package, _, rest = type.partition(":")
    module, _, last = rest.rpartition(":")
    if package == "aws":  # a program in YAML may leave out what the last part repeats
        type = f"aws:{module}/{last[0].lower()}{last[1:]}:{last}"  # noqa: A001
    if package == "kubernetes" and "metadata" in properties:
        version, _, kind = rest.partition(":")
        properties = {"apiVersion": version, "kind": kind, **properties}
        name = properties["metadata"]["name"]
    made = {OPTIONS[key]: tuple(value) if isinstance(value, list) else value for key, value in (options or {}).items()}
    return Resource(type, name, _evaluated(properties), options=Options(**made))


def _evaluated(value: Any) -> Any:
    """A value with the texts that `fn::toJSON` makes."""
    if isinstance(value, dict):
        return json.dumps(value["fn::toJSON"]) if "fn::toJSON" in value else {k: _evaluated(v) for k, v in value.items()}
    return value


def findings(rule: ObjectRule | StackRule, guide: Guide, text: str) -> list[Finding]:
    resources, settings = Resources.of(resources_of(text)), {DAY: date(2026, 11, 23), **rule.defaults, **guide.settings}
    if isinstance(rule, StackRule):
        return rule.findings(resources, settings)
    return [finding for resource in resources.all for finding in rule.findings(resource, settings)]


def test_every_rule_has_a_guide():
    assert set(GUIDES) == {rule.id for rule in ALL}


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_the_example_of_a_rule_breaks_it_and_what_to_write_instead_passes(rule: ObjectRule | StackRule):
    guide = GUIDES[rule.id]
    broken = findings(rule, guide, guide.example)
    assert broken
    assert all(isinstance(one, Violation) for one in broken)
    assert findings(rule, guide, guide.instead) == []
    looked_at = [resource for resource in resources_of(guide.instead) if rule.applies(resource.type)]
    assert looked_at or rule.id == "OB-03" or rule.id == "NP-17"


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_guide_is_sentences_and_its_settings_are_the_rules(rule: ObjectRule | StackRule):
    guide = GUIDES[rule.id]
    assert guide.checks.split()[0] in ("Checks", "Reports", "Adds", "Follows")
    assert all(text[0].isupper() and text.endswith(".") for text in (guide.checks, guide.why))
    assert guide.note.endswith(".") or (not guide.note and guide.fix == "replaces nodes")
    assert all(f"`{parameter.name}`" in guide.checks for parameter in rule.parameters)
    assert guide.settings.keys() <= rule.defaults.keys()
