"""`cutlist userdata`: files and cluster in, user data out."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cutlist_cli import main

CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: %s}
spec:
  role: node
  amiSelectorTerms: [{alias: %s@latest}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
"""
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    metadata: {labels: {team: a}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: linux}
      requirements:
        - {key: example.com/tier, operator: In, values: [gold, silver]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [%s]}
      taints: [{key: dedicated, value: web, effect: NoSchedule}]
"""
CLUSTER = ("--cluster-name", "demo", "--endpoint", "https://demo.example")
MACHINE = ("--instance-type", "m5.large", "--region", "us-west-2")
NETWORK = ("--service-cidr", "10.100.0.0/16", "--dns-ip", "10.100.0.10")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CUTLIST_CATALOG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "class.yaml").write_text(CLASS % ("linux", "al2023"))
    (tmp_path / "pool.yaml").write_text(POOL % "spot, on-demand")
    return tmp_path


def run(*arguments, **options):
    return CliRunner().invoke(main, ["userdata", *map(str, arguments)], **options)


def test_one_answer_is_printed_as_it_is(folder):
    """The user data of the only NodePool goes to standard output, with what pool, class, cluster and machine say."""
    #
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("MIME-Version: 1.0\n")
    assert "maxPods: 29" in result.stdout
    assert "team=a" in result.stdout
    assert "example.com/tier=gold" in result.stdout
    assert "karpenter.sh/capacity-type=spot" in result.stdout
    assert "karpenter.k8s.aws/ec2nodeclass=linux" in result.stdout
    assert "key: dedicated" in result.stdout


def test_a_class_alone_has_no_labels_of_a_pool(folder):
    """Without a NodePool the class' own part is shown; on-demand is taken."""
    result = run("-f", folder / "class.yaml", *CLUSTER, *MACHINE, *NETWORK)
    assert result.exit_code == 0
    assert "karpenter.sh/nodepool" not in result.stdout
    assert "karpenter.sh/capacity-type=on-demand" in result.stdout


def test_several_answers_have_headings(folder):
    """Every NodePool and every class without one has its own part."""
    (folder / "windows.yaml").write_text(CLASS % ("win", "windows2022"))
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK)
    headings = [line for line in result.stdout.splitlines() if line.startswith("==>")]
    assert headings == [
        "==> NodePool web, EC2NodeClass linux, AL2023, spot <==",
        "==> EC2NodeClass win, Windows2022, on-demand <==",
    ]


def test_json(folder):
    """The same as data."""
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK, "-o", "json", "--capacity-type", "on-demand")
    (node,) = json.loads(result.stdout)["nodes"]
    assert {k: v for k, v in node.items() if k != "userData"} == {
        "nodePool": "web",
        "nodeClass": "linux",
        "amiFamily": "AL2023",
        "capacityType": "on-demand",
    }
    assert node["userData"].startswith("MIME-Version")


def test_one_pool_can_be_chosen(folder):
    """`--node-pool` leaves out the others, and classes without a pool."""
    (folder / "windows.yaml").write_text(CLASS % ("win", "windows2022"))
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK, "--node-pool", "web")
    assert "==>" not in result.stdout


def test_a_class_with_max_pods_needs_no_machine(folder):
    """The number of pods is known then."""
    (folder / "class.yaml").write_text(CLASS % ("linux", "al2023") + "  kubelet: {maxPods: 42}\n")
    result = run("-f", folder, *CLUSTER, *NETWORK)
    assert result.exit_code == 0
    assert "maxPods: 42" in result.stdout


def test_all_mistakes_are_reported_together(folder):
    """What misses is named with the option that gives it."""
    result = run("-f", folder, *CLUSTER)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--instance-type" in result.stderr
    assert "--service-cidr" in result.stderr


def test_wrong_names_are_reported_with_the_nearest(folder):
    """A machine and a NodePool that are not there."""
    result = run("-f", folder, *CLUSTER, *NETWORK, "--instance-type", "m5.larg", "--region", "us-west-2", "--node-pool", "wbe")
    assert result.exit_code == 2
    assert "did you mean web?" in result.stderr
    result = run("-f", folder, *CLUSTER, *NETWORK, "--instance-type", "m5.larg", "--region", "us-west-2")
    assert "did you mean m5.large?" in result.stderr


def test_a_machine_needs_a_region(folder):
    """The catalogue is looked up by region."""
    result = run("-f", folder, *CLUSTER, *NETWORK, "--instance-type", "m5.large")
    assert result.exit_code == 2
    assert "--region" in result.stderr


def test_user_data_that_cannot_be_merged_is_reported_with_its_place(folder):
    """File and path of the text, and what is wrong with it."""
    (folder / "class.yaml").write_text(
        CLASS % ("linux", "bottlerocket") + '  userData: "#!/bin/bash"\n  kubelet: {maxPods: 9}\n'
    )
    result = run("-f", folder, *CLUSTER)
    (folder / "class.yaml").write_text(
        CLASS % ("linux", "bottlerocket") + '  userData: "echo hello"\n  kubelet: {maxPods: 9}\n'
    )
    refused = run("-f", folder, *CLUSTER)
    assert result.exit_code == 0  # nothing but a comment is TOML
    assert refused.exit_code == 2
    assert "class.yaml" in "".join(refused.stderr.split())  # a long path is broken to the width
    assert "spec.userData" in refused.stderr
    assert "not TOML" in refused.stderr


def test_a_capacity_type_that_the_pool_does_not_allow(folder):
    """Such a node cannot be."""
    (folder / "pool.yaml").write_text(POOL % "on-demand")
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK, "--capacity-type", "spot")
    assert result.exit_code == 2
    assert "does not allow spot" in result.stderr


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--cluster", "", "the name that the cluster has"),
        ("--endpoint", "demo.example", "'demo.example' is not a URL with https"),
        ("--ca", "not base64!", "not base64"),
        ("--service-cidr", "10.100.0.0/99", "address range"),
        ("--dns-ip", "somewhere", "an address such as"),
    ],
)
def test_options_of_the_wrong_form(folder, option, value, said):
    """Each says what it wants."""
    result = run("-f", folder, *CLUSTER, *MACHINE, option, value)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_no_class_in_the_input(folder):
    """An input without any EC2NodeClass is a mistake."""
    (folder / "other.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    result = run("-f", folder / "other.yaml", *CLUSTER)
    assert result.exit_code == 2
    assert "no EC2NodeClass is in the input" in result.stderr


def test_user_data_that_ec2_would_refuse_is_warned_of(folder):
    """More than 16384 bytes are shown with a warning."""
    #
    own = "  userData: |\n    #!/bin/bash\n" + "    echo 0123456789012345678901234567890123456789\n" * 400
    (folder / "class.yaml").write_text(CLASS % ("linux", "al2023") + own)
    result = run("-f", folder, *CLUSTER, *MACHINE, *NETWORK)
    assert result.exit_code == 0
    assert "EC2 takes 16384" in result.stderr


def test_standard_input(folder):
    """`-f -` reads the manifests from standard input."""
    result = run("-f", "-", *CLUSTER, *MACHINE, *NETWORK, input=CLASS % ("linux", "al2023"))
    assert result.exit_code == 0
    assert "kind: NodeConfig" in result.stdout


def test_help_shows_an_example():
    """The help has something to copy."""
    assert "cutlist userdata -f pools.yaml --cluster-name demo" in run("--help").stdout
