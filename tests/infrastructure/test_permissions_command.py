"""`cutlist permissions`: the policy of whoever updates a cluster, for a cluster's name and for a stack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist.infrastructure.iam.deployer import deployer_document
from cutlist.infrastructure.names import ClusterFacts
from cutlist_cli import main
from tests.unit.published import faults
from tests.written_project import write_project

ROOT = Path(__file__).resolve().parents[2]
SHOP = ("--cluster-name", "shop", "--region", "eu-west-1", "--account", "111122223333")
BUCKETS = """\
import pulumi
import pulumi_aws
from pulumi_cutlist.aws import NodeIdentity

{clusters}
pulumi_aws.s3.Bucket("logs")
"""
IDENTITY = 'NodeIdentity("{name}", {{"cluster_name": "{name}", "region": "eu-west-1", "account_id": "111122223333"{more}}})'


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["permissions", *arguments], env={"AWS_REGION": None, "AWS_DEFAULT_REGION": None})


def project(folder: Path, *clusters: str) -> str:
    """A stack dev that has these clusters' node identities, and a bucket."""
    return str(write_project(folder, BUCKETS.format(clusters="\n".join(clusters))))


def test_a_cluster_gets_a_policy_that_can_be_saved():
    result = run(*SHOP)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == deployer_document(ClusterFacts("shop", "eu-west-1", "111122223333")).as_data()


def test_the_region_may_come_from_the_environment():
    variables = {"AWS_REGION": "eu-west-1"}
    result = CliRunner().invoke(main, ["permissions", "--cluster-name", "shop", "--account", "111122223333"], env=variables)
    assert result.stdout == run(*SHOP).stdout


def test_a_stack_gets_what_its_resources_take():
    """Of the stack dev: nothing for Fargate, which it has not."""
    result = run("--stack", "dev", "--project-dir", str(ROOT), "-o", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    data = json.loads(result.stdout)
    assert faults("permissions", data) == []
    [cluster] = data["clusters"]
    assert (cluster["cluster"], cluster["region"], cluster["account"]) == ("cutlist-dev", "us-west-2", "111122223333")
    assert (cluster["size"] < cluster["limit"], cluster["notCovered"]) == (True, [])
    allowed = json.dumps(cluster["policy"])
    assert "eks:CreateNodegroup" in allowed
    assert "eks:CreateFargateProfile" not in allowed


def test_each_cluster_of_a_stack_has_its_own_and_others_resources_are_named(tmp_path: Path):
    clusters = (IDENTITY.format(name=name, more="") for name in ("shop", "bank"))
    result = run("--stack", "dev", "--project-dir", project(tmp_path, *clusters))
    assert result.exit_code == 0, result.output
    assert [line for line in result.stdout.splitlines() if line.startswith("==>")] == [
        "==> cluster bank in eu-west-1, account 111122223333 <==",
        "==> cluster shop in eu-west-1, account 111122223333 <==",
    ]
    assert "does not allow aws:s3/bucket:Bucket" in " ".join(result.stderr.split())


def test_a_stack_with_pulumis_names_gets_resources_of_any_name(tmp_path: Path):
    cluster = IDENTITY.format(name="shop", more=', "name_style": "auto"')
    result = run("--stack", "dev", "--project-dir", project(tmp_path, cluster))
    assert "arn:aws:iam::111122223333:role/*" in json.loads(result.stdout)["Statement"][0]["Resource"]


def test_a_stack_on_azure_gets_a_custom_role_that_can_be_saved():
    """What `az role definition create` takes: operations of its resources, on the subscription, whose group it makes."""
    result = run("--stack", "aks", "--project-dir", str(ROOT))
    assert (result.exit_code, result.stderr) == (0, "")
    role = json.loads(result.stdout)
    assert role["AssignableScopes"] == ["/subscriptions/11111111-2222-3333-4444-555555555555"]
    assert {"Microsoft.ContainerService/managedClusters/write", "Microsoft.Authorization/roleAssignments/write"} <= {
        *role["Actions"]
    }
    assert "Microsoft.Compute/diskEncryptionSets/write" not in role["Actions"]  # the stack has no key for disks
    data = json.loads(run("--stack", "aks", "--project-dir", str(ROOT), "-o", "json").stdout)
    assert faults("permissions", data) == []
    assert (data["clusters"], [cluster["role"] for cluster in data["aksClusters"]]) == ([], [role])


def test_clusters_of_both_clouds_have_a_document_each_and_others_resources_are_named(tmp_path: Path):
    names = {"name": "shop", "resource_group": "rg-shop", "location": "japaneast", "subscription": "1111" * 2 + "-1111" * 3}
    names["subscription"] += "-" + "1" * 12
    azure = f"""
import pulumi_azure_native as azure
from pulumi_cutlist.azure import AksNetwork
AksNetwork("net", {{"cluster": {names!r}, "own": {{"subnets": {{"nodes": "10.224.0.0/20"}}}}}})
azure.storage.StorageAccount("logs", resource_group_name="rg-shop", kind="StorageV2", sku={{"name": "Standard_LRS"}})
"""
    result = run("--stack", "dev", "--project-dir", project(tmp_path, IDENTITY.format(name="shop", more=""), azure))
    assert result.exit_code == 0, result.output
    assert [line for line in result.stdout.splitlines() if line.startswith("==>")] == [
        "==> cluster shop in eu-west-1, account 111122223333 <==",
        f"==> cluster shop in rg-shop, subscription {names['subscription']} <==",
    ]
    said = " ".join(result.stderr.split())
    assert "the role does not allow azure-native:storage:StorageAccount, whose operations are not known" in said
    assert "the policy does not allow aws:s3/bucket:Bucket, whose calls are not known" in said


def test_a_stack_without_a_cluster_is_refused(tmp_path: Path):
    result = run("--stack", "dev", "--project-dir", project(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing for a cluster whose name and place are known before an update" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--cluster-name and --region and --account are missing"),
        (("--cluster-name", "shop"), "--region and --account are missing"),
        (("--stack", "dev", *SHOP), "--cluster-name cannot be combined with --stack"),
        (
            ("--stack", "dev", "--project-dir", str(ROOT), "--account", "111122223333"),
            "--account cannot be combined with --stack",
        ),
        (("--cluster-name", "s!", "--region", "eu-west-1a", "--account", "1"), "Found 3 problems"),
        (("--cluster-name", "shop", "--region", "eu-west-1a", "--account", "111122223333"), "did you mean eu-west-1?"),
        (("--stack", "nix", "--project-dir", str(ROOT)), "no stack 'nix'"),
    ],
)
def test_mistakes_are_named_and_exit_with_2(arguments: tuple[str, ...], words: str):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_existing_roles_of_a_stack_may_be_passed(tmp_path: Path):
    """One whose name has no cluster's in it is added; one that another cluster of the stack makes is not."""
    existing = ', "role_name": "Nodes", "path": "/team/", "static_profile": True'
    clusters = (IDENTITY.format(name="shop", more=existing), IDENTITY.format(name="bank", more=', "static_profile": True'))
    result = run("--stack", "dev", "--project-dir", project(tmp_path, *clusters), "-o", "json")
    assert result.exit_code == 0, result.output
    passed = {
        cluster["cluster"]: statement["Resource"]
        for cluster in json.loads(result.stdout)["clusters"]
        for statement in cluster["policy"]["Statement"]
        if statement["Sid"] == "PassRolesOfTheCluster"
    }
    assert "arn:aws:iam::111122223333:role/team/Nodes" in passed["shop"]
    assert not any("KarpenterNodeRole" in arn for arns in passed.values() for arn in arns if isinstance(arns, list))
