"""The settings of `new`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

LIKE: Final = Setting("like", "The stack to copy.", metavar="STACK")
ACCOUNT: Final = Setting("account", "Account of the new stack, or subscription.", otherwise="the same", metavar="ID")
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
    ("Region of the new stack, zones included; with ", FROM, " that of all environments."),
    otherwise="the same, or what the files say",
    metavar="REGION",
)
