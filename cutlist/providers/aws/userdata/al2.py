"""User data of AL2 nodes: a multipart archive whose last part calls the bootstrap script of the image."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from cutlist.providers.aws.userdata.bootstrap import Bootstrap
from cutlist.providers.aws.userdata.kubelet_flags import kubelet_flags
from cutlist.providers.aws.userdata.mime import SHELL_SCRIPT, Part, is_archive, read_archive, write_archive

_LOGGED = "#!/bin/bash -xe\nexec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1\n"


def al2(node: Bootstrap) -> str:
    """Return the user data: the user's parts first, each unchanged, then the part that joins the cluster."""
    return write_archive((*_own_parts(node.own), Part.of(SHELL_SCRIPT, _script(node))))


def _own_parts(own: str) -> tuple[Part, ...]:
    if not own:
        return ()
    return read_archive(own) if is_archive(own) else (Part.of(SHELL_SCRIPT, own),)


def _script(node: Bootstrap) -> str:
    cluster, dns = node.cluster, node.cluster_dns
    authority = f"--b64-cluster-ca '{cluster.ca_bundle}'" if cluster.ca_bundle else ""
    options = [f"/etc/eks/bootstrap.sh '{cluster.name}' --apiserver-endpoint '{cluster.endpoint}' {authority}"]
    if dns:
        options += ["--ip-family ipv6"] if _is_ipv6(dns) else []
        options.append(f"--dns-cluster-ip '{dns}'")
    options.append("--use-max-pods false")
    options.append(f"--kubelet-extra-args '{' '.join(kubelet_flags(node))}'")
    if node.raid0:
        options.append("--local-disks raid0")
    return _LOGGED + " \\\n".join(options)


def _is_ipv6(address: str) -> bool:
    """Tell whether an address counts as IPv6: in Karpenter, everything that is not an IPv4 address."""
    try:
        read = ip_address(address)
    except ValueError:
        return True
    return isinstance(read, IPv6Address) and read.ipv4_mapped is None
