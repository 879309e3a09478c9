"""The fields of the kinds of Kubernetes, described once."""
