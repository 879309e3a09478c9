"""Manifests as resources."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource


def custom_resource(name: str, manifest: Mapping[str, Any], parent: pulumi.Resource) -> pulumi.CustomResource:
    """The object of a manifest as a child of a component; a manifest's status is the cluster's and stays out."""
    resource: pulumi.CustomResource = CustomResource(
        name,
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=manifest["metadata"],
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions(parent=parent),
    )
    return resource
