"""What importing the package costs, and what it must not bring in."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

import cutlist
from tests.sample import POOLS, SNAPSHOT, WORKLOADS
from tests.source import ONE_WORKER, nodes

FORBIDDEN = ("pulumi", "boto3", "botocore", "azure", "pydantic", "yaml", "cutlist.api")
BOUND_SECONDS = 0.150
RUNS = 5
_PROJECT = Path(__file__).resolve().parents[2]
_PACKAGES = {
    "cutlist": _PROJECT / "cutlist",
    "cutlist_cli": _PROJECT / "cutlist_cli",
    "cutlist_live": _PROJECT / "cutlist_live",
    "pulumi_cutlist": _PROJECT / "components" / "pulumi_cutlist",
}

TIMED = """
import time
start = time.perf_counter()
import cutlist
print(time.perf_counter() - start)
"""

LOADED = """
import sys
import cutlist
print(*sorted(m for m in sys.modules if m.split(".")[0] in {forbidden!r} or m in {forbidden!r}))
"""

SDKS = """
import sys
from cutlist import EC2NodeClass, Gt, NodePool
print(*sorted({m.split(".")[0] for m in sys.modules} & {"pulumi", "boto3", "botocore", "azure", "pydantic"}))
"""

WITHOUT_EXTRAS = """
import sys
for package in {packages!r}:
    sys.modules[package] = None
import cutlist.verbs.schemas
from cutlist_cli.commands import COMMANDS, load
print(*(name for name in COMMANDS if load(name).help is None))
"""
PLANNED = """
import sys
from cutlist_cli import main
try:
    main(["plan", "-f", {pools!r}, "-f", {workloads!r}, "--region", "us-west-2"])
except SystemExit as end:
    loaded = sorted(m for m in sys.modules if any(f"{{m}}.".startswith(f"{{part}}.") for part in {parts!r}))
    print(end.code, *loaded)
"""
FOR_SOME_PLANS = (
    "cutlist.api.convert",
    "cutlist.api.v1beta1",
    "cutlist.catalog.bills.reading",
    "cutlist.disruption.cluster_state",
    "cutlist.documents.delivery.argo.application",
    "cutlist.documents.delivery.deliveries",
    "cutlist.documents.delivery.flux",
    "cutlist.documents.delivery.gotemplate",
    "cutlist.documents.terraform.hcl",
    "cutlist.documents.delivery.helm",
    "cutlist.documents.kustomize.program",
    "cutlist.documents.kustomize.rendering",
    "cutlist.optimization.search",
    "cutlist.planning.aws.launches",
    "cutlist.verbs.budgets",
    "cutlist.verbs.diff",
    "cutlist.verbs.nodes",
    "cutlist.verbs.plan.html",
    "cutlist.verbs.plan.markdown",
    "cutlist.verbs.plan.restriction_prices",
    "cutlist.verbs.plan.scaling",
    "cutlist.verbs.plan.settled",
    "cutlist.verbs.rightsizing",
    "cutlist.verbs.types",
    "cutlist.workloads.usage",
)
"""Modules that a plan needs only for old objects, charts, configurations, other forms of the answer, and options."""
SHOWN = """
import sys
from cutlist_cli import main
try:
    main(["nodes", "-f", {snapshot!r}])
except SystemExit as end:
    loaded = sorted(m for m in sys.modules if any(f"{{m}}.".startswith(f"{{part}}.") for part in {parts!r}))
    print(end.code, *loaded)
"""
FOR_NODES_WITH_PRICES = (
    "cutlist.disruption.forecast",
    "cutlist.disruption.simulation",
    "cutlist.planning.aws.cloud",
    "cutlist.planning.azure.cloud",
    "cutlist.planning.figures",
    "cutlist.planning.inputs",
    "cutlist.planning.read_inputs",
    "cutlist.planning.traps",
    "cutlist.providers.aws",
    "cutlist.providers.azure",
    "cutlist.scheduling.provisioner",
    "cutlist.verbs.disrupt",
    "cutlist.verbs.nodes.html",
    "cutlist.verbs.nodes.markdown",
    "email",
)
"""Modules that the nodes of a cluster need only for a region, a plan, other forms of the answer, and `--watch`."""
NOT_FOR_A_PASS = (
    "cutlist.api.nodeclaim",
    "cutlist.catalog.embedded",
    "cutlist.documents.collecting",
    "cutlist.planning",
    "cutlist.providers.aws",
    "cutlist.settings.environments",
    "cutlist.workloads.read",
)
SCHEDULING = """
import sys
import cutlist.scheduling.provisioner
print(*sorted(m for m in sys.modules if any(f"{{m}}.".startswith(f"{{part}}.") for part in {parts!r})))
"""
OF_EXTRAS = ("azure", "boto3", "distributed", "duckdb", "highspy", "lightkube", "mcp", "numpy", "pulumi", "watchfiles")


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_importing_brings_in_no_sdk_and_no_parser() -> None:
    """`import cutlist` loads neither a cloud's SDK nor anything else that takes time."""
    assert _python(LOADED.format(forbidden=FORBIDDEN)) == ""


def test_the_typed_objects_bring_in_no_sdk() -> None:
    """Using the objects loads no cloud's SDK, and of pydantic only its engine for patterns."""
    assert _python(SDKS) == ""


def test_help_and_schemas_need_no_extra() -> None:
    """Whoever installed Cutlist alone can read what each command is for, and the schema of each answer."""
    assert _python(WITHOUT_EXTRAS.format(packages=OF_EXTRAS)) == ""


def test_a_plan_imports_only_what_its_inputs_need() -> None:
    """A plan of today's manifests, as text, loads no reader of other inputs, no other verb and no SDK."""
    assert [name for name in FOR_SOME_PLANS if find_spec(name) is None] == []
    code = PLANNED.format(pools=str(POOLS), workloads=str(WORKLOADS), parts=(*FOR_SOME_PLANS, *OF_EXTRAS))
    assert _python(code).splitlines()[-1] == "0"


def test_the_scheduler_imports_no_reader() -> None:
    """A pass needs neither files nor a catalogue; each name is imported from the module that defines it."""
    assert [name for name in NOT_FOR_A_PASS if find_spec(name) is None] == []
    assert _python(SCHEDULING.format(parts=NOT_FOR_A_PASS)) == ""


def test_nodes_without_prices_import_nothing_that_plans() -> None:
    """A cluster that is shown without a region loads no cloud, no forecast and no scheduler."""
    assert [name for name in FOR_NODES_WITH_PRICES if find_spec(name) is None] == []
    code = SHOWN.format(snapshot=str(SNAPSHOT), parts=(*FOR_NODES_WITH_PRICES, *OF_EXTRAS))
    assert _python(code).splitlines()[-1] == "0"


def test_importing_is_quick() -> None:
    """The best of several cold imports stays under 150 ms."""
    assert min(float(_python(TIMED)) for _ in range(RUNS)) < BOUND_SECONDS


def test_public_names_are_what_their_modules_hold() -> None:
    """A name of the package is the very object of its module, and is listed."""
    from cutlist import NodePool

    assert cutlist.NodePool is NodePool
    assert "NodePool" in dir(cutlist)


def test_every_public_name_resolves() -> None:
    """Nothing in `__all__` is a promise that cannot be kept."""
    missing = []
    for name in cutlist.__all__:
        try:
            getattr(cutlist, name)
        except (ImportError, AttributeError) as error:
            missing.append(f"{name}: {error}")
    assert missing == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name fails as attributes do."""
    assert not hasattr(cutlist, "NodePoool")


def _modules() -> dict[str, Path]:
    modules = {}
    for name, root in _PACKAGES.items():
        for file in root.rglob("*.py"):
            parts = (name, *file.relative_to(root).with_suffix("").parts)
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return modules


def _imports(file: Path, modules: Collection[str]) -> Iterator[str]:
    """The modules that a file names anywhere: at its top, under TYPE_CHECKING, inside functions."""
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}: a relative import"
            members = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (member if member in modules else node.module or "" for member in members)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circles(imports: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The groups of modules that reach each other, by Tarjan's algorithm."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    groups = []

    def visit(module: str) -> None:
        numbers[module] = lowest[module] = len(numbers)
        path.append(module)
        for imported in imports[module]:
            if imported not in numbers:
                visit(imported)
                lowest[module] = min(lowest[module], lowest[imported])
            elif imported in path:
                lowest[module] = min(lowest[module], numbers[imported])
        if lowest[module] == numbers[module]:
            group = path[path.index(module) :]
            del path[path.index(module) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for module in imports:
        if module not in numbers:
            visit(module)
    return sorted(groups)


def test_circles_are_seen() -> None:
    """The test below finds what it looks for."""
    assert circles({"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": []}) == [["b", "c"]]


@ONE_WORKER
@pytest.mark.slow
def test_no_modules_import_each_other() -> None:
    """There is no circle among our modules, for type checkers and inside functions neither.

    A package that re-exports its modules is none: what imports a module of a package does not name the package.
    """
    modules = _modules()
    assert {"cutlist.planning.inputs", "cutlist_cli.plan", "cutlist_live", "pulumi_cutlist.plan"} <= set(modules)
    imports = {name: sorted({*_imports(file, modules)} & modules.keys() - {name}) for name, file in modules.items()}
    assert circles(imports) == []
