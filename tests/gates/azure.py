"""Identities, networks and vaults around an AKS cluster."""

from __future__ import annotations

from typing import Any

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

ASSIGNMENT, DEFINITION = "azure-native:authorization:RoleAssignment", "azure-native:authorization:RoleDefinition"
OWNER, CONTRIBUTOR = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "b24988ac-6180-42a0-ab88-20f7382dd24c"
ACCESS, RBAC = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9", "f58310d9-a9f6-439a-9e8d-f62e7b41a168"
NETWORK, PULL = "4d97b98b-1d4f-4787-a291-c67834d212e7", "7f951dda-4ed3-4680-a7ca-43fe172d538d"
SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000000"
GROUP = f"{SUBSCRIPTION}/resourceGroups/nodes"
MANAGEMENT = "/providers/Microsoft.Management/managementGroups/shop"
OLD = "azure-native:authorization/v20220401:RoleAssignment"
LOCAL = "azure-native_authorization_v20220401:authorization:RoleAssignment"


def assigned(role: Any, scope: Any = GROUP, type_: str = ASSIGNMENT, **more: Any) -> tuple[Resource, ...]:
    """Return a role for an identity."""
    definition = f"/providers/Microsoft.Authorization/roleDefinitions/{role}" if isinstance(role, str) else role
    return (registered(type_, roleDefinitionId=definition, scope=scope, principalType="ServicePrincipal", **more),)


def only(*roles: str, operator: str = "ForAnyOfAnyValues:GuidEquals") -> dict[str, str]:
    """Return the condition that an assignment gives only some roles, as the portal writes it."""
    role = "Microsoft.Authorization/roleAssignments"
    return {
        "conditionVersion": "2.0",
        "condition": " AND ".join(
            f"((!(ActionMatches{{'{role}/{action}'}})) OR (@{what}[{role}:RoleDefinitionId] {operator} {{{', '.join(roles)}}}))"
            for action, what in (("write", "Request"), ("delete", "Resource"))
        ),
    }


def own(*actions: str, **more: Any) -> tuple[Resource, ...]:
    """Return a role of one's own."""
    return (registered(DEFINITION, permissions=[{"actions": list(actions), **more}], assignableScopes=[SUBSCRIPTION]),)


def rule(source: Any = "*", ports: Any = "22", **more: Any) -> dict[str, Any]:
    """Return a rule about what comes in."""
    sources = {"sourceAddressPrefixes": source} if isinstance(source, list) else {"sourceAddressPrefix": source}
    to = {"destinationPortRanges": ports} if isinstance(ports, list) else {"destinationPortRange": ports}
    return {"access": "Allow", "direction": "Inbound", "priority": 200, "protocol": "Tcp", **sources, **to, **more}


def network(*rules: dict[str, Any]) -> tuple[Resource, ...]:
    """Return a group of rules."""
    return (registered("azure-native:network:NetworkSecurityGroup", securityRules=list(rules)),)


def joined(*rules: dict[str, Any], inline: tuple[dict[str, Any], ...] = (), **more: Any) -> tuple[Resource, ...]:
    """Return a group with some rules in it, and others in resources of their own."""
    group = {"networkSecurityGroupName": "nodes", "resourceGroupName": "shop"}
    return (
        registered("azure-native:network:NetworkSecurityGroup", "g", securityRules=list(inline), **group),
        *(registered("azure-native:network:SecurityRule", f"r{n}", **{**group, **more, **one}) for n, one in enumerate(rules)),
    )


def federated(subject: Any, **more: Any) -> tuple[Resource, ...]:
    """Return a credential for a subject."""
    inputs = {"issuer": "https://westeurope.oic.prod-aks.azure.com/a/b/", "audiences": ["api://AzureADTokenExchange"], **more}
    return (registered("azure-native:managedidentity:FederatedIdentityCredential", subject=subject, **inputs),)


def api(*ranges: str) -> tuple[Resource, ...]:
    """Return a cluster whose API these ranges reach."""
    return (s.put(s.AKS, "apiServerAccessProfile.authorizedIPRanges", list(ranges)),)


RIGHTS: dict[str, tuple[Resource, ...]] = {
    "Owner of the subscription": assigned(OWNER, SUBSCRIPTION),
    "Owner of a group": assigned(OWNER),
    "Owner of a management group": assigned(OWNER, MANAGEMENT),
    "User Access Administrator": assigned(ACCESS),
    "the administrator of roles": assigned(RBAC),
    "Contributor of the subscription": assigned(CONTRIBUTOR, SUBSCRIPTION),
    "Contributor of the subscription with a slash": assigned(CONTRIBUTOR, f"{SUBSCRIPTION}/"),
    "Contributor of a management group": assigned(CONTRIBUTOR, MANAGEMENT),
    "Contributor of everything": assigned(CONTRIBUTOR, "/"),
    "Owner in capitals": assigned(OWNER.upper(), SUBSCRIPTION.upper()),
    "Owner by its id alone": (registered(ASSIGNMENT, roleDefinitionId=OWNER, scope=GROUP),),
    "Owner in an older module": assigned(OWNER, type_=OLD),
    "Owner in a package of one version": assigned(OWNER, type_=LOCAL),
    "Owner of a person": (registered(ASSIGNMENT, roleDefinitionId=OWNER, scope=SUBSCRIPTION, principalType="User"),),
    "the administrator of roles, but for Owner": assigned(RBAC, **only(OWNER, operator="ForAnyOfAllValues:GuidNotEquals")),
    "the administrator of roles, Owner included": assigned(RBAC, **only(PULL, OWNER)),
    "the administrator of no roles by name": assigned(RBAC, condition="@Principal[x] StringEquals 'y'"),
    "the administrator of roles by half": assigned(
        RBAC, condition=only(PULL)["condition"] + " OR (@Request[a:RoleDefinitionId] StringLike '*')"
    ),
    "everything in a role of one's own": own("*"),
    "all roles in a role of one's own": own("Microsoft.Authorization/*"),
    "all writing in a role of one's own": own("*/write"),
    "giving roles": own("Microsoft.Authorization/roleAssignments/write"),
    "giving roles in small letters": own("microsoft.authorization/roleassignments/*"),
    "the cluster's administrator": own("Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action"),
    "clusters with every action": own("Microsoft.ContainerService/*"),
    "credentials of other identities": own("Microsoft.ManagedIdentity/userAssignedIdentities/*"),
    "vaults' own access": own("Microsoft.KeyVault/vaults/*"),
    "every secret": own("*/read", dataActions=["Microsoft.KeyVault/vaults/secrets/*"]),
    "everything but reading": own("*", notActions=["*/read"]),
}
NARROW_RIGHTS: dict[str, tuple[Resource, ...]] = {
    "Network Contributor of a group": assigned(NETWORK),
    "Network Contributor of the subscription": assigned(NETWORK, SUBSCRIPTION),
    "Contributor of a group": assigned(CONTRIBUTOR),
    "images": assigned(PULL, f"{GROUP}/providers/Microsoft.ContainerRegistry/registries/shop"),
    "the administrator of one role": assigned(RBAC, **only(PULL)),
    "a subnet": own("Microsoft.Network/virtualNetworks/subnets/read", "Microsoft.Network/virtualNetworks/subnets/join/action"),
    "machines": own("Microsoft.Compute/virtualMachines/*", "*/read"),
    "everything but dangers": own("Microsoft.ContainerService/managedClusters/*/read"),
}
OPEN: dict[str, tuple[Resource, ...]] = {
    "a star": network(rule()),
    "the internet": network(rule("Internet")),
    "zeros": network(rule("0.0.0.0/0")),
    "halves": network(rule(["0.0.0.0/1", "128.0.0.0/1"])),
    "every other /8": network(rule([f"{n}.0.0.0/8" for n in range(1, 120, 2)])),
    "IPv6": network(rule("::/0")),
    "every port": network(rule(ports="*")),
    "a range": network(rule(ports="443-10250")),
    "several ports": network(rule(ports=["443", "22"])),
    "every protocol": network(rule(protocol="*")),
    "UDP": network(rule(protocol="Udp", ports="10250")),
    "a rule of its own": (registered("azure-native:network:SecurityRule", **rule()),),
    "a rule in an older module": (registered("azure-native:network/v20230201:SecurityRule", **rule()),),
    "every machine of Azure": network(rule("AzureCloud")),
    "every machine of a region": network(rule("AzureCloud.westeurope")),
    "halves in two rules": network(rule("0.0.0.0/1"), rule("128.0.0.0/1", priority=201)),
    "two large blocks in two resources": joined(rule("20.0.0.0/8"), rule("40.0.0.0/8")),
    "halves in two resources": joined(rule("0.0.0.0/1"), rule("128.0.0.0/1")),
    "quarters of a port in ranges": joined(
        *(rule(f"{n}.0.0.0/2", ports=p) for n, p in ((0, "20-30"), (64, "22"), (128, "1-22"), (192, "*")))
    ),
    "halves inside and outside": joined(rule("0.0.0.0/1"), inline=(rule("128.0.0.0/1"),)),
    "every other /8 in resources": joined(*(rule(f"{n}.0.0.0/8") for n in range(1, 40, 2))),
    "a Deny of a group of the same name": joined(
        rule(), inline=(rule(access="Deny", priority=100),), resourceGroupName="another"
    ),
    "rules of the classic provider": (
        registered("azure:network/networkSecurityGroup:NetworkSecurityGroup", securityRules=[rule()]),
    ),
    "a rule of its own of the classic provider": (
        registered("azure:network/networkSecurityRule:NetworkSecurityRule", networkSecurityGroupName="nodes", **rule()),
    ),
    "a Deny that comes later": network(rule(), rule(access="Deny", priority=300)),
    "a Deny of another port": network(rule(), rule(access="Deny", priority=100, ports="23")),
    "a Deny of one address": network(rule(), rule("203.0.113.7", access="Deny", priority=100)),
    "a Deny of another protocol": network(rule(), rule(access="Deny", priority=100, protocol="Udp")),
}
SHUT: dict[str, tuple[Resource, ...]] = {
    "an office": network(rule("203.0.113.0/24")),
    "the web": network(rule(ports=["80", "443"])),
    "the own network": network(rule("VirtualNetwork", "*")),
    "the balancer": network(rule("AzureLoadBalancer", "*")),
    "private ranges": network(rule("10.0.0.0/8", "*")),
    "what goes out": network(rule(direction="Outbound", ports="*")),
    "ping": network(rule(protocol="Icmp", ports="*")),
    "a Deny": network(rule(access="Deny")),
    "a Deny that comes first, elsewhere": joined(rule(), inline=(rule(access="Deny", priority=100),)),
    "a Deny of its own that comes first": joined(rule(access="Deny", priority=100), inline=(rule(),)),
    "a large provider's block at each of two ports": joined(rule("20.0.0.0/8", "22"), rule("40.0.0.0/8", "23")),
    "a large provider's block in each of two groups": (
        *joined(rule("20.0.0.0/8")),
        registered("azure-native:network:SecurityRule", "o", networkSecurityGroupName="other", **rule("40.0.0.0/8")),
    ),
    "some offices": joined(rule("203.0.113.0/24"), rule("198.51.100.0/24"), rule("10.0.0.0/8", "*")),
    "a Deny that comes first": network(rule(), rule(access="Deny", priority=100, ports="*", protocol="*")),
}
SUBJECTS: dict[str, tuple[Resource, ...]] = {
    "every account": federated("system:serviceaccount:*"),
    "every account of a namespace": federated("system:serviceaccount:shop:*"),
    "a question mark": federated("system:serviceaccount:shop:we?"),
    "pods without an account": federated("system:serviceaccount:shop:default"),
    "every repository": federated("repo:shop/*", issuer="https://token.actions.githubusercontent.com"),
    "no subject": federated(None),
    "a namespace": federated("system:serviceaccount:shop"),
    "another audience": federated("system:serviceaccount:shop:web", audiences=["sts.amazonaws.com"]),
    "a plain issuer": federated("system:serviceaccount:shop:web", issuer="http://issuer.example.com"),
}

TRICKS = (
    *(Trick(f"rights: {name}", resources, "AK-08") for name, resources in RIGHTS.items()),
    *(Trick(f"rights: {name}", resources, wanted=Wanted.PASSES) for name, resources in NARROW_RIGHTS.items()),
    Trick("rights that only an update knows", assigned(UNKNOWN), "AK-08", Wanted.OPEN),
    *(Trick(f"a network group open by {name}", resources, "AK-09") for name, resources in OPEN.items()),
    *(Trick(f"a network group for {name}", resources, wanted=Wanted.PASSES) for name, resources in SHUT.items()),
    Trick("rules that only an update knows", (registered(s.NETWORK_GROUP.type, securityRules=UNKNOWN),), "AK-09", Wanted.OPEN),
    *(Trick(f"a credential for {name}", resources, "AK-10") for name, resources in SUBJECTS.items()),
    Trick("a credential for one account", federated("system:serviceaccount:shop:web"), wanted=Wanted.PASSES),
    Trick("a credential of an issuer to come", federated("system:serviceaccount:a:b", issuer=UNKNOWN), wanted=Wanted.PASSES),
    Trick(
        "a credential for one repository",
        federated("repo:shop/web:ref:refs/heads/main", issuer="https://token.actions.githubusercontent.com"),
        wanted=Wanted.PASSES,
    ),
    Trick("a vault for everybody", (registered(s.VAULT.type, properties={}),), "AK-11", Wanted.REPORTED),
    Trick(
        "a vault for halves of all addresses",
        (
            registered(
                s.VAULT.type,
                properties={
                    "networkAcls": {"defaultAction": "Deny", "ipRules": [{"value": "0.0.0.0/1"}, {"value": "128.0.0.0/1"}]}
                },
            ),
        ),
        "AK-11",
        Wanted.REPORTED,
    ),
    Trick("a private vault", (registered(s.VAULT.type, properties={"publicNetworkAccess": "disabled"}),), wanted=Wanted.PASSES),
    Trick("an API of Azure for halves", api("0.0.0.0/1", "128.0.0.0/1"), "AK-03"),
    Trick("an API of Azure for every other /8", api(*(f"{n}.0.0.0/8" for n in range(1, 200, 2))), "AK-03"),
    Trick("an API of Azure for one zero address", api("0.0.0.0/32"), wanted=Wanted.PASSES),
    Trick(
        "an open API in an older module",
        (registered("azure-native:containerservice/v20240901:ManagedCluster", apiServerAccessProfile={}),),
        "AK-03",
    ),
    Trick("local accounts", (s.drop(s.AKS, "disableLocalAccounts"),), "AK-04", Wanted.REPORTED),
)
