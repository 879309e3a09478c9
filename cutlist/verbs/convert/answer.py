"""Objects of Karpenter's old versions converted to v1: texts in, the same texts out with only the necessary lines changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutlist.api.convert import ConvertedTexts, convert_texts
from cutlist.core.errors import Problems
from cutlist.core.services import RunningService
from cutlist.documents.files import SourceText
from cutlist.documents.parsing import parse_documents
from cutlist.planning.services import services_in


def convert(texts: Sequence[SourceText], *, allow_empty: bool = False) -> ConvertedTexts:
    """Return texts of manifests with all objects of old versions in v1, the changes, and the services that the objects are for.

    Give NodePools together with their node classes, since the kubelet moves from one to the other. Raises InputError with every
    mistake, and, unless that is allowed, when the texts contain no object of Karpenter.

    >>> from cutlist import SourceText, convert
    >>> old = SourceText("general.yaml", '''
    ... apiVersion: karpenter.sh/v1beta1
    ... kind: NodePool
    ... metadata: {name: general}
    ... spec:
    ...   template:
    ...     spec:
    ...       nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: default}
    ...       requirements: []
    ... ''')
    >>> (new,) = convert([old]).texts
    >>> print(new.text.strip())
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata: {name: general}
    spec:
      template:
        spec:
          nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
          requirements: []
          expireAfter: 720h
    """
    converted = convert_texts(texts, allow_empty=allow_empty)
    objects = [d for text in converted.texts for d in parse_documents(text.text, text.source, Problems())]
    services = tuple(map(RunningService.of, services_in(objects)))
    return replace(converted, conversion=replace(converted.conversion, services=services or None))
