"""Packages of SDKs that are imported by need hold what they hold when they are imported as a whole."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pulumi_cutlist.program.sdk_packages import by_need

SDK = "pulumi_invented"
HEADER = """# coding=utf-8
# *** Do not edit by hand unless you're certain you know what you are doing! ***

import builtins as _builtins
from .. import _utilities
import typing
"""
FILES = {
    "__init__.py": "",
    "_utilities.py": "",
    "water/__init__.py": HEADER
    + "".join(f"from .{part} import *\n" for part in ("_enums", "get_well", "river", "odd", "_inputs"))
    + "from . import outputs\n",
    "water/_enums.py": "__all__ = ['Depth']\nclass Depth: ...\n",
    "water/get_well.py": "from . import outputs\n__all__ = ['GetWellResult', 'get_well', 'get_well_output']\n"
    "class GetWellResult: ...\ndef get_well(): ...\ndef get_well_output(): ...\n",
    "water/river.py": "from ._inputs import *\nfrom . import outputs\n__all__ = ['RiverArgs', 'River']\n"
    "class RiverArgs: ...\nclass River: ...\n",
    "water/odd.py": "__all__ = ['Unlike']\nclass Unlike: ...\n",
    "water/_inputs.py": "__all__ = ['RiverBankArgs']\nclass RiverBankArgs: ...\n",
    "water/outputs.py": "from . import outputs as _self\n__all__ = ['Bank']\nclass Bank: ...\n",
    "written/__init__.py": HEADER + "from .river import *\nSIZE = 3\n",
    "asks.py": "from .water import Sea\n",
    "takes.py": "from .water import *\n",
    "written/river.py": "class River: ...\n",
}
NAMES = ["Depth", "GetWellResult", "River", "RiverArgs", "RiverBankArgs", "Unlike", "get_well", "get_well_output"]


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An SDK of a service, in the form in which Pulumi's are generated."""
    for name, text in FILES.items():
        file = tmp_path / SDK / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with by_need():
        yield
    for name in [name for name in sys.modules if name.partition(".")[0] == SDK]:
        del sys.modules[name]


def _imported() -> set[str]:
    return {name.rpartition(".")[2] for name in sys.modules if name.startswith(f"{SDK}.water.")}


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("River", {"river", "_inputs", "outputs"}),
        ("RiverArgs", {"river", "_inputs", "outputs"}),
        ("RiverBankArgs", {"_inputs"}),
        ("get_well", {"get_well", "outputs"}),
        ("get_well_output", {"get_well", "outputs"}),
        ("GetWellResult", {"get_well", "outputs"}),
        ("outputs", {"outputs"}),
    ],
)
def test_a_name_imports_its_own_module(name, parts):
    """And what that imports itself, but no other module of the package."""
    package = importlib.import_module(f"{SDK}.water")
    assert _imported() == set()
    assert getattr(package, name).__name__.endswith(name)
    assert _imported() == parts


@pytest.mark.usefixtures("sdk")
def test_a_name_that_no_module_is_called_after_is_found():
    """The whole package is imported then."""
    package = importlib.import_module(f"{SDK}.water")
    assert package.Unlike.__module__ == f"{SDK}.water.odd"
    assert "river" in _imported()


@pytest.mark.usefixtures("sdk")
def test_a_package_has_no_names_of_its_own_making():
    """A name that it does not have is an error as in any module."""
    package = importlib.import_module(f"{SDK}.water")
    with pytest.raises(AttributeError, match="has no attribute 'Sea'"):
        _ = package.Sea
    with pytest.raises(ImportError, match="Sea"):
        importlib.import_module(f"{SDK}.asks")


@pytest.mark.usefixtures("sdk")
def test_all_names_are_there_for_who_looks_at_all():
    """By a star import and by `dir`."""
    names = vars(importlib.import_module(f"{SDK}.takes"))
    package = importlib.import_module(f"{SDK}.water")
    assert sorted(name for name in names if name in NAMES) == NAMES
    assert set(NAMES) <= set(dir(package))


@pytest.mark.usefixtures("sdk")
def test_a_function_hides_the_module_of_its_name():
    """As in a package that is imported as a whole, also after an import of the module itself."""
    module = importlib.import_module(f"{SDK}.water.get_well")
    package = importlib.import_module(f"{SDK}.water")
    assert package.get_well is module.get_well


@pytest.mark.usefixtures("sdk")
def test_a_package_with_code_of_its_own_is_imported_as_it_is():
    """Only those that do nothing but import names are imported by need."""
    package = importlib.import_module(f"{SDK}.written")
    assert package.SIZE == 3
    assert f"{SDK}.written.river" in sys.modules


PROGRAM = """
import contextlib, types
from pulumi import _types
from pulumi_cutlist.program.sdk_packages import by_need
def of(name, value):
    return name, "" if isinstance(value, types.ModuleType) else getattr(value, "__module__", "")
with {context}:
    import pulumi_aws as aws
    import sys
    assert aws.iam.Role and ("pulumi_aws.iam.user" in sys.modules) is not {is_by_need}
    print(_types.input_type_types(aws.ec2.LaunchTemplateArgs))
    print(_types.input_type_types(aws.ec2.LaunchTemplateBlockDeviceMappingArgs))
    print(_types.output_type_types(aws.eks.outputs.ClusterVpcConfig), len(aws.iam.ManagedPolicy))
    print([of(name, getattr(aws.iam, name)) for name in sorted(dir(aws.iam)) if name[0] != "_"])
"""


def test_a_service_of_aws_has_the_same_names_by_need():
    """Each of them from the same module."""
    contexts = {"by_need()": True, "contextlib.nullcontext()": False}
    programs = [PROGRAM.format(context=context, is_by_need=is_by_need) for context, is_by_need in contexts.items()]
    by_need_, whole = (subprocess.check_output([sys.executable, "-c", program], text=True) for program in programs)
    assert len(whole) > 1000
    assert by_need_ == whole
