"""What stacks on AWS need."""

from pulumi_cutlist.aws.user_data import NodeUserData, NodeUserDataArgs

__all__ = ["NodeUserData", "NodeUserDataArgs"]
