"""Components of one cloud are imported where the SDK of the other is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import cutlist

ROOT = Path(__file__).resolve().parents[2]
BLOCKED = """
import importlib.abc, sys
sys.path.insert(0, "components")

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

    @classmethod
    def hidden(cls, find):
        return lambda name, *more: None if name in {blocked!r} else find(name, *more)

sys.meta_path.insert(0, Missing())
import importlib.util
importlib.util.find_spec = Missing.hidden(importlib.util.find_spec)
from pulumi_cutlist.package.plugin import COMPONENTS, PROVIDERS
print(*sorted(component.__module__.split(".")[1] for component in COMPONENTS), len(PROVIDERS))
"""


@pytest.mark.sampled(one_in=2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocked", "missing", "own"),
    [(("pulumi_azure_native", "azure"), "azure", 3), (("pulumi_aws", "pulumi_eks", "boto3"), "aws", 0)],
)
def test_one_cloud_needs_no_sdk_of_the_other(blocked: tuple[str, ...], missing: str, own: int):
    """The whole package for other languages too: it has the components of the clouds whose SDKs are there."""
    run = subprocess.run([sys.executable, "-c", BLOCKED.format(blocked=blocked)], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    *packages, providers = run.stdout.split()
    assert set(packages) == {"aws", "azure", "kubernetes", "plan"} - {missing}
    assert int(providers) == own


def test_the_version_of_the_package_can_be_asked():
    from importlib.metadata import version

    assert cutlist.__version__ == version("cutlist")
