"""Programs in YAML, run as Pulumi's own language host for YAML runs them (spec: pulumi 4.8)."""
