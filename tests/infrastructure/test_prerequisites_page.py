"""The page of prerequisites has the actions for every resource of Azure that components make."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPONENTS = ROOT / "components" / "pulumi_cutlist" / "azure"
ACTIONS = {
    "authorization.RoleAssignment": "Microsoft.Authorization/roleAssignments",
    "authorization.RoleDefinition": "Microsoft.Authorization/roleDefinitions",
    "compute.DiskEncryptionSet": "Microsoft.Compute/diskEncryptionSets",
    "containerservice.MaintenanceConfiguration": "Microsoft.ContainerService/managedClusters",
    "containerservice.ManagedCluster": "Microsoft.ContainerService/managedClusters",
    "managedidentity.FederatedIdentityCredential": "Microsoft.ManagedIdentity/userAssignedIdentities",
    "managedidentity.UserAssignedIdentity": "Microsoft.ManagedIdentity/userAssignedIdentities",
    "monitor.DiagnosticSetting": "Microsoft.Insights/diagnosticSettings",
    "network.NatGateway": "Microsoft.Network/natGateways",
    "network.PublicIPAddress": "Microsoft.Network/publicIPAddresses",
    "network.Subnet": "Microsoft.Network/virtualNetworks",
    "network.VirtualNetwork": "Microsoft.Network/virtualNetworks",
    "resources.ResourceGroup": "Microsoft.Resources/subscriptions/resourceGroups",
}


def test_every_resource_of_azure_has_its_actions_on_the_page():
    sources = "".join(path.read_text() for path in COMPONENTS.glob("*.py"))
    made = {f"{module}.{kind}" for module, kind in re.findall(r"\bazure\.(\w+)\.([A-Z]\w+)\(", sources)}
    assert made == ACTIONS.keys()
    page = (ROOT / "docs" / "prerequisites.md").read_text()
    assert [action for action in ACTIONS.values() if f"`{action}/*`" not in page] == []
