"""The settings of `new`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting

LIKE: Final = Setting("like", "The stack to copy.", metavar="STACK")
ACCOUNT: Final = Setting("account", "Account of the new stack, or subscription.", otherwise="the same", metavar="ID")
REGION: Final = Setting("region", "Region of the new stack, zones included.", otherwise="the same", metavar="REGION")
