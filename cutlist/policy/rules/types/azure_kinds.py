"""What the rules know of Azure, under the names of Pulumi's providers, of Resource Manager and of Terraform."""

from __future__ import annotations

from typing import Final

from cutlist.policy.rules.types.kinds import Fact, azure, other

_RIGHTS: Final = (
    azure(
        Fact.POLICY,
        "authorization/assignment",
        "authorization:RoleAssignment",
        "Authorization/roleAssignments",
        "role_assignment",
        "authorization.azure:RoleAssignment",
    ),
    azure(
        Fact.POLICY,
        "authorization/roleDefinition",
        "authorization:RoleDefinition",
        "Authorization/roleDefinitions",
        "role_definition",
        "authorization.azure:RoleDefinition",
    ),
    azure(
        Fact.POLICY,
        "pim/activeRoleAssignment",
        "authorization:RoleAssignmentScheduleRequest",
        "Authorization/roleAssignmentScheduleRequests",
        "pim_active_role_assignment",
    ),
    azure(
        Fact.POLICY,
        "pim/eligibleRoleAssignment",
        "authorization:RoleEligibilityScheduleRequest",
        "Authorization/roleEligibilityScheduleRequests",
        "pim_eligible_role_assignment",
    ),
    azure(Fact.POLICY, "", "authorization:PimRoleEligibilitySchedule"),
    azure(
        Fact.POLICY,
        "keyvault/accessPolicy",
        "keyvault:AccessPolicy",
        "KeyVault/vaults/accessPolicies",
        "key_vault_access_policy",
        "keyvault.azure:AccessPolicy",
    ),
    azure(Fact.STORE, "keyvault/keyVault", "keyvault:Vault", "KeyVault/vaults", "key_vault", "keyvault.azure:Vault"),
    azure(
        Fact.CREDENTIAL,
        "armmsi/federatedIdentityCredential",
        "managedidentity:FederatedIdentityCredential",
        "ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
        "federated_identity_credential",
        "managedidentity.azure:FederatedIdentityCredential",
    ),
    other(
        Fact.CREDENTIAL,
        "azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential",
        "azuread_application_federated_identity_credential",
    ),
    other(
        Fact.POLICY,
        "azuread:index/directoryRoleAssignment:DirectoryRoleAssignment",
        "azuread_directory_role_assignment",
    ),
    other(
        Fact.POLICY,
        "azuread:index/directoryRoleEligibilityScheduleRequest:DirectoryRoleEligibilityScheduleRequest",
        "azuread_directory_role_eligibility_schedule_request",
    ),
    other(Fact.POLICY, "azuread:index/directoryRoleMember:DirectoryRoleMember", "azuread_directory_role_member"),
    other(Fact.POLICY, "azuread:index/appRoleAssignment:AppRoleAssignment", "azuread_app_role_assignment"),
)
_CLUSTERS: Final = (
    azure(
        Fact.CLUSTER,
        "containerservice/kubernetesCluster",
        "containerservice:ManagedCluster",
        "ContainerService/managedClusters",
        "kubernetes_cluster",
        "containerservice.azure:KubernetesCluster",
    ),
    azure(
        Fact.CLUSTER,
        "",
        "containerservice:MaintenanceConfiguration",
        "ContainerService/managedClusters/maintenanceConfigurations",
    ),
    azure(
        Fact.NODE_GROUP,
        "containerservice/kubernetesClusterNodePool",
        "containerservice:AgentPool",
        "ContainerService/managedClusters/agentPools",
        "kubernetes_cluster_node_pool",
        "containerservice.azure:KubernetesClusterNodePool",
    ),
)
_NETWORKS: Final = (
    azure(
        Fact.NETWORK,
        "network/networkSecurityGroup",
        "network:NetworkSecurityGroup",
        "Network/networkSecurityGroups",
        "network_security_group",
        "network.azure:SecurityGroup",
    ),
    azure(
        Fact.NETWORK,
        "network/networkSecurityRule",
        "network:SecurityRule",
        "Network/networkSecurityGroups/securityRules",
        "network_security_rule",
        "network.azure:SecurityRule",
    ),
)
_MACHINES: Final = (
    azure(Fact.MACHINE, "compute/virtualMachine", "compute:VirtualMachine", "Compute/virtualMachines", "virtual_machine"),
    azure(Fact.MACHINE, "compute/linuxVirtualMachine", terraform="linux_virtual_machine"),
    azure(Fact.MACHINE, "compute/windowsVirtualMachine", terraform="windows_virtual_machine"),
    azure(
        Fact.MACHINE,
        "compute/scaleSet",
        "compute:VirtualMachineScaleSet",
        "Compute/virtualMachineScaleSets",
        "virtual_machine_scale_set",
    ),
    azure(Fact.MACHINE, "compute/linuxVirtualMachineScaleSet", terraform="linux_virtual_machine_scale_set"),
    azure(Fact.MACHINE, "compute/windowsVirtualMachineScaleSet", terraform="windows_virtual_machine_scale_set"),
    azure(Fact.MACHINE, "compute/orchestratedVirtualMachineScaleSet", terraform="orchestrated_virtual_machine_scale_set"),
    azure(Fact.MACHINE, "compute/dedicatedHost", "compute:DedicatedHost", "Compute/hostGroups/hosts", "dedicated_host"),
    azure(
        Fact.MACHINE,
        "compute/capacityReservation",
        "compute:CapacityReservation",
        "Compute/capacityReservationGroups/capacityReservations",
        "capacity_reservation",
    ),
    azure(Fact.MACHINE, "batch/pool", "batch:Pool", "Batch/batchAccounts/pools", "batch_pool"),
    azure(Fact.MACHINE, "", "azurefleet:Fleet", "AzureFleet/fleets"),
    azure(
        Fact.MACHINE,
        "machinelearning/computeCluster",
        "machinelearningservices:Compute",
        "MachineLearningServices/workspaces/computes",
        "machine_learning_compute_cluster",
    ),
    azure(Fact.MACHINE, "machinelearning/computeInstance", terraform="machine_learning_compute_instance"),
)
_DEPLOYMENTS: Final = (
    azure(Fact.DEPLOYMENT, "", "resources:Resource"),
    azure(
        Fact.DEPLOYMENT,
        "core/resourceGroupTemplateDeployment",
        "resources:Deployment",
        "Resources/deployments",
        "resource_group_template_deployment",
    ),
    azure(
        Fact.DEPLOYMENT,
        "core/subscriptionTemplateDeployment",
        "resources:DeploymentAtSubscriptionScope",
        terraform="subscription_template_deployment",
    ),
    azure(
        Fact.DEPLOYMENT,
        "management/groupTemplateDeployment",
        "resources:DeploymentAtManagementGroupScope",
        terraform="management_group_template_deployment",
    ),
    azure(
        Fact.DEPLOYMENT,
        "core/tenantTemplateDeployment",
        "resources:DeploymentAtTenantScope",
        terraform="tenant_template_deployment",
    ),
    azure(Fact.DEPLOYMENT, "core/templateDeployment", terraform="template_deployment"),
    azure(
        Fact.DEPLOYMENT,
        "",
        "resources:DeploymentStackAtResourceGroup",
        "Resources/deploymentStacks",
        "resource_group_deployment_stack",
    ),
    azure(Fact.DEPLOYMENT, "", "resources:DeploymentStackAtSubscription"),
    azure(Fact.DEPLOYMENT, "", "resources:DeploymentStackAtManagementGroup"),
    azure(
        Fact.COMMAND,
        "core/resourceDeploymentScriptAzureCli",
        "resources:AzureCliScript",
        "Resources/deploymentScripts",
        "resource_deployment_script_azure_cli",
    ),
    azure(
        Fact.COMMAND,
        "core/resourceDeploymentScriptPowerShell",
        "resources:AzurePowerShellScript",
        terraform="resource_deployment_script_azure_power_shell",
    ),
    azure(
        Fact.COMMAND,
        "compute/virtualMachineRunCommand",
        "compute:VirtualMachineRunCommandByVirtualMachine",
        "Compute/virtualMachines/runCommands",
        "virtual_machine_run_command",
    ),
    azure(
        Fact.COMMAND,
        "compute/extension",
        "compute:VirtualMachineExtension",
        "Compute/virtualMachines/extensions",
        "virtual_machine_extension",
    ),
    azure(
        Fact.COMMAND,
        "compute/virtualMachineScaleSetExtension",
        "compute:VirtualMachineScaleSetExtension",
        "Compute/virtualMachineScaleSets/extensions",
        "virtual_machine_scale_set_extension",
    ),
    azure(
        Fact.CHART,
        "containerservice/fluxConfiguration",
        "kubernetesconfiguration:FluxConfiguration",
        "KubernetesConfiguration/fluxConfigurations",
        "kubernetes_flux_configuration",
    ),
    azure(
        Fact.CHART,
        "containerservice/clusterExtension",
        "kubernetesconfiguration:Extension",
        "KubernetesConfiguration/extensions",
        "kubernetes_cluster_extension",
    ),
)
AZURE: Final = (*_RIGHTS, *_CLUSTERS, *_NETWORKS, *_MACHINES, *_DEPLOYMENTS)
