"""What is not in the table: types that cannot matter to the rules, and all others, which are open.

Sources name a type by a service and a kind. Both become words, `route53_record`, so that one list serves them all: Terraform's
`aws_route53_record`, Pulumi's `aws:route53/record:Record`, `aws-native:route53:RecordSet` and `awscc_route53_record_set`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cutlist.policy.rules.types.kinds import snake
from cutlist.policy.rules.types.other_providers import could_matter
from cutlist.policy.rules.types.table import kind_of, native_of

_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"opentofu:index:(?P<provider>aws|awscc|azurerm|azuread|kubernetes|kubectl|helm|argocd|flux)_(?P<name>\w+)",
        r"opentofu:index:(?P<provider>azapi)_(?P<name>\w+)",
        r"opentofu:index:(?P<provider>Microsoft)\.(?P<module>\w+)/(?P<kind>[\w/]+)",
        r"(?P<provider>aws|azure|azuread|argocd|flux):(?P<module>[\w-]+)/\w+:(?P<kind>\w+)",
        r"(?P<provider>aws|azure)-native:(?P<module>[\w-]+):(?P<kind>\w+)",
        r"kubernetes:(?P<module>[a-z0-9]+)\.services\.k8s\.(?P<provider>aws)/\w+:(?P<kind>\w+)",
        r"kubernetes:(?P<module>[a-z]+)\.(?P<provider>azure)\.com/\w+:(?P<kind>\w+)",
    )
)
"""The types of providers that can give rights, make machines or change a cluster."""
_CLOUDS: Final = {"awscc": "aws", "azurerm": "azure", "Microsoft": "azure", "azuread": "azure", "azapi": "azure"}
_DROPPED: Final = ("ec2_", "vpc_", "index_")
"""What some sources write before a kind, and others do not."""
_OF_AWS: Final = """
accessanalyzer account acm acmpca alb ami amplify api_gateway apigateway apigatewayv2 app_cookie appautoscaling_policy
appconfig appfabric appflow appintegrations applicationautoscaling_scaling_policy applicationinsights applicationsignals
appmesh appsync aps arczonalshift athena auditmanager autoscaling_attachment autoscaling_lifecycle
autoscaling_notification autoscaling_policy autoscaling_scaling_policy autoscaling_traffic backup batch_job
batch_scheduling bcmdataexports billing budgets carrier_gateway ce certificatemanager chatbot chime client_vpn
cloudformation_type cloudfront cloudhsm cloudsearch cloudtrail cloudwatch codeartifact codebuild codecommit
codeconnections codedeploy codeguru codepipeline codestarconnections codestarnotifications cognito comprehend config
connect controltower costoptimizationhub cur customer_gateway customerprofiles dataexchange datasync datazone dax db
default_network_acl default_route_table default_vpc detective devicefarm devopsguru dhcp_options directconnect
directoryservice dlm dms docdb docdbelastic dx dynamodb ebs ec2_instance_state ecr ecs_account ecs_cluster ecs_service
ecs_tag ecs_task efs egress_only_internet_gateway eip eks_addon elasticache elasticloadbalancing
elasticloadbalancingv2 elasticsearch elastictranscoder elb emr_security emr_studio emrcontainers emrserverless
encryption_by_default endpoint events_event_bus evidently finspace flow_log fms fsx glacier globalaccelerator glue
grafana guardduty healthlake iam_access_key iam_account_alias iam_account_password iam_group_policies
iam_instance_profile iam_oidc_provider iam_openid_connect_provider iam_role_policies iam_saml_provider
iam_server_certificate iam_service_linked_role iam_signing iam_user_policies iam_virtual identitystore
imagebuilder_component imagebuilder_container imagebuilder_distribution imagebuilder_image imagebuilder_workflow
inspector inspector2 inspectorv2 internet_gateway internetmonitor iot ipam ivs ivschat kendra key_pair keyspaces kinesis
kinesisanalytics kinesisanalyticsv2 kinesisfirehose kinesisvideo kms_alias kms_ciphertext lakeformation lambda lb lex
lexv2models licensemanager local_gateway location logs_account logs_delivery logs_destination logs_log_anomaly
logs_log_stream logs_metric logs_query logs_subscription macie macie2 main_route_table mediaconvert medialive
mediapackage mediastore memorydb mq msk mskconnect mwaa nat_gateway neptune neptunegraph network_acl network_insights
network_interface networkfirewall networkmanager networkmonitor oam opensearch opensearchserverless opensearchservice
osis paymentcryptography peering pinpoint placement_group prometheus proxy_protocol_policy qbusiness qldb quicksight ram
rbin rds redshift redshiftserverless rekognition resiliencehub resourceexplorer resourceexplorer2 resourcegroups route
route53 route53domains route53profiles route53recoverycontrolconfig route53recoveryreadiness route53resolver route_table
rum s3 s3control s3express s3outposts s3tables sagemaker_code_repository sagemaker_domain sagemaker_feature_group
sagemaker_image sagemaker_mlflow sagemaker_model sagemaker_user_profile sagemaker_workteam scheduler_schedule_group
schemas secretsmanager security_group_egress security_group_egress_rule security_group_rules security_group_vpc
securityhub securitylake service_discovery servicediscovery servicequotas ses sesv2 sfn shield signer simpledb snapshot
sns sqs_queue_redrive_allow ssm_parameter ssmcontacts ssmincidents ssoadmin_application stepfunctions storagegateway
subnet_cidr subnet_network subnet_route synthetics tag textract timestream timestreaminfluxdb timestreamwrite transcribe
transfer transit_gateway verified_access verifiedaccess verifiedpermissions volume volume_attachment vpc vpclattice vpn
vpn_connection vpn_gateway waf wafregional wafv2 worklink workspaces workspacesweb xray
"""
_OF_AZURE: Final = """
advisor alertsmanagement analysisservices api_management apimanagement app app_configuration app_service
appconfiguration application application_certificate application_gateway application_identifier application_insights
application_owner application_redirect application_registration application_security appplatform appservice armmsi_user
attestation authorization_management_lock authorization_scope_lock authorization_user_assigned_identity availability_set
bastion billing botservice cache cdn cognitive cognitiveservices communication compute_availability compute_disk
compute_gallery compute_image compute_managed_disk compute_proximity compute_shared_image compute_snapshot compute_ssh
confidential_ledger consumption container_app container_registry containerregistry containerservice_registry
containerservice_snapshot core_resource_group cosmosdb cost_management custom_ip dashboard data_factory data_protection
databox databricks datadog datafactory dataprotection datashare dbformariadb dbformysql dbforpostgresql dev_center
devcenter digitaltwins disk dns documentdb domains domainservices elastic_cloud email eventgrid eventhub express_route
expressroute firewall frontdoor function_app gallery group healthcare insights iotcentral iothub ip_group
key_vault_certificate key_vault_key key_vault_secret keyvault_certificate keyvault_key keyvault_secret kusto lb
linux_function_app linux_web_app load_test loadbalancer log_analytics loganalytics logic maintenance managed_disk
managedidentity_user_assigned_identity management_lock mariadb media monitor monitoring mssql mysql named_location
nat_gateway netapp network network_interface network_watcher nginx notification operationalinsights portal postgresql
powerbi private_dns private_endpoint private_link privatedns proximity_placement_group public_ip purview recovery redis
redis_cache redisenterprise relay resource_group resources_resource_group route route_table search security_center
securityinsights sentinel service_plan service_principal servicebus shared_image signalr site_recovery snapshot sql
ssh_public_key static_site static_web_app storage stream_analytics streamanalytics subnet synapse traffic_manager
trafficmanager user user_assigned_identity virtual_hub virtual_network virtual_wan vpn web web_application_firewall
web_pubsub webpubsub windows_function_app windows_web_app
"""
_OF_KUBERNETES: Final = """
api_service certificate_signing_request csi_driver default_service_account endpoint_slice endpoints
horizontal_pod_autoscaler ingress namespace network_policy persistent_volume runtime_class secret service storage_class
token_request
"""
_OF_DELIVERY: Final = "account cluster gpg_key project repository repository_certificate repository_credentials"
_SILENT: Final = {
    "aws": frozenset(_OF_AWS.split()),
    "azure": frozenset(_OF_AZURE.split()),
    "kubectl": frozenset(("server_version",)),
    "kubernetes": frozenset(_OF_KUBERNETES.split()),
    "argocd": frozenset(_OF_DELIVERY.split()),
}
"""What the names of types begin with that give nobody rights over a cluster or an account, make no machines that pods run on,
run nothing with rights of their own, and hold nothing that is applied: what a function, a job or a pipeline may do, its role
says, which rules see."""
_OPEN: Final = """
application_flexible_federated application_password cloudwatch_event_bus_policy cloudwatch_event_permission codebuild_fleet
config_remediation_configuration events_event_bus_policy group_member iam_access_key identitystore_group_membership
insights_autoscale_setting lambda_capacity_provider lambda_managed_instance monitor_autoscale_setting
monitoring_autoscale_setting network_manager_admin_rule resource_group_policy s3control_access_grant
service_principal_delegated_permission_grant service_principal_password
"""
"""What could matter within these."""


def is_open(token: str) -> bool:
    """Tell whether a type could matter, and is not one that the rules know."""
    words = _words(token)
    if words is None:
        return could_matter(token) and kind_of(token) is None
    return kind_of(token) is None and not _is_silent(*words)


def shown_type(token: str) -> str:
    """Return a type as its source names it."""
    return token.removeprefix("opentofu:index:")


@lru_cache(maxsize=4096)
def _words(token: str) -> tuple[str, str] | None:
    """Return the provider and the words of a type; None for a provider that has nothing to do with clusters."""
    for form in _FORMS:
        match = form.fullmatch(token)
        if match is not None:
            named = match.groupdict()
            if named["provider"] == "Microsoft" and native_of(shown_type(token)) is not None:
                return None
            provider = _CLOUDS.get(named["provider"], named["provider"])
            return provider, named.get("name") or f"{named['module'].lower()}_{snake(named['kind'].replace('/', '_'))}"
    return None


def _is_silent(provider: str, words: str) -> bool:
    names = {words, *(words.removeprefix(dropped) for dropped in _DROPPED)}
    return not _begin(names, frozenset(_OPEN.split())) and _begin(names, _SILENT.get(provider, frozenset()))


def _begin(names: set[str], silent: frozenset[str]) -> bool:
    """Tell whether a name begins with some words, whole ones."""
    parts = (name.split("_") for name in names)
    return any("_".join(of[:length]) in silent for of in parts for length in range(1, len(of) + 1))
