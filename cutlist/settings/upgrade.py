"""The settings of `upgrade`, besides those of plans and of disruption."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting
from cutlist.settings import answers

FROM: Final = Setting("before", "The current version, such as 1.12.0.", metavar="VERSION", option="from")
TARGET: Final = Setting("after", "The version to upgrade to, such as 1.14.1.", metavar="VERSION", option="target")
KUBERNETES: Final = Setting(
    "kubernetes",
    "The cluster's version of Kubernetes, such as 1.35, to check that it fits.",
    default="",
    shows_default=False,
    metavar="VERSION",
)
STRICT: Final = answers.strict_about("Exit with 1 if more pods are pending or more nodes drift.")
