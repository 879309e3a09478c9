"""What Argo CD, Flux and Helm make of a checkout: objects that stand for others are replaced by these."""
