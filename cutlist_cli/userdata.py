"""`cutlist userdata`: the user data of nodes."""

from __future__ import annotations

import base64
import binascii
import ipaddress
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.records import json_of
from cutlist.providers.aws import AwsSettings
from cutlist.providers.aws.userdata import SIZE_LIMIT, BootstrapCluster, size
from cutlist.settings import userdata
from cutlist.settings.planning import CATALOG, FEATURE_GATES, KARPENTER
from cutlist.verbs.userdata.answer import UserData, UserDataMachines, read_user_data
from cutlist.verbs.userdata.markdown import userdata_markdown
from cutlist.verbs.userdata.text import render_userdata
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.file_options import manifests_option
from cutlist_cli.formats import OutputFormats
from cutlist_cli.notes import notes_shown
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option
from cutlist_cli.stdin import stdin_of

if TYPE_CHECKING:
    from cutlist.documents.folders import Reading


_FORMATS: Final[OutputFormats[UserData]] = OutputFormats(
    text=render_userdata,
    others={"markdown": userdata_markdown, "json": json_of},
    verbatim=True,
)


def _base64(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    try:
        base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        raise click.BadParameter("this is not base64; take certificateAuthority.data of `aws eks describe-cluster`") from None
    return text


def _network(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    try:
        ipaddress.ip_network(text or "0.0.0.0/0")
    except ValueError as error:
        raise click.BadParameter(f"{error}; give an address range such as 10.100.0.0/16") from None
    return text


def _address(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    try:
        ipaddress.ip_address(text or "::")
    except ValueError as error:
        raise click.BadParameter(f"{error}; give an address such as 10.100.0.10") from None
    return text


def _cluster_name(_: click.Context, __: click.Parameter, text: str) -> str:
    if not text.strip():
        raise click.BadParameter("this is empty; give the name that the cluster has in EKS")
    return text


def _url(_: click.Context, __: click.Parameter, text: str) -> str:
    if not text.startswith("https://"):
        raise click.BadParameter(f"{text!r} is not a URL with https; take endpoint of `aws eks describe-cluster`")
    return text


@click.command("userdata", cls=Command)
@manifests_option("EC2NodeClasses and their NodePools")
@setting_option(userdata.CLUSTER, required=True, callback=_cluster_name)
@setting_option(userdata.ENDPOINT, required=True, callback=_url)
@setting_option(userdata.CA, callback=_base64)
@setting_option(userdata.SERVICE_CIDR, callback=_network)
@setting_option(userdata.DNS_IP, callback=_address)
@setting_option(userdata.INSTANCE_TYPE)
@setting_option(userdata.NODE_POOL)
@setting_option(userdata.CAPACITY_TYPE)
@setting_option(userdata.REGION)
@setting_option(CATALOG)
@setting_option(KARPENTER)
@setting_option(FEATURE_GATES)
@renderer_options(_FORMATS)
def command(
    files: tuple[str, ...],
    allow_empty: bool,
    reading: Reading,
    cluster: str,
    endpoint: str,
    ca: str | None,
    service_cidr: str | None,
    dns_ip: str | None,
    instance_type: str | None,
    node_pool: str | None,
    capacity_type: str | None,
    region: str | None,
    catalog: str | None,
    karpenter: str | None,
    feature_gates: tuple[str, ...],
    renderer: Renderer[UserData],
) -> None:
    """Show the user data that nodes of each NodePool boot with.

    The user data is that of Karpenter, with your own merged in. A single one is printed unchanged, several with a heading each.
    An EC2NodeClass without a NodePool is shown without a pool's labels and taints.

    \b
    Examples:
      cutlist userdata -f pools.yaml --cluster-name demo --endpoint https://demo.example \\
        --service-cidr 10.100.0.0/16 --dns-ip 10.100.0.10 --instance-type m5.large --region us-west-2
      cutlist userdata -f pools.yaml --cluster-name demo --endpoint https://demo.example --node-pool general \\
        --service-cidr 10.100.0.0/16 --instance-type m5.large --to userdata.txt
    """
    with notes_shown() as notes:
        nodes = read_user_data(
            files,
            BootstrapCluster(cluster, endpoint, ca, service_cidr, dns_ip),
            UserDataMachines(instance_type, region, catalog, AwsSettings(feature_gates=frozenset(feature_gates))),
            node_pool=node_pool,
            capacity_type=capacity_type,
            stdin=stdin_of(files),
            allow_empty=allow_empty,
            reading=reading,
            notes=notes,
            karpenter=karpenter or DEFAULT.choice,
        )
    answer = UserData(nodes)
    renderer.write(answer)
    _warn_of_size(answer)


def _warn_of_size(answer: UserData) -> None:
    for node in answer.nodes:
        if size(node.user_data) > SIZE_LIMIT:
            excess = f"{node.heading}: {size(node.user_data)} bytes of user data, and EC2 takes {SIZE_LIMIT}"
            terminal.write_error(f"warning: {terminal.safe(excess)}; no node can be launched with it\n")
