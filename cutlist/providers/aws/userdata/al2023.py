"""User data of AL2023 nodes: a multipart archive whose last part is the NodeConfig that nodeadm reads."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from cutlist.api.durations import in_go
from cutlist.core.errors import ClusterNotReadyError, UserDataError
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.providers.aws.userdata.bootstrap import Bootstrap
from cutlist.providers.aws.userdata.kubelet_flags import node_labels_flag
from cutlist.providers.aws.userdata.mime import NODE_CONFIG, SHELL_SCRIPT, Part, is_archive, read_archive, write_archive
from cutlist.providers.aws.userdata.yaml_text import holds_mapping, write_yaml


def al2023(node: Bootstrap) -> str:
    """Return the user data: the user's parts first, then Karpenter's NodeConfig, which overrides them.

    Only content type and text of the user's parts are kept. A text that is not an archive is a NodeConfig if it is a YAML
    mapping or only comments, otherwise a shell script.
    """
    generated = f"# Karpenter Generated NodeConfig\n{write_yaml(_node_config(node))}"
    return write_archive((*_own_parts(node.own), Part.of(NODE_CONFIG, generated)))


def _own_parts(own: str) -> tuple[Part, ...]:
    if not own:
        return ()
    if is_archive(own):
        return tuple(Part.of(part.content_type, part.text) for part in read_archive(own))
    return (Part.of(NODE_CONFIG if holds_mapping(own) else SHELL_SCRIPT, own),)


def _node_config(node: Bootstrap) -> dict[str, Any]:
    cluster = node.cluster
    if not cluster.service_cidr:
        raise ClusterNotReadyError("AL2023 nodes must know the address range of the cluster's services, and it is not known")
    flag = node_labels_flag(node.labels)
    return {
        "apiVersion": "node.eks.aws/v1alpha1",
        "kind": "NodeConfig",
        "metadata": {},
        "spec": {
            "cluster": _without_empty(
                {
                    "name": cluster.name,
                    "apiServerEndpoint": cluster.endpoint,
                    "certificateAuthority": _authority(cluster.ca_bundle),
                    "cidr": cluster.service_cidr,
                }
            ),
            "containerd": {},
            "instance": {"localStorage": {"strategy": "RAID0"} if node.raid0 else {}},
            "kubelet": {"config": _kubelet(node), **({"flags": [flag]} if flag else {})},
        },
    }


def _kubelet(node: Bootstrap) -> dict[str, Any]:
    """Return the kubelet's settings and all taints; the settings are as written since Karpenter 1.15 (VA15-41, VA15-42).

    Before, empty lists and maps were left out, and durations spelled as Go does.
    """
    settings = dict(node.kubelet)
    if not node.karpenter.does(Behaviour.KUBELET_IS_OPEN):
        settings = {name: value for name, value in settings.items() if value not in ({}, [])}
        grace = settings.get("evictionSoftGracePeriod")
        if grace:
            settings["evictionSoftGracePeriod"] = {signal: in_go(text) for signal, text in grace.items()}
    taints = [taint.manifest() for taint in node.taints]
    return {**settings, **({"registerWithTaints": taints} if taints else {})}


def _authority(ca_bundle: str | None) -> str:
    try:
        return base64.b64encode(base64.b64decode(ca_bundle or "", validate=True)).decode()
    except (binascii.Error, ValueError) as error:
        raise UserDataError(f"the cluster's certificate authority is not in base64: {error}") from None


def _without_empty(entries: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in entries.items() if text}
