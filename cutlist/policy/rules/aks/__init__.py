"""Rules AK: AKS with node auto-provisioning, its network and its identities."""
