"""The components for programs in other languages: what `pulumi package add` starts."""

from importlib.metadata import version

from pulumi.provider.experimental import component_provider_host
from pulumi_cutlist.package import COMPONENTS

if __name__ == "__main__":
    component_provider_host(list(COMPONENTS), "cutlist", version=version("cutlist"))
