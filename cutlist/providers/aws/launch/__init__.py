"""From a NodeClaim to the one EC2 Fleet request that Karpenter's AWS provider sends, and its result (spec: AWS 5, 6)."""

from __future__ import annotations

from cutlist.providers.aws.launch.choice import chosen_subnets
from cutlist.providers.aws.launch.claim import Claim, ClaimRequirements, Refusal, RefusalKind
from cutlist.providers.aws.launch.filters import FilteredTypes, RemainingType, launch_filters, narrowed
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.images import Image, images_of, unseen_images
from cutlist.providers.aws.launch.prediction import Prediction, predict
from cutlist.providers.aws.launch.request import LaunchSettings, launch
from cutlist.providers.aws.launch.templates import LaunchTemplate, Override

__all__ = [
    "Claim",
    "ClaimRequirements",
    "FilteredTypes",
    "FleetRequest",
    "Image",
    "LaunchSettings",
    "LaunchTemplate",
    "Override",
    "Prediction",
    "Refusal",
    "RefusalKind",
    "RemainingType",
    "chosen_subnets",
    "images_of",
    "launch",
    "launch_filters",
    "narrowed",
    "predict",
    "unseen_images",
]
