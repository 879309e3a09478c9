"""User data of Windows nodes: a PowerShell script that calls the bootstrap script of the image."""

from __future__ import annotations

from cutlist.providers.aws.userdata.bootstrap import Bootstrap
from cutlist.providers.aws.userdata.kubelet_flags import kubelet_flags

_SCRIPT_FILE = r'[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\Amazon\EKS\Start-EKSBootstrap.ps1"'


def windows(node: Bootstrap) -> str:
    """Return the user data: the user's commands first, then the call that joins the cluster."""
    cluster = node.cluster
    call = f"& $EKSBootstrapScriptFile -EKSClusterName '{cluster.name}' -APIServerEndpoint '{cluster.endpoint}'"
    if cluster.ca_bundle:
        call += f" -Base64ClusterCA '{cluster.ca_bundle}'"
    call += f" -KubeletExtraArgs '{' '.join(kubelet_flags(node))}'"
    if node.cluster_dns:
        call += f" -DNSClusterIP '{node.cluster_dns}'"
    own = [node.own] if node.own else []
    return "\n".join(("<powershell>", *own, _SCRIPT_FILE, call, "</powershell>"))
