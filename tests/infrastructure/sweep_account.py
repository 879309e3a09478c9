"""An account with what Karpenter leaves, on a moto server; time that passes when somebody waits; a cluster that answers."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from cutlist.infrastructure.names import ClusterFacts
from cutlist_live.errors import UnreachableError
from cutlist_live.sweep.access import Endpoint
from cutlist_live.sweep.calls import Clock

ACCOUNT, REGION = "123456789012", "us-west-2"
READS = ("Describe", "List", "Get")


def facts(cluster: str, **more: str) -> ClusterFacts:
    return ClusterFacts(cluster, **{"region": REGION, "account": ACCOUNT, **more})


def node_tags(cluster: str) -> dict[str, str]:
    return {
        "eks:eks-cluster-name": cluster,
        f"kubernetes.io/cluster/{cluster}": "owned",
        "karpenter.sh/nodepool": "general",
        "karpenter.k8s.aws/ec2nodeclass": "default",
    }


def tag_list(tags: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


@dataclass(frozen=True)
class Called:
    service: str
    operation: str
    arguments: Mapping[str, Any]

    @property
    def is_write(self) -> bool:
        return not self.operation.startswith(READS) and not self.arguments.get("DryRun")


@dataclass
class Cloud:
    """The clients of the account, each made once. `called` has what the sweep asked for; `on_write` may stop it there."""

    address: str
    called: list[Called] = field(default_factory=list)
    on_write: Callable[[Called], None] = lambda _: None
    _heard: dict[str, Any] = field(default_factory=dict)
    _made: dict[str, Any] = field(default_factory=dict)

    def client(self, service: str, _: str) -> Any:
        """Return the client of a service that the sweep is given; there is one region."""
        if service not in self._heard:
            client = self._heard[service] = self._new(service)
            client.meta.events.register("provide-client-params.*.*", self._hear)
        return self._heard[service]

    def made(self, service: str) -> Any:
        """Return a client that nobody listens to."""
        if service not in self._made:
            self._made[service] = self._new(service)
        return self._made[service]

    def _new(self, service: str) -> Any:
        keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
        return boto3.client(service, region_name=REGION, endpoint_url=self.address, **keys)

    def _hear(self, params: Mapping[str, Any], model: Any, **_: Any) -> None:
        called = Called(model.service_model.service_name, model.name, dict(params))
        self.called.append(called)
        if called.is_write:
            self.on_write(called)

    @property
    def writes(self) -> list[str]:
        return [call.operation for call in self.called if call.is_write]

    def lead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the environment's credentials lead here, and nowhere else."""
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            monkeypatch.delenv(name)
        given = {"ENDPOINT_URL": self.address, "ACCESS_KEY_ID": "testing", "SECRET_ACCESS_KEY": "testing"}
        given |= {"CONFIG_FILE": os.devnull, "SHARED_CREDENTIALS_FILE": os.devnull, "EC2_METADATA_DISABLED": "true"}
        for name, value in given.items():
            monkeypatch.setenv(f"AWS_{name}", value)

    def close(self) -> None:
        """Give the connections back: the server does not end before."""
        for client in (*self._heard.values(), *self._made.values()):
            client.close()

    def reset(self) -> None:
        """An empty account, asked nothing yet."""
        self.called.clear()
        self.on_write = lambda _: None
        request = urllib.request.Request(f"{self.address}/moto-api/reset", method="POST")  # noqa: S310 - the loopback
        urllib.request.urlopen(request).close()  # noqa: S310


@dataclass
class Time:
    """Two hours after what moto makes, and later by every pause."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC) + timedelta(hours=2))
    paused: list[float] = field(default_factory=list)
    on_pause: Callable[[], None] = lambda: None

    def pause(self, seconds: float) -> None:
        self.paused.append(seconds)
        self.now += timedelta(seconds=seconds)
        self.on_pause()

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self.pause, lambda: 1.0)


@dataclass
class Objects:
    """What a living cluster has. `connect` counts who asked; without an answer it is unreachable."""

    pools: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    classes: list[dict[str, Any]] = field(default_factory=list)
    joined: list[dict[str, Any]] = field(default_factory=list)
    on_nodes: list[dict[str, Any]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    answers: bool = True
    endpoints: list[Endpoint] = field(default_factory=list)

    def connect(self, endpoint: Endpoint) -> Objects:
        self.endpoints.append(endpoint)
        return self

    def node_pools(self) -> list[dict[str, Any]]:
        return self._given(self.pools)

    def node_claims(self) -> list[dict[str, Any]]:
        return self._given(self.claims)

    def node_classes(self) -> list[dict[str, Any]]:
        return self._given(self.classes)

    def nodes(self) -> list[dict[str, Any]]:
        return self._given(self.joined)

    def pods(self) -> list[dict[str, Any]]:
        return self._given(self.on_nodes)

    def delete_node_pool(self, name: str) -> None:
        self.deleted.append(name)
        self.pools[:] = [pool for pool in self.pools if pool["metadata"]["name"] != name]

    def _given(self, objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not self.answers:
            raise UnreachableError("connection timed out")
        return list(objects)


@dataclass
class Left:
    """What one cluster left, by id."""

    instances: list[str]
    templates: list[str]
    profiles: list[str]
    interfaces: list[str]
    volumes: list[str]

    @property
    def ids(self) -> set[str]:
        return {*self.instances, *self.templates, *self.profiles, *self.interfaces}


@dataclass
class Karpenter:
    """Makes in the account what Karpenter, the VPC CNI and the CSI driver make."""

    cloud: Cloud
    vpc: str
    subnet: str

    @staticmethod
    def of(cloud: Cloud) -> Karpenter:
        ec2 = cloud.made("ec2")
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/20")["Subnet"]["SubnetId"]
        return Karpenter(cloud, vpc, subnet)

    def left(self, cluster: str, count: int = 2) -> Left:
        """Return everything of one cluster, `count` of each."""
        instances = [self.instance(node_tags(cluster)) for _ in range(count)]
        return Left(
            instances,
            [self.template(f"karpenter.k8s.aws/{cluster}{n}", node_tags(cluster)) for n in range(count)],
            [self.profile(f"{cluster}_{n}", f"/karpenter/{REGION}/{cluster}/uid{n}/", cluster) for n in range(count)],
            [
                self.interface({"cluster.k8s.amazonaws.com/name": cluster}, f"aws-K8S-{instances[0]}"),
                self.interface({}, f"aws-K8S-{instances[0]}"),
            ],
            [self.volume({f"kubernetes.io/cluster/{cluster}": "owned", "ebs.csi.aws.com/cluster": "true"})],
        )

    def instance(self, tags: Mapping[str, str]) -> str:
        image = "ami-12c6146b"
        made = self.cloud.made("ec2").run_instances(
            ImageId=image,
            MinCount=1,
            MaxCount=1,
            InstanceType="m5.large",
            SubnetId=self.subnet,
            TagSpecifications=[{"ResourceType": "instance", "Tags": tag_list(tags)}],
        )
        return made["Instances"][0]["InstanceId"]

    def template(self, name: str, tags: Mapping[str, str]) -> str:
        made = self.cloud.made("ec2").create_launch_template(
            LaunchTemplateName=name,
            LaunchTemplateData={"InstanceType": "m5.large"},
            TagSpecifications=[{"ResourceType": "launch-template", "Tags": tag_list(tags)}],
        )
        return made["LaunchTemplate"]["LaunchTemplateId"]

    def profile(self, name: str, path: str, cluster: str, region: str = REGION) -> str:
        iam = self.cloud.made("iam")
        role = f"KarpenterNodeRole-{cluster}"
        if role not in {one["RoleName"] for one in iam.list_roles()["Roles"]}:
            iam.create_role(RoleName=role, AssumeRolePolicyDocument="{}")
        tags = {f"kubernetes.io/cluster/{cluster}": "owned", "topology.kubernetes.io/region": region}
        iam.create_instance_profile(InstanceProfileName=name, Path=path, Tags=tag_list(tags))
        iam.add_role_to_instance_profile(InstanceProfileName=name, RoleName=role)
        return name

    def interface(self, tags: Mapping[str, str], description: str) -> str:
        specification = [{"ResourceType": "network-interface", "Tags": tag_list(tags)}] if tags else []
        made = self.cloud.made("ec2").create_network_interface(
            SubnetId=self.subnet, Description=description, TagSpecifications=specification
        )
        return made["NetworkInterface"]["NetworkInterfaceId"]

    def volume(self, tags: Mapping[str, str]) -> str:
        specification = [{"ResourceType": "volume", "Tags": tag_list(tags)}]
        made = self.cloud.made("ec2").create_volume(AvailabilityZone=f"{REGION}a", Size=8, TagSpecifications=specification)
        return made["VolumeId"]

    def cluster(self, name: str) -> None:
        """The cluster itself, alive."""
        self.cloud.made("eks").create_cluster(
            name=name, roleArn=f"arn:aws:iam::{ACCOUNT}:role/eks", resourcesVpcConfig={"subnetIds": [self.subnet]}
        )

    def there(self) -> set[str]:
        """Return the ids of all that is still in the account: instances that run, volumes that are idle, and the rest."""
        ec2, iam = self.cloud.made("ec2"), self.cloud.made("iam")
        running = [{"Name": "instance-state-name", "Values": ["pending", "running", "stopping", "stopped"]}]
        idle = [{"Name": "status", "Values": ["available"]}]
        reservations = ec2.describe_instances(Filters=running)["Reservations"]
        return {
            *(one["InstanceId"] for entry in reservations for one in entry["Instances"]),
            *(one["LaunchTemplateId"] for one in ec2.describe_launch_templates()["LaunchTemplates"]),
            *(one["InstanceProfileName"] for one in iam.list_instance_profiles()["InstanceProfiles"]),
            *(one["NetworkInterfaceId"] for one in ec2.describe_network_interfaces()["NetworkInterfaces"]),
            *(one["VolumeId"] for one in ec2.describe_volumes(Filters=idle)["Volumes"]),
        }
