"""The settings by which accounts of a cloud are chosen: of `catalog` and `sweep`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Setting

PROFILE: Final = Setting("profile", "Profile of the AWS configuration.", otherwise="the environment's", metavar="NAME")
SUBSCRIPTION: Final = Setting("subscription", "Subscription of Azure.", otherwise="$AZURE_SUBSCRIPTION_ID", metavar="ID")
