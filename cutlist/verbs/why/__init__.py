"""Why a pod waits, where it runs, and why a node or a NodePool is as it is."""
