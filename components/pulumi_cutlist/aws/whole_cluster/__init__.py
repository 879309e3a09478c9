"""A cluster with everything around it, from the network to the NodePools, as one resource of a stack."""
