"""The CSI drivers of the clouds' disks and files."""

from __future__ import annotations

from typing import Final

EBS: Final = "ebs.csi.aws.com"
EBS_OF_AUTO_MODE: Final = "ebs.csi.eks.amazonaws.com"
AZURE_DISK: Final = "disk.csi.azure.com"
AZURE_FILE: Final = "file.csi.azure.com"
