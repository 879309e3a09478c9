"""What is wanted of a cluster over time: replicas, Jobs and new templates, and what controllers make of them."""
