"""Charts, and what Argo CD and Flux take from a checkout."""
