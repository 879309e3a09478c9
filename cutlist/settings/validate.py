"""The settings of `validate`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting
from cutlist.settings.planning import CATALOG, EXTERNAL_CLASSES, FEATURE_GATES, KARPENTER, region_for

BEFORE: Final = Setting(
    "before",
    "File or folder with the current objects: shows forbidden changes, and which nodes drift.",
    Kind.PATH,
    several=True,
    repeated="",
    metavar="PATH",
)
KUBERNETES: Final = Setting(
    "kubernetes",
    "The cluster's version of Kubernetes, such as 1.35: checks fields of workloads, and that images exist for it.",
    default="",
    shows_default=False,
    metavar="VERSION",
)
REGION: Final = region_for("Region in which values of NodePools have to exist.", "all regions")
CHECKING: Final = (KUBERNETES, REGION, CATALOG, EXTERNAL_CLASSES, KARPENTER, FEATURE_GATES)
"""What manifests are checked by, which an environment of the project may have itself."""
