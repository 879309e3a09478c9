"""The sweep: finds what Karpenter left behind of a cluster in the account, and removes it once it is certain to be left over.

Needs the extra `live`. `cutlist sweep` is its command; docs/karpenter-cluster.md lists the permissions.
"""
