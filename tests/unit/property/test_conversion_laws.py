"""Laws of the conversion from v1beta1 to v1, over old objects of all shapes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutlist import EC2NodeClass, NodePool
from cutlist.api import v1beta1
from cutlist.api.convert import convert, convert_texts, stream
from cutlist.core.errors import Place
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_values
from cutlist.documents.text.writing import Style, block_lines
from tests.conformance import v1beta1 as v1beta1_server
from tests.conformance.convert import stored as as_stored
from tests.conformance.go_form import class_form, pool_form
from tests.conformance.way_back import losses, to_v1beta1
from tests.conformance.webhook import to_v1
from tests.unit.property import old_objects

law = settings(deadline=None)  # what is used first is built first, which takes a moment
CLASSES = ("default", "gpu", "spare")


@st.composite
def clusters(draw):
    """Pools of different names, some of them with claims, and the classes that they refer to."""
    pools = draw(st.lists(old_objects.pools, max_size=3, unique_by=lambda one: one["metadata"]["name"]))
    claims = draw(st.lists(old_objects.claims, max_size=1))
    classes = [draw(old_objects.classes) for _ in CLASSES]
    named = [{**one, "metadata": {**one["metadata"], "name": name}} for one, name in zip(classes, CLASSES, strict=True)]
    return [*pools, *claims, *named]


@st.composite
def objects_of_v1(draw):
    """Pools and classes of v1 as they are stored, some with what only v1 has."""
    converted = as_stored(to_v1(v1beta1_server.stored(draw(st.one_of(old_objects.pools, old_objects.classes)))))
    converted["metadata"].pop("annotations", None)
    if converted["kind"] == "NodePool":
        converted["spec"]["template"]["spec"] |= draw(old_objects.mappings(terminationGracePeriod=st.just("1h")))
        converted["spec"]["disruption"] |= draw(old_objects.mappings(consolidateAfter=old_objects.durations))
    else:
        converted["spec"] |= draw(old_objects.mappings(kubelet=st.just({"maxPods": 5}), ipPrefixCount=st.just(1)))
    return as_stored(converted)


def documents(objects):
    return [Document(Place("old.yaml", number, 1), one, {}) for number, one in enumerate(objects, 1)]


def results(objects):
    by_document = {one.document.place.document: one.objects for one in convert(documents(objects)).converted}
    return [result for number, one in enumerate(objects, 1) for result in by_document.get(number, (one,))]


@law
@given(old_objects.objects)
def test_what_is_drawn_was_accepted(manifest):
    """The API server of Karpenter 1.0 took all these objects, so that the laws below say something."""
    assert v1beta1.findings(manifest) == []


@pytest.mark.slow
@law
@given(clusters())
def test_what_becomes_of_valid_objects_is_valid(objects):
    """No old object that was accepted gives one that v1 refuses."""
    for one in results(objects):
        if one["kind"] != "NodeClaim":
            (NodePool if one["kind"] == "NodePool" else EC2NodeClass).from_manifest(one, BASELINES[0])


@law
@given(clusters())
def test_a_second_conversion_changes_nothing(objects):
    """Objects of v1 stay as they are, and nothing is said of them."""
    again = convert(documents(results(objects)))
    assert (again.converted, again.changes, again.notes) == ((), (), ())


@law
@given(clusters())
def test_no_pool_loses_its_kubelet(objects):
    """The class that a pool refers to afterwards has the kubelet that the pool had."""
    converted = results(objects)
    kubelets = {one["metadata"]["name"]: one["spec"].get("kubelet") for one in converted if one["kind"] == "EC2NodeClass"}
    classes = {one["metadata"]["name"]: one for one in converted if one["kind"] == "NodePool"}
    for pool in objects:
        if pool["kind"] == "NodePool":
            reference = classes[pool["metadata"]["name"]]["spec"]["template"]["spec"]["nodeClassRef"]
            assert kubelets[reference["name"]] == (pool["spec"]["template"]["spec"].get("kubelet") or None)


@law
@given(old_objects.pools)
def test_pools_come_back_from_v1(pool):
    """The webhook's way there and back is exact, but for what is lost: Never under WhenUnderutilized, no budgets."""
    stored = v1beta1_server.stored(pool)
    expected = pool_form(stored)
    expected["spec"]["template"]["spec"]["resources"] = {}
    disruption = expected["spec"]["disruption"]
    disruption.setdefault("budgets", [{"nodes": "10%"}])
    if disruption["consolidationPolicy"] == "WhenUnderutilized":
        disruption.pop("consolidateAfter", None)
    kept = {k: v for k, v in stored["metadata"].get("annotations", {}).items() if not k.startswith("compatibility.")}
    expected["metadata"] = {k: v for k, v in {**expected["metadata"], "annotations": kept}.items() if v}
    assert to_v1beta1(as_stored(to_v1(stored))) == expected


@law
@given(old_objects.classes)
def test_classes_come_back_from_v1(node_class):
    """The webhook's way there and back is exact, Ubuntu included: it kept in an annotation what it had put in."""
    stored = v1beta1_server.stored(node_class)
    assert to_v1beta1(as_stored(to_v1(stored))) == class_form(stored)


KEPT = re.compile(r"\s*(metadata|requirements|taints|limits|weight|role|tags|subnetSelectorTerms|userData|context):")


@pytest.mark.slow
@law
@given(clusters(), st.sampled_from([Style(2, 0), Style(2, 2), Style(4, 2)]))
def test_text_and_data_say_the_same(objects, style):
    """The text that comes out reads as the objects that come out, laid out as it was, with the comments of what stays."""
    texts = ["\n".join(block_lines(one, style)) + "\n" for one in objects]
    noted = [with_notes(number, text) for number, text in enumerate(texts)]
    texts_converted = convert_texts([SourceText("old.yaml", "---\n".join(noted))])
    (text,) = (one.text for one in texts_converted.texts)
    assert list(parse_values(text, "old.yaml")) == results(objects)
    assert not any("rewritten" in one.change.text for one in texts_converted.conversion.changes)
    for number in range(len(objects)):
        assert text.count(f"# note {number}\n") >= noted[number].count(f"# note {number}\n")
    assert stream(texts_converted.texts) == text


def with_notes(number, text):
    """A comment above each line that stays."""
    lines = text.splitlines()
    above = [f"{line[: len(line) - len(line.lstrip())]}# note {number}\n" if KEPT.match(line) else "" for line in lines]
    return "".join(f"{note}{line}\n" for note, line in zip(above, lines, strict=True))


@law
@given(objects_of_v1())
def test_what_loses_nothing_comes_back_to_v1(manifest):
    """An object of v1 of which no loss is reported is the same after the way to v1beta1 and back."""
    if any(losses(manifest)):
        return
    back = as_stored(to_v1(v1beta1_server.stored(to_v1beta1(manifest))))
    back["metadata"] = {key: value for key, value in back["metadata"].items() if key != "annotations"}
    assert back == (pool_form if manifest["kind"] == "NodePool" else class_form)(manifest)
