"""Every component of the package: what programs in other languages can use."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import pulumi

from pulumi_cutlist import kubernetes, plan

SDK_OF_AWS: Final = "pulumi_aws"
_OF_CLOUDS: Final = {"aws": SDK_OF_AWS, "azure": "pulumi_azure_native"}
"""The packages of components that need the SDK of a cloud, with the SDK."""


def is_installed(sdk: str) -> bool:
    """Tell whether an SDK can be imported."""
    return find_spec(sdk) is not None


def _components() -> tuple[type[Any], ...]:
    """Return the components, in the order of their names, of the clouds whose SDKs are installed."""
    clouds = [import_module(f"pulumi_cutlist.{cloud}") for cloud, sdk in _OF_CLOUDS.items() if is_installed(sdk)]
    classes = (getattr(package, name) for package in (kubernetes, *clouds) for name in package.__all__)
    return tuple(sorted((plan.NodePlan, *filter(_is_component, classes)), key=lambda component: component.__name__))


def _is_component(exported: object) -> bool:
    return isinstance(exported, type) and issubclass(exported, pulumi.ComponentResource)


COMPONENTS: Final = _components()
