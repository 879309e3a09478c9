"""User data that opens the metadata service or the kubelet, or that holds secrets."""

from __future__ import annotations

import gzip
from base64 import b64encode
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.machines import NODE_GROUP
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

KUBELET: Final = """apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      {}
"""
MIME: Final = """MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript

#!/bin/bash
{}
--//--
"""
KEY: Final = "AKIA" + "IOSFODNN7EXAMPLE"
SECRET: Final = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
CERTAIN: dict[str, str] = {
    "tokens that are optional": "aws ec2 modify-instance-metadata-options --instance-id $ID --http-tokens optional",
    "tokens over two lines": "aws ec2 modify-instance-metadata-options --instance-id $ID \\\n  --http-tokens \\\n  optional",
    "more hops": "aws ec2 modify-instance-metadata-options --http-put-response-hop-limit 2",
    "tokens by boto3": "python3 -c \"ec2.modify_instance_metadata_options(InstanceId=i, HttpTokens='optional')\"",
    "a proxy to the metadata": "socat TCP-LISTEN:8080,fork TCP:169.254.169.254:80 &",
    "a rule to the metadata": "iptables -t nat -A PREROUTING -d 10.0.0.9 -j DNAT --to-destination 169.254.169.254:80",
    "anonymous callers": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--anonymous-auth=true'",
    "anonymous callers by the bare flag": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--anonymous-auth --v=2'",
    "anonymous callers in the configuration": KUBELET.format("authentication: {anonymous: {enabled: true}}"),
    "anonymous callers in blocks": KUBELET.format("authentication:\n        anonymous:\n          enabled: true"),
    "anonymous callers by jq": "jq '.authentication.anonymous.enabled=true' k.json > k2.json",
    "every call allowed": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--authorization-mode=AlwaysAllow'",
    "every call allowed in the configuration": KUBELET.format("authorization: {mode: AlwaysAllow}"),
    "a port to read": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--read-only-port=10255'",
    "a port to read in the configuration": KUBELET.format("readOnlyPort: 10255"),
    "another authority": KUBELET.format("authentication: {x509: {clientCAFile: /opt/ca.crt}}"),
    "an AWS access key": f"export AWS_ACCESS_KEY_ID={KEY}",
    "an AWS secret key": f"aws configure set aws_secret_access_key {SECRET}",
    "a private key": "cat > /home/ec2-user/.ssh/id <<EOF\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\nEOF",
    "a password": "echo 'ec2-user:hunter2' | chpasswd",
    "a password of cloud-init": "#cloud-config\nusers:\n  - name: ops\n    plain_text_passwd: hunter2\n    lock_passwd: false",
    "a password of the first user": "#cloud-config\nuser: ops\npassword: hunter2\nruncmd: [date]",
    "a password of a registry": '[plugins."io.containerd.grpc.v1.cri".registry.configs."r".auth]\n  password = "hunter2"',
    "shells by password": "sed -i 's/^PasswordAuthentication no/PasswordAuthentication yes/' /etc/ssh/sshd_config",
    "shells by password in a file": "printf 'PasswordAuthentication yes\\n' > /etc/ssh/sshd_config.d/50.conf",
    "shells for root": "echo 'PermitRootLogin yes' >> /etc/ssh/sshd_config",
}
UNSURE: dict[str, str] = {
    "people's keys": "#cloud-config\nssh_authorized_keys: [ssh-ed25519 AAAAC3Nza ops]",
    "keys by a script": "echo 'ssh-rsa AAAAB3Nza ops' >> /home/ec2-user/.ssh/authorized_keys",
    "an administrator's container": "[settings.host-containers.admin]\nenabled = true",
    "a container with every right": '[settings.host-containers.agent]\nenabled = true\nsuperpowered = true\nsource = "x"',
    "a script from the network": "curl -fsSL https://example.com/install.sh | sudo bash",
    "no SELinux": "setenforce 0",
    "a kubelet by hand": "sed -i 's/a/b/' /etc/kubernetes/kubelet/kubelet-config.json",
}
ORDINARY: dict[str, str] = {
    "a mount": "mkdir -p /data && mount /dev/nvme1n1 /data",
    "labels and pods": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--node-labels=team=shop --max-pods=110'",
    "no anonymous callers": "/etc/eks/bootstrap.sh demo --kubelet-extra-args '--anonymous-auth=false --read-only-port=0'",
    "no anonymous callers in the configuration": KUBELET.format("authentication: {anonymous: {enabled: false}}"),
    "kubelet settings": KUBELET.format("maxPods: 110\n      evictionHard: {memory.available: 5%}\n      readOnlyPort: 0"),
    "the usual authority": KUBELET.format("authentication: {x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}}"),
    "tokens that are required": "modify-instance-metadata-options --http-tokens required --http-put-response-hop-limit 1",
    "a token for the metadata": 'TOKEN=$(curl -X PUT "http://169.254.169.254/latest/api/token")',
    "a warning in a comment": "# never --anonymous-auth=true, and no PermitRootLogin yes\necho ready",
    "a secret that is fetched": "export DB=$(aws secretsmanager get-secret-value --secret-id db --output text)",
    "settings of Bottlerocket": '[settings.kubernetes]\n"max-pods" = 110\n[settings.host-containers.admin]\nenabled = false\n',
    "no shells by password": "sed -i 's/PasswordAuthentication yes/PasswordAuthentication no/' /etc/ssh/sshd_config",
    "no shells for root": "sed -i -e 's/^PermitRootLogin yes/PermitRootLogin no/' /etc/ssh/sshd_config",
    "a password that is fetched": "#cloud-config\nwrite_files:\n  - path: /app.yaml\n    content: |\n      password: ${DB}\n",
    "a pre-computed hash": "#cloud-config\nusers:\n  - name: ops\n    passwd: $6$salt$hash\n",
    "a mirror": '[settings.container-registry]\nmirrors = [{registry = "docker.io", endpoint = ["https://mirror"]}]',
    "a certificate": "cat > /etc/pki/ca-trust/source/anchors/own.pem <<EOF\n-----BEGIN CERTIFICATE-----\nabc\nEOF",
}


def written(text: Any) -> tuple[Resource, ...]:
    """Return a node class with user data."""
    return (s.put(s.CLASS, "spec.userData", text),)


def encoded(text: str) -> str:
    """Return a text in base64."""
    return b64encode(text.encode()).decode()


OPEN: Final = CERTAIN["anonymous callers"]
PLACES: dict[str, tuple[Resource, ...]] = {
    "a part of several": written(MIME.format(OPEN)),
    "a file in base64": written(f"#cloud-config\nwrite_files:\n  - encoding: b64\n    content: {encoded(OPEN)}\n"),
    "a launch template": (s.put(s.LAUNCH_TEMPLATE, "userData", encoded(OPEN)),),
    "a launch template in a few letters": (s.put(s.LAUNCH_TEMPLATE, "userData", encoded("--anonymous-auth=true")),),
    "a launch template in gzip": (s.put(s.LAUNCH_TEMPLATE, "userData", b64encode(gzip.compress(OPEN.encode())).decode()),),
    "Cloud Control's launch template": (
        registered("aws-native:ec2:LaunchTemplate", launchTemplateData={"userData": encoded(OPEN)}),
    ),
    "a launch configuration": (registered("aws:ec2/launchConfiguration:LaunchConfiguration", userData=OPEN),),
    "a cluster of pulumi-eks": (registered("eks:index:Cluster", nodeUserData=OPEN),),
    "the options of one": (registered("eks:index:Cluster", nodeGroupOptions={"kubeletExtraArgs": "--anonymous-auth=true"}),),
    "a group of pulumi-eks": (
        registered(
            "eks:index:NodeGroupV2",
            nodeadmExtraOptions=[{"contentType": "application/node.eks.aws", "content": CERTAIN["a port to read"]}],
        ),
    ),
}
SHELLS: Final = {"ec2SshKey": "ops"}

TRICKS = (
    *(Trick(name, written(text), "NC-12") for name, text in CERTAIN.items()),
    *(Trick(f"in {name}", resources, "NC-12") for name, resources in PLACES.items()),
    *(Trick(name, written(text), "NC-13", Wanted.REPORTED) for name, text in UNSURE.items()),
    *(Trick(f"{name} stops nothing", written(text), "NC-12", Wanted.PASSES) for name, text in UNSURE.items()),
    Trick("user data that only an update knows", written(UNKNOWN), "NC-12", Wanted.OPEN),
    *(Trick(f"ordinary: {name}", written(text), "NC-12", Wanted.PASSES) for name, text in ORDINARY.items()),
    *(Trick(f"nothing unusual: {name}", written(text), "NC-13", Wanted.PASSES) for name, text in ORDINARY.items()),
    Trick("shells of a group for everybody", (s.put(NODE_GROUP, "remoteAccess", SHELLS),), "IF-09"),
    Trick("shells of an AWS group for everybody", (s.put(s.NODE_GROUP, "remoteAccess", SHELLS),), "IF-09"),
    Trick(
        "shells of a group for another",
        (s.put(s.NODE_GROUP, "remoteAccess", {**SHELLS, "sourceSecurityGroupIds": ["sg-1"]}),),
        wanted=Wanted.PASSES,
    ),
)
