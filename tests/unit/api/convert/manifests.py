"""Old objects and what happens to them, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cutlist.api.convert import Conversion, Reported, convert
from cutlist.core.errors import InputError, Place
from cutlist.documents.document import Document

REFERENCE = {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "name": "default"}


def pool(
    name: str = "general", *, reference: Mapping[str, Any] = REFERENCE, kubelet: Any = None, **spec: Any
) -> dict[str, Any]:
    """Return a NodePool of v1beta1."""
    template = {"nodeClassRef": dict(reference), "requirements": []} | ({} if kubelet is None else {"kubelet": kubelet})
    about = {"apiVersion": "karpenter.sh/v1beta1", "kind": "NodePool", "metadata": {"name": name}}
    return {**about, "spec": {"template": {"spec": template}, **spec}}


def node_class(name: str = "default", **spec: Any) -> dict[str, Any]:
    """Return an EC2NodeClass of v1beta1; a member that is None is left out."""
    members = {
        "amiFamily": "AL2023",
        "role": "r",
        "subnetSelectorTerms": [{"id": "subnet-1"}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
        **spec,
    }
    about = {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "metadata": {"name": name}}
    return {**about, "spec": {key: value for key, value in members.items() if value is not None}}


def documents(*manifests: Mapping[str, Any]) -> list[Document]:
    """Documents of a file, without lines."""
    return [Document(Place("old.yaml", number, 1), dict(one), {}) for number, one in enumerate(manifests, 1)]


def converted(*manifests: Mapping[str, Any]) -> list[Any]:
    """Return all objects that come out, those that stay included, in the order of what they were made from."""
    given = documents(*manifests)
    made = {id(one.document): list(one.objects) for one in convert(given).converted}
    return [result for document in given for result in made.get(id(document), [document.data])]


def conversion(*manifests: Mapping[str, Any]) -> Conversion:
    """Return what is to be said of objects."""
    return convert(documents(*manifests))


def said(found: Conversion, kind: str) -> list[Reported]:
    """Return the changes of a kind."""
    return [one for one in found.changes if one.change.kind == kind]


def refused(*manifests: Mapping[str, Any]) -> list[str]:
    """Return the messages with which objects are refused."""
    with pytest.raises(InputError) as caught:
        convert(documents(*manifests))
    return [str(problem) for problem in caught.value.problems]
