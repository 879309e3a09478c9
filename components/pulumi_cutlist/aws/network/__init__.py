"""The VPC of a cluster, new or existing."""
