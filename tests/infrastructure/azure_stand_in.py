"""Programs with Azure resources, run in-process: the outputs that Azure would compute, distinguished by the resource's name."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pulumi.runtime import mocks
from pulumi_cutlist.program.offline import Echo, Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from tests.account.recordings import refused

SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
ISSUER = "https://japaneast.oic.prod-aks.azure.com/tenant/issuer/"
CLUSTER = {"name": "shop", "resource_group": "rg-shop", "location": "japaneast", "subscription": SUBSCRIPTION}
GROUP = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg-shop"
NODE_GROUP = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/MC_rg-shop_shop_japaneast"
NETWORK_ID = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/shop"
VAULT_ID = f"{GROUP}/providers/Microsoft.KeyVault/vaults/shop"
CREDENTIALS = "azure-native:containerservice:listManagedClusterUserCredentials"

MANAGED = "azure-native:containerservice:ManagedCluster"
WINDOW = "azure-native:containerservice:MaintenanceConfiguration"
ASSIGNMENT = "azure-native:authorization:RoleAssignment"
DEFINITION = "azure-native:authorization:RoleDefinition"
IDENTITY = "azure-native:managedidentity:UserAssignedIdentity"
TRUST = "azure-native:managedidentity:FederatedIdentityCredential"
NETWORK = "azure-native:network:VirtualNetwork"
SUBNET = "azure-native:network:Subnet"
GATEWAY = "azure-native:network:NatGateway"
DISK_KEYS = "azure-native:compute:DiskEncryptionSet"
LOGS = "azure-native:monitor:DiagnosticSetting"
RELEASE = "kubernetes:helm.sh/v3:Release"


def _cluster(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Azure adds to a cluster. Of the identities that it is given as a list it makes a map."""
    given = inputs["identity"].get("userAssignedIdentities", [])
    reported = {id_: {"clientId": f"client of {id_}", "principalId": f"principal of {id_}"} for id_ in given}
    kubelet = {"clientId": "kubelet-client", "objectId": "kubelet-object", "resourceId": "kubelet-resource"}
    return {
        "name": inputs["resourceName"],
        "identity": {**inputs["identity"], "userAssignedIdentities": reported},
        "identityProfile": {"kubeletidentity": kubelet},
        "fqdn": "shop.example",
        "currentKubernetesVersion": "1.33.5",
        "nodeResourceGroup": inputs.get("nodeResourceGroup", "MC_rg-shop_shop_japaneast"),
        "oidcIssuerProfile": {"enabled": True, "issuerURL": ISSUER},
    }


_COMPUTED: Mapping[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    MANAGED: lambda name, inputs: _cluster(inputs),
    IDENTITY: lambda name, inputs: {
        "name": inputs["resourceName"],
        "principalId": f"principal-{name}",
        "clientId": f"client-{name}",
    },
    NETWORK: lambda name, inputs: {"name": inputs["virtualNetworkName"]},
    DISK_KEYS: lambda name, inputs: {
        "identity": {"type": "SystemAssigned", "principalId": f"principal-{name}", "tenantId": "t"}
    },
}


class AzureStandIn(Echo):
    """A provider that answers as Azure would; of look-ups it knows a cluster's credentials in an update, and no other."""

    def __init__(self, mode: Mode) -> None:
        super().__init__(mode)
        self._update = mode is Mode.UPDATE

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        id_, outputs = super().new_resource(args)
        if not self._update:
            return id_, outputs
        return id_, {**outputs, **_COMPUTED.get(args.typ, lambda *_: {})(args.name, args.inputs)}

    def call(self, args: mocks.MockCallArgs) -> Any:
        if args.token == CREDENTIALS and self._update:
            text = base64.b64encode(f"kubeconfig of {args.args['resourceName']}".encode()).decode()
            return {"kubeconfigs": [{"name": "clusterUser", "value": text}]}
        return super().call(args)


def run(folder: Path, body: str, mode: Mode = Mode.UPDATE, **given: Any) -> Recording:
    """Run a program; `given` are plain values under these names in it."""
    values = "".join(f"{name} = json.loads({json.dumps(json.dumps(value))})\n" for name, value in given.items())
    (folder / "__main__.py").write_text(f"import json, pulumi\n{values}{body}")
    recording = Program(folder, folder, "shop", "dev").run(mode, AzureStandIn(mode))
    assert not (lines := refused(recording)), "\n".join(lines)
    return recording


def one(recording: Recording, token: str, name: str = "") -> Registration:
    [found] = [r for r in recording.of_type(token) if name in ("", r.name)]
    return found
