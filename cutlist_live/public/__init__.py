"""Prices from public endpoints, which need no account: AWS' price list files, the Spot Advisor, SkyPilot's catalogue, Azure."""
