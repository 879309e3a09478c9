"""Subnets as an account has them: documents of kind `Subnets`, which `cutlist snapshot --subnets` writes.

    apiVersion: cutlist/v1
    kind: Subnets
    metadata: {name: us-west-2}
    asOf: "2026-11-29"
    subnets:
      - {id: subnet-0a, zone: us-west-2a, cidr: 10.0.0.0/24, free: 120}

What Figures say about addresses counts before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.core.errors import Problems
from cutlist.core.notes import Note
from cutlist.core.shapes import Report, closed, day, fields, integer, list_of, text
from cutlist.core.wording import first_of
from cutlist.documents.document import Document
from cutlist.documents.members import mapping
from cutlist.infrastructure.addresses import usable
from cutlist.planning.address_figures import AddressFigures, KnownSubnet, block_of_subnet
from cutlist.planning.pod_network import PodNetwork
from cutlist.settings.snapshot import SUBNETS

KIND: Final = "Subnets"
UNKNOWN: Final = "addresses-unknown"
"""The code of the note that subnets are named whose blocks are not known."""
NETWORK: Final = "pod-network"
"""The code of the note on what shows how pods get addresses."""
_SUBNET: Final = closed({"id": text, "zone": text, "cidr": text, "free": integer(0)})
_SUBNETS: Final = closed({"apiVersion": text, "kind": text, "subnets": list_of(_SUBNET)}, {"metadata": fields({}), "asOf": day})
_NAMED: Final = 4


def with_known_subnets(
    figures: AddressFigures, documents: Sequence[Document], network: PodNetwork, problems: Problems
) -> AddressFigures:
    """Return the figures with the way of the CNI and the subnets that the input shows, where they say nothing themselves.
    Mistakes are added to `problems`."""
    known = _read(documents, problems)
    with_network = replace(
        figures, cni=figures.cni or network.mode, warm=network.warm, sign="" if figures.cni else network.sign
    )
    if figures.subnets or not known.subnets:
        return with_network
    return replace(with_network, subnets=known.subnets, as_of=figures.as_of or known.as_of)


def _read(documents: Sequence[Document], problems: Problems) -> AddressFigures:
    of_pods = {mapping(d.data.get("spec")).get("subnet") for d in documents if d.kind == "ENIConfig"}
    subnets: dict[str, KnownSubnet] = {}
    days: list[date] = []
    for document in documents:
        if document.kind != KIND or not document.api_version.startswith("cutlist/"):
            continue
        before = len(problems.found)
        _SUBNETS(document.data, "", Report(document, problems))
        if len(problems.found) > before:
            continue
        for index, raw in enumerate(document.data["subnets"]):
            subnet = _subnet(document, f"subnets[{index}]", raw, raw["id"] in of_pods, problems)
            if subnet is not None:
                subnets[subnet.name] = subnet
        if "asOf" in document.data:
            days.append(date.fromisoformat(document.data["asOf"]))
    return AddressFigures(subnets=tuple(subnets.values()), as_of=min(days, default=None))


def _subnet(document: Document, path: str, raw: dict[str, Any], is_for_pods: bool, problems: Problems) -> KnownSubnet | None:
    block = block_of_subnet(document, path, raw["cidr"], problems)
    if block is None:
        return None
    most = usable(block.network.prefixlen)
    if raw["free"] > most:
        problems.add(
            document.at(f"{path}.free"), f"{raw['free']:,} addresses are free, and {raw['cidr']} has {most:,}", f"0 to {most:,}"
        )
        return None
    return KnownSubnet(raw["id"], raw["zone"], str(block.network), most - raw["free"], is_for_pods)


def address_assumptions(figures: AddressFigures, classes: Iterable[NodeClass]) -> list[Note]:
    """Return notes on what the addresses of a plan follow, and on what is missing."""
    of_network = f"pods get addresses the way that {figures.sign} shows: {figures.cni}"
    shown = [Note(NETWORK, of_network)] if figures.subnets and figures.sign else []
    return [*shown, *_unknown_subnets(figures, classes)]


def _unknown_subnets(figures: AddressFigures, classes: Iterable[NodeClass]) -> list[Note]:
    """Return a note on the subnets that node classes found and of which neither block nor free addresses are known."""
    known = {subnet.name for subnet in figures.subnets}
    of_classes = {
        subnet.id: subnet.zone
        for node_class in classes
        if isinstance(node_class, EC2NodeClass | AutoNodeClass)
        for subnet in node_class.status.subnets
    }
    missing = [f"{id_} in {zone}" for id_, zone in sorted(of_classes.items()) if id_ not in known]
    if not missing or (figures.subnets and not known & set(of_classes)):
        return []
    text_ = f"whether the plan fits these subnets is not known, as their blocks are not: {first_of(missing, _NAMED)}"
    fix = f"`cutlist snapshot {SUBNETS.flag}` records them from the account, and `addresses.subnets` of Figures can name them"
    return [Note(UNKNOWN, f"{text_}; {fix}")]
