"""Laws that hold for every object of every kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutlist.api.kinds import KINDS
from cutlist.api.read import read_objects
from cutlist.api.structure import violations
from cutlist.api.validation import validate
from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from tests.conformance.verdict import verdict
from tests.examples import examples
from tests.quoted_yaml import quoted
from tests.unit.api.objects import manifests

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[1]}-{kind[0].rpartition('/')[2]}")
often = settings(examples(0.2), suppress_health_check=list(HealthCheck))


def shown(findings: Any) -> list[tuple[str, str]]:
    return sorted((finding.path, finding.message) for finding in findings if finding.message)


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@every_kind
@often
@given(data=st.data())
def test_the_stored_object_is_judged_like_the_written_one(kind, data):
    """validate(default(x)) = validate(x), and defaults are filled in once."""
    written = data.draw(manifests(kind))
    validation = validate(KINDS[kind], written)
    assert shown(validate(KINDS[kind], validation.stored).findings) == shown(validation.findings)
    assert KINDS[kind].stored(validation.stored) == validation.stored


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@every_kind
@often
@given(data=st.data())
def test_what_was_made_from_a_schema_breaks_nothing_of_it(kind, data):
    """The models take what their schema takes, or it is ours to refuse."""
    written = data.draw(manifests(kind))
    assert list(violations(KINDS[kind].schema, written)) == []
    said = {line.stage for finding in validate(KINDS[kind], written).findings for line in finding.reported}
    assert said <= {"rule", "runtime", "typed"}


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@every_kind
@often
@given(data=st.data())
def test_an_object_that_is_read_is_written_back(kind, data):
    """read(write(x)) = x, through YAML as well."""
    written = data.draw(manifests(kind))
    problems = Problems()
    found = read_objects(parse_documents(quoted(written), "all.yaml", problems), problems)
    objects: Any = (*found.node_pools, *found.node_classes, *found.aks_node_classes, *found.node_claims)
    objects += (*found.node_overlays, *found.capacity_buffers)
    assert bool(objects) != bool(problems.found)
    for one in objects:
        assert one.manifest() == written
        assert type(one).from_manifest(one.manifest()) == one
        assert type(one).from_manifest(one.stored()).stored() == one.stored()


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@every_kind
@often
@given(data=st.data())
def test_an_update_that_changes_nothing_is_taken(kind, data):
    """Whatever rules have come since the object was stored, but for those that fail on it."""
    written = data.draw(manifests(kind))
    said = verdict(validate(KINDS[kind], written, old=written).findings)
    fails = verdict(validate(KINDS[kind], written).findings)
    assert said.accepted or set(said.errors) <= set(fails.errors)


@pytest.mark.sampled(one_in=8)
@every_kind
@pytest.mark.parametrize("spec", [None, 5, [], "x", [{}], {"a": {"b": [None]}}, {"requirements": {"a": 1}}, {"": ""}])
@pytest.mark.parametrize("metadata", [None, [], {"name": 5}, {"name": "a", "labels": {"a": 1}}, {"labels": []}])
def test_nonsense_is_refused_in_words(kind, spec, metadata):
    """Never anything but findings."""
    version, name = kind
    validation = validate(KINDS[kind], {"apiVersion": version, "kind": name, "metadata": metadata, "spec": spec})
    assert validation.fields is None or validation.findings
    assert not verdict(validation.findings).accepted
