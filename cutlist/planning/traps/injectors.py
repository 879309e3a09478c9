"""The webhooks that add a container to pods: by which labels and annotations, and what the container requests.

Amounts are those of the annotations, else the defaults of each project's own chart or code; a mesh may be installed with
others. Sources, read 2026-11-29:

- Istio: chart `istio-control/istio-discovery`, `global.proxy.resources`, and its injection template, which takes no default
  as soon as one of the four annotations is there.
- Linkerd: chart `linkerd-control-plane`, `proxy.resources`, whose requests are empty.
- Vault: `vault-k8s`, `DefaultResourceRequestCPU` and `DefaultResourceRequestMem`.
- Kuma: `runtime.kubernetes.injector.sidecarContainer.resources`.
- App Mesh: chart `appmesh-controller`, `sidecar.resources`.
- Consul: chart `consul`, `connectInject.sidecarProxy.resources`, empty. Dapr: its annotations, without a default.
- Datadog: the cluster agent's `agent_sidecar`; libraries come in init containers.
- OpenTelemetry: the operator takes the requests of an OpenTelemetryCollector, which is another object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

ANY: Final = "*"
"""Stands for every value that is not empty or one that switches off."""
_OFF: Final = frozenset(("false", "disabled", "no", "off"))
_NOTHING: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Injector:
    """A webhook that adds a container to pods.

    `of_namespaces` and `of_pods` are labels or annotations that switch it on, each with the values that do; a value such as
    `false` switches it off, for a pod whatever its namespace says. `forbids` are those of a namespace that a pod cannot
    override. `requests` are resource names with the pod's annotation for it, `defaults` what counts without. With
    `all_or_nothing`, one annotation of `overriding` leaves no default. `marks` are annotations of pods that have the container
    in their manifest. `renders` is a command that writes it there. `own_network` says that pods on the host's network get none.
    """

    name: str
    of_pods: Mapping[str, tuple[str, ...]]
    of_namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requests: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    what: str = "a sidecar"
    container: str = ""
    marks: tuple[str, ...] = ()
    forbids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overriding: tuple[str, ...] = ()
    renders: str = ""
    own_network: bool = True
    amounts_elsewhere: str = ""

    def switch(self, pod: Mapping[str, str], namespace: Mapping[str, str]) -> str:
        """Return the label or annotation by which a pod gets the container, as `key: value`; empty if it gets none. Both
        mappings have labels and annotations together."""
        if not (self.of_pods.keys() & pod.keys() or self.of_namespaces.keys() & namespace.keys()):
            return ""
        is_forbidden = any(namespace.get(key) in values for key, values in self.forbids.items())
        if is_forbidden or any(pod.get(key, "").lower() in _OFF for key in self.of_pods):
            return ""
        own = _found(pod, self.of_pods)
        return own or _found(namespace, self.of_namespaces)

    def amounts(self, annotations: Mapping[str, str]) -> dict[str, str]:
        """Return what the container requests, by resource, as written."""
        is_overridden = any(key in annotations for key in self.overriding)
        defaults = _NOTHING if is_overridden else self.defaults
        written = {resource: annotations[key] for resource, key in self.requests.items() if key in annotations}
        return {**defaults, **written}


def _found(metadata: Mapping[str, str], switches: Mapping[str, tuple[str, ...]]) -> str:
    for key, values in switches.items():
        value = metadata.get(key, "")
        if value and value.lower() not in _OFF and (value.lower() in values or ANY in values):
            return f"{key}: {value}"
    return ""


_ON: Final = ("true", "enabled", "yes", "on", "y", "1")
_ISTIO: Final = "sidecar.istio.io"
_LINKERD: Final = "config.linkerd.io"
_VAULT: Final = "vault.hashicorp.com"
_CONSUL: Final = "consul.hashicorp.com"
_APP_MESH: Final = "appmesh.k8s.aws"

INJECTORS: Final = (
    Injector(
        name="Istio",
        of_pods={f"{_ISTIO}/inject": _ON, "istio.io/rev": (ANY,)},
        of_namespaces={"istio-injection": _ON, "istio.io/rev": (ANY,)},
        requests={"cpu": f"{_ISTIO}/proxyCPU", "memory": f"{_ISTIO}/proxyMemory"},
        defaults={"cpu": "100m", "memory": "128Mi"},
        container="istio-proxy",
        marks=(f"{_ISTIO}/status",),
        forbids={"istio-injection": ("disabled",)},
        overriding=tuple(f"{_ISTIO}/proxy{what}" for what in ("CPU", "Memory", "CPULimit", "MemoryLimit")),
        renders="istioctl kube-inject",
    ),
    Injector(
        name="Linkerd",
        of_pods={"linkerd.io/inject": ("enabled", "ingress")},
        of_namespaces={"linkerd.io/inject": ("enabled", "ingress")},
        requests={"cpu": f"{_LINKERD}/proxy-cpu-request", "memory": f"{_LINKERD}/proxy-memory-request"},
        container="linkerd-proxy",
        marks=("linkerd.io/proxy-version",),
        renders="linkerd inject --manual",
    ),
    Injector(
        name="Vault's agent injector",
        of_pods={f"{_VAULT}/agent-inject": _ON},
        requests={"cpu": f"{_VAULT}/agent-requests-cpu", "memory": f"{_VAULT}/agent-requests-mem"},
        defaults={"cpu": "250m", "memory": "64Mi"},
        container="vault-agent",
        marks=(f"{_VAULT}/agent-inject-status",),
        own_network=False,
    ),
    Injector(
        name="Kuma",
        of_pods={"kuma.io/sidecar-injection": _ON},
        of_namespaces={"kuma.io/sidecar-injection": _ON},
        defaults={"cpu": "50m", "memory": "64Mi"},
        container="kuma-sidecar",
        marks=("kuma.io/sidecar-injected",),
    ),
    Injector(
        name="App Mesh",
        of_pods={f"{_APP_MESH}/sidecarInjectorWebhook": _ON},
        of_namespaces={f"{_APP_MESH}/sidecarInjectorWebhook": _ON},
        requests={"cpu": f"{_APP_MESH}/cpuRequest", "memory": f"{_APP_MESH}/memoryRequest"},
        defaults={"cpu": "10m", "memory": "32Mi"},
        container="envoy",
    ),
    Injector(
        name="Consul",
        of_pods={f"{_CONSUL}/connect-inject": _ON},
        requests={"cpu": f"{_CONSUL}/sidecar-proxy-cpu-request", "memory": f"{_CONSUL}/sidecar-proxy-memory-request"},
        container="consul-dataplane",
        marks=(f"{_CONSUL}/connect-inject-status",),
    ),
    Injector(
        name="Dapr",
        of_pods={"dapr.io/enabled": _ON},
        requests={"cpu": "dapr.io/sidecar-cpu-request", "memory": "dapr.io/sidecar-memory-request"},
        container="daprd",
        own_network=False,
    ),
    Injector(
        name="Datadog's cluster agent",
        of_pods={"agent.datadoghq.com/sidecar": (ANY,)},
        defaults={"cpu": "200m", "memory": "256Mi"},
        container="datadog-agent-injected",
        own_network=False,
    ),
    Injector(
        name="Datadog's cluster agent",
        of_pods={
            f"admission.datadoghq.com/{language}-lib.{key}": (ANY,)
            for language in ("java", "js", "python", "dotnet", "ruby", "php")
            for key in ("version", "custom-image")
        },
        what="an init container for each library",
        own_network=False,
        amounts_elsewhere="it counts only where it requests more than the pod's containers together",
    ),
    Injector(
        name="OpenTelemetry's operator",
        of_pods={"sidecar.opentelemetry.io/inject": (ANY,)},
        of_namespaces={"sidecar.opentelemetry.io/inject": (ANY,)},
        container="otc-container",
        own_network=False,
        amounts_elsewhere="it requests what spec.resources of its OpenTelemetryCollector says",
    ),
)
