"""Who may do what around Karpenter: documents, the permissions of the controller and of nodes, and a judge of requests."""
