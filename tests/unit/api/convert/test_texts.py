"""Files of old objects: what the user wrote stays where the format allows."""

from __future__ import annotations

import json

from cutlist.api.convert import convert_texts, stream
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_values

POOL = """\
# Our pool.
apiVersion: "karpenter.sh/v1beta1"   # old
kind: NodePool
metadata:
  name: general
spec:
  disruption:
    # not too often
    consolidationPolicy: WhenUnderutilized # yes
    # ten days
    expireAfter: 240h   # about
  template:
    spec:
      # small nodes
      kubelet:
        maxPods: 20 # few
        # podsPerCore: 2
      nodeClassRef:
        name: default   # see below
      requirements:
      - {key: kubernetes.io/arch, operator: In,   values: [amd64]}
"""
NEW_POOL = """\
# Our pool.
apiVersion: "karpenter.sh/v1"   # old
kind: NodePool
metadata:
  name: general
spec:
  disruption:
    # not too often
    consolidationPolicy: WhenEmptyOrUnderutilized # yes
    consolidateAfter: 0s
  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: default   # see below
      requirements:
      - {key: kubernetes.io/arch, operator: In,   values: [amd64]}
      # ten days
      expireAfter: 240h   # about
"""
CLASS = """\
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  # newest
  amiFamily: AL2023   # of Amazon
  role: demo
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
"""
NEW_CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  # newest
  amiSelectorTerms:   # of Amazon
    - alias: al2023@latest
  role: demo
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  # small nodes
  kubelet:
    maxPods: 20 # few
    # podsPerCore: 2
"""


def made(*texts):
    found = convert_texts([SourceText(f"{number}.yaml", text) for number, text in enumerate(texts)])
    return [one.text for one in found.texts]


def test_comments_order_and_quotes_stay():
    """Only lines that have to change do, and what moves takes its comments to the other file."""
    assert made(POOL, CLASS) == [NEW_POOL, NEW_CLASS]


def test_a_second_run_changes_nothing():
    """The text of v1 objects is given back as it is."""
    found = convert_texts([SourceText("a.yaml", NEW_POOL), SourceText("b.yaml", NEW_CLASS)])
    assert [one.text for one in found.texts] == [NEW_POOL, NEW_CLASS]
    assert (found.is_changed, found.conversion.changes) == ((False, False), ())


def test_other_documents_are_not_touched():
    """What is not Karpenter's stays byte for byte, odd spacing included."""
    other = "# odd\napiVersion: v1\nkind:   Service\nmetadata:  {name:  x}\n"
    (text,) = made(f"{other}---\n{CLASS}")
    assert text.startswith(f"{other}---\n")


def test_settings_leave_their_file():
    """Their ConfigMap has no place among the objects of today."""
    settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config-logging}\ndata: {loglevel.controller: debug}\n"
    (text,) = made(f"{CLASS}---\n{settings}")
    assert parse_values(text, "")[0]["kind"] == "EC2NodeClass"
    assert len(parse_values(text, "")) == 1


def test_split_classes_follow_the_first():
    """Each class for a kubelet is a document of its own, with the comments of the class it was made from."""
    other = POOL.replace("general", "other").replace("maxPods: 20 # few", "maxPods: 9 # fewer")
    text, _, _ = made(CLASS, POOL, other)
    assert [one["metadata"]["name"] for one in parse_values(text, "")] == ["default-general", "default-other"]
    assert (text.count("# newest"), text.count("# few\n"), text.count("# fewer\n")) == (2, 1, 1)


def test_lists_are_converted_inside():
    """What kubectl exports is one document with many objects."""
    items = [parse_values(text, "")[0] for text in (POOL, CLASS)]
    (text,) = made(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=4))
    whole = json.loads(text)
    assert [one["apiVersion"] for one in whole["items"]] == ["karpenter.sh/v1", "karpenter.k8s.aws/v1"]
    assert whole["items"][1]["spec"]["kubelet"] == {"maxPods": 20}


def test_lists_of_one_kind_are_named_after_the_version_they_hold():
    """A NodePoolList of v1beta1 is one of v1, and so are its items, though they do not say it."""
    item = {key: value for key, value in parse_values(POOL, "")[0].items() if key in ("metadata", "spec")}
    del item["spec"]["template"]["spec"]["kubelet"]
    (text,) = made(json.dumps({"apiVersion": "karpenter.sh/v1beta1", "kind": "NodePoolList", "items": [item]}))
    whole = json.loads(text)
    assert (whole["apiVersion"], whole["items"][0]["apiVersion"]) == ("karpenter.sh/v1",) * 2


def test_a_document_that_had_to_be_written_anew_is_reported():
    """What moves is anchored and used before its new place: the result is right, and the loss is reported."""
    text = POOL.replace("240h", "&age 240h").replace("  template:\n", "  template:\n    metadata: {labels: {age: *age}}\n")
    found = convert_texts([SourceText("pool.yaml", text), SourceText("class.yaml", CLASS)])
    (value,) = parse_values(found.texts[0].text, "")
    assert value["spec"]["template"]["metadata"] == {"labels": {"age": "240h"}}
    assert value["spec"]["template"]["spec"]["expireAfter"] == "240h"
    assert "rewritten" in found.conversion.changes[-1].change.text


def test_a_stream_keeps_documents_apart():
    """Files that are put together have three dashes between them, once."""
    texts = [SourceText("a", "a: 1"), SourceText("b", "# nothing\n"), SourceText("c", "---\nb: 1\n"), SourceText("d", "c: 1\n")]
    assert stream(texts) == "a: 1\n---\nb: 1\n---\nc: 1\n"
