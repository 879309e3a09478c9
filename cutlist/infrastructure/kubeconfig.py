"""How a client reaches a cluster: a kubeconfig that fetches a new token each time (spec: aws-infrastructure 0.4)."""

from __future__ import annotations

import json


def kubeconfig(
    cluster: str,
    region: str,
    endpoint: str,
    certificate_authority: str,
    *,
    role_arn: str | None = None,
    profile: str | None = None,
) -> str:
    """Return the kubeconfig as JSON, the same text for the same facts. It contains no secret: the AWS CLI creates the tokens. A
    token in it would expire after 15 minutes, and a later destroy, which does not run the program, could not log in.
    `certificate_authority` is in base64, as EKS returns it. `role_arn` is a role to assume, `profile` one of the AWS
    configuration.
    """
    arguments = ["eks", "get-token", "--cluster-name", cluster, "--region", region, "--output", "json"]
    if role_arn:
        arguments += ["--role-arn", role_arn]
    if profile:
        arguments += ["--profile", profile]
    login = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": arguments,
        "interactiveMode": "Never",
    }
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": cluster, "cluster": {"server": endpoint, "certificate-authority-data": certificate_authority}}],
        "contexts": [{"name": cluster, "context": {"cluster": cluster, "user": cluster}}],
        "current-context": cluster,
        "users": [{"name": cluster, "user": {"exec": login}}],
    }
    return json.dumps(config, indent=2)
