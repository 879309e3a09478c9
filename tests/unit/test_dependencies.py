"""What the product imports is declared: in the project's dependencies, or in the extra that the importing module belongs to."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from cutlist_cli.failures import missing_extra
from tests.source import ONE_WORKER, nodes
from tools.oldest import oldest

pytestmark = ONE_WORKER

_PROJECT = Path(__file__).resolve().parents[2]
_OWN = {"cutlist", "cutlist_cli", "cutlist_live", "cutlist_policies", "pulumi_cutlist"}
_EXTRAS = {
    "cutlist": "",
    "cutlist/catalog/bills": "bill",
    "cutlist/documents/terraform/hcl": "hcl",
    "cutlist/optimization": "optimize",
    "cutlist/runners/dask_cluster.py": "fleet",
    "cutlist_cli": "",
    "cutlist_cli/assistants": "mcp",
    "cutlist_cli/mcp.py": "mcp",
    "cutlist_cli/preview.py": "kubernetes",
    "cutlist_cli/serving/changes.py": "watch",
    "cutlist_live": "live",
    "cutlist_live/azure_account.py": "live-azure",
    "components/pulumi_cutlist": "kubernetes",
    "components/pulumi_cutlist/aws": "aws",
    "components/pulumi_cutlist/azure": "azure",
    "policies/cutlist_policies": "policies",
}
"""The extra of each part of the code, the innermost of those that hold a module."""


def _declared() -> dict[str, set[str]]:
    """The distributions that each extra brings, with those of the extras that it names and of the project itself."""
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    written = {"": project["dependencies"], **project["optional-dependencies"]}

    def of(extra: str) -> Iterator[str]:
        for requirement in written[extra]:
            own = re.fullmatch(r"cutlist\[(.*)\]", requirement)
            if own:
                yield from (name for inner in own[1].split(",") for name in of(inner))
            else:
                yield _normal(re.match(r"[\w.-]+", requirement)[0])

    return {extra: {*of(""), *of(extra)} for extra in written}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _foreign(file: Path) -> set[str]:
    """The modules of others that a file imports anywhere in it."""
    names = set()
    for node in nodes(file):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name for name in names if name.partition(".")[0] not in sys.stdlib_module_names | _OWN}


@cache
def _imports() -> tuple[tuple[str, str, str], ...]:
    """Each file of the product with the extra that it belongs to and a foreign module that it imports."""
    return tuple(_foreign_imports())


def _foreign_imports() -> Iterator[tuple[str, str, str]]:
    for root in (part for part in _EXTRAS if part.rpartition("/")[2] in _OWN):
        for file in sorted((_PROJECT / root).rglob("*.py")):
            path = file.relative_to(_PROJECT).as_posix()
            part = max((p for p in _EXTRAS if path == p or path.startswith(f"{p}/")), key=len)
            for module in sorted(_foreign(file)):
                yield path, _EXTRAS[part], module


_INSTALLED = packages_distributions()
_OF_NAMESPACES = {
    "azure.core": "azure-core",
    "azure.identity": "azure-identity",
    "azure.mgmt.compute": "azure-mgmt-compute",
    "google.protobuf": "protobuf",
    "hcl2": "python-hcl2",
}
"""The distributions of packages whose first name belongs to many, and of one that need not be installed for tests."""


def _distributions(module: str) -> set[str]:
    """The distributions that a module may come from."""
    shared = {name for package, name in _OF_NAMESPACES.items() if f"{module}.".startswith(f"{package}.")}
    return shared or {_normal(name) for name in _INSTALLED.get(module.partition(".")[0], ())}


def test_every_import_is_declared_where_it_is_needed():
    """Nothing is there only because something else happens to bring it."""
    declared = _declared()
    imports = _imports()
    assert len(imports) > 100
    missing = [one for one in imports if not _distributions(one[2]) & declared[one[1]]]
    assert missing == []


def test_every_declared_package_is_imported():
    """No extra brings what no module uses."""
    used = {name for _, _, module in _imports() for name in _distributions(module)}
    tools = {"bench", "dev", "docs"}
    assert {name for extra, names in _declared().items() if extra not in tools for name in names} - used == set()


def test_what_an_extra_brings_names_the_extra_when_it_is_missing():
    """A command that lacks a package says which extra to install."""
    base = _declared()[""]
    modules = {module for _, extra, module in _imports() if extra and not _distributions(module) & base}
    assert "boto3" in modules
    assert [one for one in sorted(modules) if missing_extra(ModuleNotFoundError(name=one), "cutlist plan") is None] == []


def test_every_range_has_both_ends():
    """A lower bound that the oldest versions are tested with, and an upper one before the next incompatible release."""
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {name: of for name, of in project["optional-dependencies"].items() if name != "dev"}
    ranges = [one for of in (project["dependencies"], *extras.values()) for one in of if not one.startswith("cutlist[")]
    assert [one for one in ranges if not re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+,<[\d.]+", one)] == []


def test_the_oldest_releases_are_the_lower_bounds():
    """`make oldest` pins what users can have, and leaves what only tests and builds alone."""
    project = {"dependencies": ["a>=1.2,<2"], "optional-dependencies": {"x": ["cutlist[y]", "b[z]>=3,<4"], "dev": ["c>=5"]}}
    assert list(oldest(project)) == ["a==1.2", "b==3"]
