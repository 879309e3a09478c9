"""The page of prerequisites has the command for the role on Azure, with the actions of every resource that components make."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from cutlist.infrastructure.aks.deployer import deployer_role
from cutlist.infrastructure.aks.names import AksFacts
from cutlist_cli import main
from tests.documentation import section

ROOT = Path(__file__).resolve().parents[2]
COMPONENTS = ROOT / "components" / "pulumi_cutlist" / "azure"
IDENTITIES = "Microsoft.ManagedIdentity/userAssignedIdentities"
SHOP = AksFacts("shop", "rg-shop", "japaneast", "11111111-2222-3333-4444-555555555555")
ACTIONS = {
    "authorization.RoleAssignment": "Microsoft.Authorization/roleAssignments",
    "authorization.RoleDefinition": "Microsoft.Authorization/roleDefinitions",
    "compute.DiskEncryptionSet": "Microsoft.Compute/diskEncryptionSets",
    "containerservice.MaintenanceConfiguration": "Microsoft.ContainerService/managedClusters/maintenanceConfigurations",
    "containerservice.ManagedCluster": "Microsoft.ContainerService/managedClusters",
    "managedidentity.FederatedIdentityCredential": f"{IDENTITIES}/federatedIdentityCredentials",
    "managedidentity.UserAssignedIdentity": IDENTITIES,
    "monitor.DiagnosticSetting": "Microsoft.Insights/diagnosticSettings",
    "network.NatGateway": "Microsoft.Network/natGateways",
    "network.PublicIPAddress": "Microsoft.Network/publicIPAddresses",
    "network.Subnet": "Microsoft.Network/virtualNetworks/subnets",
    "network.VirtualNetwork": "Microsoft.Network/virtualNetworks",
    "resources.ResourceGroup": "Microsoft.Resources/subscriptions/resourceGroups",
}


def test_the_page_has_the_command_that_prints_the_role():
    page = section("karpenter-cluster.md", "On Azure")
    [command] = re.findall(r"^\$ cutlist (permissions .*) > role.json$", page, re.MULTILINE)
    printed = json.loads(CliRunner().invoke(main, [*shlex.split(command), "--project-dir", str(ROOT)]).stdout)
    assert {"Name", "IsCustom", "Actions", "AssignableScopes"} <= printed.keys()
    assert re.fullmatch(r"Update [\w-]+ in [\w-]+", printed["Name"])
    [named] = re.findall(r'--role "(Update .*?)"', page)
    assert re.fullmatch(r"Update [\w-]+ in [\w-]+", named)


def test_every_resource_of_azure_has_its_actions_in_the_role():
    sources = "".join(path.read_text() for path in COMPONENTS.rglob("*.py"))
    made = {f"{module}.{kind}" for module, kind in re.findall(r"\bazure\.(\w+)\.([A-Z]\w+)\(", sources)}
    assert made == ACTIONS.keys()
    for type_, resource in ACTIONS.items():
        role = deployer_role(SHOP, [f"azure-native:{type_.replace('.', ':')}"], ())
        assert [verb for verb in ("read", "write", "delete") if f"{resource}/{verb}" not in role.actions] == []
