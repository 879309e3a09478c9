"""The settings of `new`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

AWS, AUTO_MODE, AKS = "aws", "auto-mode", "aks"
"""The kinds of clusters that a new project may have."""

LIKE: Final = Setting("like", "The stack to copy.", metavar="STACK")
CLOUD: Final = Setting(
    "cloud",
    "Of a new project: aws for EKS with a Karpenter of its own, auto-mode for EKS Auto Mode, aks.",
    otherwise="asked for",
    choices=(AWS, AUTO_MODE, AKS),
)
CLUSTER: Final = Setting(
    "from_cluster",
    "Make the new project from a cluster that runs: the file of `cutlist snapshot`.",
    Kind.FILE,
    metavar="FILE",
    option="cluster",
    former=("from-cluster",),
)
ACCOUNT: Final = Setting(
    "account",
    "Account of the new project or stack, or subscription.",
    otherwise="asked for; of a stack, the same",
    metavar="ID",
)
FROM: Final = Setting(
    "from_folder",
    "Write cutlist.yaml for a folder, such as the root of a repository, from the environments in it.",
    Kind.FOLDER,
    metavar="DIR",
    option="from",
)
PIPELINES: Final = "ci"
"""The name that stands for a pipeline instead of a stack."""

PLATFORM: Final = Setting(
    "platform",
    ("With ", PIPELINES, ": what runs the pipeline."),
    otherwise="gitlab where the repository has a pipeline of GitLab or comes from there, else github",
    choices=("github", "gitlab"),
)
SOURCE: Final = Setting(
    "source",
    ("With ", PIPELINES, ": address of a repository of Cutlist, and the commit that pipelines take from it."),
    otherwise="a line to fill in",
    metavar="URL@COMMIT",
)
PRICES: Final = Setting(
    "prices",
    ("With ", PIPELINES, ": write the scheduled workflow for GitHub that proposes today's public prices."),
    Kind.FLAG,
)
FORCE: Final = Setting("force", ("With ", FROM, " or ", PIPELINES, ": replace the file if there is one."), Kind.FLAG)
REGION: Final = Setting(
    "region",
    ("Region of the new project or stack, zones included; with ", FROM, " that of all environments."),
    otherwise="asked for; of a stack the same, or what the files say",
    metavar="REGION",
)
