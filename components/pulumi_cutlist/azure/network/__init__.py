"""The virtual network of a cluster, new or existing."""
