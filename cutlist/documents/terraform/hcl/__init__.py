"""Configuration of Terraform and OpenTofu read without an apply: its objects of Kubernetes, as far as values are written."""
