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
FORCE: Final = Setting("force", ("With ", FROM, ": replace the file if there is one."), Kind.FLAG)
REGION: Final = Setting(
    "region",
    ("Region of the new stack, zones included; with ", FROM, " that of all environments."),
    otherwise="the same, or what the files say",
    metavar="REGION",
)
