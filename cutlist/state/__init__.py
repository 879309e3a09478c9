"""What a cluster holds: its nodes, NodeClaims, running pods and volumes, as a snapshot or the API server gives them."""
