"""The CSI drivers that attach volumes of a cloud's disks to nodes."""

from __future__ import annotations

from typing import Final

EBS: Final = "ebs.csi.aws.com"
EBS_OF_AUTO_MODE: Final = "ebs.csi.eks.amazonaws.com"
AZURE_DISK: Final = "disk.csi.azure.com"
