"""Pages that are sections of others now: whoever has an old address finds the new place."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

MOVED: Final[Mapping[str, str]] = {
    "aks-cluster": "aks#a-cluster",
    "assistants": "showing#assistants",
    "editors": "validate#your-editor",
    "explain": "first-plan#why-these-nodes",
    "extend": "showing#extending-cutlist",
    "first-cluster": "karpenter-cluster#your-first-cluster",
    "fleets": "suggest#many-environments",
    "helm-argo-flux": "what-is-read#helm-argo-cd-and-flux",
    "identity": "cluster#identities",
    "live-catalogue": "prices#from-your-account",
    "migrate": "validate#from-v1beta1-to-v1",
    "network": "cluster#the-network",
    "opentofu": "what-is-read#opentofu-and-terraform",
    "other-languages": "stacks#other-languages",
    "own-figures": "prices#your-own-figures",
    "paid-prices": "prices#what-the-account-really-pays",
    "prerequisites": "karpenter-cluster#before-a-first-update",
    "private-cluster": "cluster#a-private-cluster",
    "python": "showing#plans-in-python",
    "snapshots": "verify#snapshots",
    "teardown": "karpenter-cluster#taking-a-cluster-down",
    "traps": "validate#traps",
    "user-data": "upgrade#user-data-of-nodes",
    "volumes": "devices#volumes",
    "what-an-account-says": "karpenter-cluster#what-only-an-account-can-show",
    "what-gates-see": "gates#what-gates-see",
    "why": "on-call#names-that-why-takes",
}
"""The page and section that has what a former page had, by the name of that page."""
_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<link rel="canonical" href="{target}">
<meta http-equiv="refresh" content="0; url={target}">
<p>This page has moved: <a href="{target}">{name}</a>.</p>
</html>
"""


def moved_pages() -> Mapping[str, str]:
    """Return a page for each former one that leads to the new place, by its place on the site. It needs no script."""
    return {f"{name}/index.html": _leading_to(place) for name, place in MOVED.items()}


def _leading_to(place: str) -> str:
    page, _, section = place.partition("#")
    return _PAGE.format(target=escape(f"../{page}/#{section}"), name=escape(place))
