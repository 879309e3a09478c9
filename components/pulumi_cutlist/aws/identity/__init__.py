"""Who nodes, controllers and pods are in AWS, and what they may do."""
