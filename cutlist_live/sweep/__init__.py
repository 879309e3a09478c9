"""The sweep: what Karpenter left behind of a cluster is found in the account and removed, once it is certain to be left over.

Needs the extra `live`. `cutlist sweep` is its command; docs/teardown.md lists the permissions.
"""
