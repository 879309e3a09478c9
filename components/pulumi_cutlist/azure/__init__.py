"""What AKS Node Auto Provisioning needs, as resources of a stack."""
