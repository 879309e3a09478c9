"""Terraform and OpenTofu: plans and states as they print them, and configurations without either."""
