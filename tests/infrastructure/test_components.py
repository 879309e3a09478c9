"""The components: what they register, and that programs in other languages can use them."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pulumi.provider.experimental.analyzer import PropertyDefinition
from pulumi_cutlist.package.components import COMPONENTS
from pulumi_cutlist.package.plugin import Package
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from cutlist.core.setting import Edge
from cutlist.settings.planning import PLAN
from tests.infrastructure.unknowns import has_unknowns

FOLDER = Path(__file__).resolve().parents[2] / "components"

PROGRAM = """
import json, pathlib, pulumi
from pulumi_cutlist.kubernetes import EC2NodeClass, NodePool

given = json.loads(pathlib.Path("manifests.json").read_text())
node_class = EC2NodeClass("default", {"manifest": given["nodeClass"]})
NodePool("general", {"manifest": given["nodePool"], "node_class_name": node_class.object_name})
"""


def node_pool(**spec: object) -> dict[str, object]:
    template = {
        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
        "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}],
    }
    full = {"template": {"spec": template}, **spec}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": full}


def node_class() -> dict[str, object]:
    tags = [{"tags": {"karpenter.sh/discovery": "demo"}}]
    spec = {
        "role": "KarpenterNodeRole-demo",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": tags,
        "securityGroupSelectorTerms": tags,
    }
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec}


@pytest.fixture
def run(tmp_path: Path):
    def make(pool: dict[str, object] | None = None, mode: Mode = Mode.PREVIEW) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        manifests = {"nodePool": pool or node_pool(), "nodeClass": node_class()}
        (tmp_path / "manifests.json").write_text(json.dumps(manifests))
        return Program(tmp_path, tmp_path, "shop", "dev").run(mode)

    return make


def test_a_node_pool_is_one_object_under_its_component(run):
    """The component registers the object of its manifest as its only child."""
    recording = run()
    [component] = recording.of_type("cutlist:index:NodePool")
    [child] = recording.children(component.urn)
    assert (child.type, child.name) == ("kubernetes:karpenter.sh/v1:NodePool", "general")
    assert child.inputs["spec"]["template"]["spec"] == node_pool()["spec"]["template"]["spec"]
    assert child.inputs["metadata"]["name"] == "general"


@pytest.mark.parametrize("mode", Mode)
def test_a_node_pool_waits_for_its_class(run, mode):
    """The pool's object depends on the class's object, by the name that it refers to, which is known in a preview as well."""
    recording = run(mode=mode)
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    [of_class] = recording.of_type("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass")
    assert of_class.urn in pool.request.dependencies
    assert not has_unknowns(pool)
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "default"


def test_whole_numbers_of_the_wire_are_integers(run):
    """Programs in other languages send 10 as 10.0, and Karpenter's schema wants integers."""
    recording = run(node_pool(weight=10.0, limits={"cpu": "100"}))
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    assert pool.inputs["spec"]["weight"] == 10


def test_a_manifest_that_karpenter_refuses_registers_nothing(run):
    """The mistake is raised before the component exists."""
    pool = node_pool()
    pool["spec"]["template"]["spec"]["requirements"][0]["operator"] = "Inn"
    with pytest.raises(InputError, match="Inn"):
        run(pool)


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The package schema, which no test changes: to derive it takes a second."""
    return json.loads(Package().schema or "")


def test_the_schema_for_other_languages(schema):
    """Every component is in the package schema with its inputs, outputs and descriptions."""
    resources = schema["resources"]
    assert sorted(resources) == sorted(f"cutlist:index:{component.__name__}" for component in COMPONENTS)
    assert resources["cutlist:index:AutoNodeClass"]["requiredInputs"] == ["manifest"]
    assert resources["cutlist:index:NodePool"]["requiredInputs"] == ["manifest"]
    inputs = sorted(resources["cutlist:index:NodePool"]["inputProperties"])
    assert inputs == ["annotations", "karpenterVersion", "manifest", "nodeClassName", "patchForce"]
    own = {"sources", "manifests", "baseline", "featureGates"}
    of_plan = sorted(own | {setting.spelled(Edge.COMPONENT) for setting in PLAN})
    assert sorted(resources["cutlist:index:NodePlan"]["inputProperties"]) == of_plan
    assert sorted(resources["cutlist:index:NodePlan"]["requiredInputs"]) == ["region"]
    assert sorted(resources["cutlist:index:NodePlan"]["properties"]) == ["nodePools", "pending", "totals"]
    of_user_data = resources["cutlist:index:NodeUserData"]
    assert sorted(of_user_data["requiredInputs"]) == ["clusterName", "endpoint", "nodeClass"]
    assert sorted(of_user_data["properties"]) == ["nodeGroupUserData", "userData"]
    for resource in resources.values():
        assert resource["isComponent"]
        assert resource["description"]
        members = {**resource["inputProperties"], **resource["properties"]}
        assert [name for name, member in members.items() if not member.get("description")] == []


def test_the_committed_schema_is_current(schema):
    """Registries and generators of SDKs read it; `make schema` writes it."""
    committed = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    for part in ("name", "description", "keywords", "license", "publisher", "language", "types", "resources"):
        assert committed[part] == schema[part], f"{part} differs: run `make schema`"


_OPEN = {
    ("AddOn", "configuration"),  # each add-on has its own settings
    ("KarpenterChartsSection", "values"),  # those of a chart
    ("ControllerIdentitySection", "extraStatements"),  # IAM's language
    ("ControllerIdentitySection", "boundaryStatements"),
    ("EC2NodeClassManifestSpec", "kubelet"),  # the kubelet's own configuration
    ("NodeClassManifestSpec", "advancedCompute"),  # of which no schema is published
}


def test_inputs_are_typed_to_the_leaves(schema):
    """So that an editor completes them: whole clusters take nothing that can be anything, but for what others define, and for
    workloads, which are paths or objects of any kind."""
    for name in ("KarpenterCluster", "AutoModeCluster"):
        inputs = schema["resources"][f"cutlist:index:{name}"]["inputProperties"]
        assert [key for key, member in inputs.items() if "pulumi.json#/Any" in json.dumps(member)] == ["workloads"]
    opened = {
        (token.removeprefix("cutlist:index:"), key)
        for token, of in schema["types"].items()
        for key, member in of["properties"].items()
        if "pulumi.json#/Any" in json.dumps(member)
    }
    assert opened == _OPEN
    described = {token for token, of in schema["types"].items() if "Manifest" not in token for _ in of["properties"].values()}
    undescribed = [
        (token, key)
        for token in described
        for key, member in schema["types"][token]["properties"].items()
        if "description" not in member
    ]
    assert undescribed == []


def test_a_whole_cluster_says_what_programs_in_any_language_need(schema):
    """Names, addresses, keys, roles, the queue, what discovers subnets and groups, and what its nodes cost."""
    of_both = {"clusterName", "clusterArn", "endpoint", "certificateAuthority", "kubeconfig", "oidcIssuer", "oidcProviderArn"}
    of_both |= {"securityGroupId", "vpcId", "nodeRoleName", "nodeRoleArn", "nodePoolNames", "plannedNodes", "privateSubnetIds"}
    own = {"nodeSecurityGroupId", "controllerRoleName", "controllerRoleArn", "queueName", "queueArn", "karpenterVersion"}
    own |= {"subnetSelectorTerms", "securityGroupSelectorTerms"}
    outputs = {name: {*of["properties"]} for name, of in schema["resources"].items()}
    assert outputs["cutlist:index:AutoModeCluster"] == of_both
    assert outputs["cutlist:index:KarpenterCluster"] == of_both | own
    of_aks = {"clusterId", "clusterName", "fqdn", "version", "oidcIssuer", "nodeResourceGroup", "nodePoolNames", "plannedNodes"}
    assert of_aks <= outputs["cutlist:index:AksNodeProvisioning"]


def test_an_input_that_is_not_declared_is_passed_on_and_reported():
    """The SDK would leave it out silently, at the top and in a section."""
    charts = PropertyDefinition(ref="#/types/cutlist:index:KarpenterChartsSection", optional=True)
    inputs = {"charts": {"logLevel": "debug", "replica": 3}, "karpenterVerison": "1"}
    mapped = Package().map_input_properties(inputs, {"charts": charts}, {"charts": "charts"}, "KarpenterCluster", "")
    assert mapped == {"charts": {"log_level": "debug", "replica": 3}, "karpenterVerison": "1"}


def test_what_says_which_cluster_and_which_karpenter_has_one_name_everywhere(schema):
    """So the same few inputs can be given to every component."""
    parts = [*schema["resources"].values(), *schema["types"].values()]
    names = {name for part in parts for group in ("inputProperties", "properties") for name in part.get(group, {})}
    assert {"clusterName", "region", "accountId", "karpenterVersion"} <= names
    assert not {"account", "awsAccountId", "controllerVersion", "chartVersion"} & names


HOSTED = """
import pulumi
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.plan import NodePlan

inputs = {"region": "us-west-2", "sources": ["stacks/dev", "stacks/dev/workloads"], "zones": ["us-west-2a"]}
hosted = ComponentProvider([NodePlan], "cutlist", version="0.1.0").construct("nodes", "cutlist:index:NodePlan", inputs)
pulumi.export("state", hosted.state)
"""


def test_a_program_in_another_language_gets_a_plan(tmp_path):
    """Constructed as the component host does it, NodePlan reads the files and answers with all its outputs."""
    (tmp_path / "__main__.py").write_text(HOSTED)
    shutil.copytree(FOLDER.parent / "stacks", tmp_path / "stacks", ignore=shutil.ignore_patterns("Pulumi.*"))
    state = Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW).exports["state"]
    assert sorted(state) == ["nodePools", "pending", "totals"]
    assert sorted(state["nodePools"]) == ["batch", "general", "gpu"]


def test_type_tokens_are_those_of_the_package():
    """A component has the same token in a Python program and through the package."""
    for component in COMPONENTS:
        [token] = re.findall(r"super\(\).__init__\(([\w:\"]+), name", inspect.getsource(component))
        named = getattr(sys.modules[component.__module__], token) if token.isidentifier() else token.strip('"')
        assert named == f"cutlist:index:{component.__name__}"


_BASES = {"pulumi.ComponentResource", "Component", "ProgramComponent"}


@cache
def _components() -> list[tuple[str, ast.ClassDef]]:
    found = []
    for path in sorted((FOLDER / "pulumi_cutlist").rglob("*.py")):
        text = path.read_text()
        # Every worker finds them while it collects tests, and most modules have none.
        for node in ast.walk(ast.parse(text)) if "Component" in text else ():
            bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
            if set(bases) & _BASES and not node.name.endswith("Component"):
                found.append((path.name, node))
    return found


@pytest.mark.parametrize(("_", "component"), _components(), ids=lambda value: getattr(value, "name", ""))
def test_a_component_ends_with_its_outputs(_, component):
    """`register_outputs` is called once and last in every component: the engine waits for it."""
    [init] = [node for node in component.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    calls = [ast.unparse(n.func) for n in ast.walk(init) if isinstance(n, ast.Call)]
    assert calls.count("self.register_outputs") == 1
    last = init.body[-1]
    assert isinstance(last, ast.Expr)
    assert isinstance(last.value, ast.Call)
    assert ast.unparse(last.value.func) == "self.register_outputs"


def test_the_guard_above_sees_the_components():
    """The classes that the guard looks at are found by their source."""
    within = {"Protection"}  # a part of other components, that no program makes by itself
    assert {component.name for _, component in _components()} - within == {component.__name__ for component in COMPONENTS}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("module", ["pulumi_cutlist", "pulumi_cutlist.kubernetes", "pulumi_cutlist.environment"])
def test_no_cloud_sdk_is_imported(module):
    """Objects of Kubernetes and plans need neither the SDK of AWS nor that of Azure."""
    code = f"import sys, {module}; print(sorted(m for m in sys.modules if m.startswith(('pulumi_a', 'pulumi_eks', 'boto'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("package", "others"),
    [
        ("pulumi_cutlist.aws", "azure"),
        ("pulumi_cutlist.azure", "aws|eks"),
        pytest.param("pulumi_cutlist.package.components", "-", marks=pytest.mark.thorough),
    ],
)
def test_components_bring_the_sdk_of_their_own_cloud_alone(package, others):  # I-82, Z-14
    """The modules of a cloud's services come with the first resource, and boto3 where a provider runs."""
    code = (
        f"import re, sys, {package}; unwanted = r'pulumi_({others})|boto|pulumi_(aws|kubernetes|azure_native)\\.\\w+\\.'; "
        "print([m for m in sys.modules if re.match(unwanted, m)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_plugin_starts():
    """What `pulumi package add` starts prints a port and answers with the schema."""
    import grpc
    from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

    command = [sys.executable, str(FOLDER / "__main__.py"), "127.0.0.1:1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            port = int(process.stdout.readline())
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                stub = provider_pb2_grpc.ResourceProviderStub(channel)
                answer = stub.GetSchema(provider_pb2.GetSchemaRequest(), timeout=20)
        finally:
            process.terminate()
    schema = json.loads(answer.schema)
    assert schema["name"] == "cutlist"
    assert "cutlist:index:AutoNodeClass" in schema["resources"]
