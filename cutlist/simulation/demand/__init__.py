"""The demand on a cluster over time: replicas, Jobs and new templates, and how controllers act on them."""
