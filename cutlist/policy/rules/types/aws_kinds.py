"""What the rules know of AWS, under the names of Pulumi's classic provider and of CloudFormation."""

from __future__ import annotations

from typing import Final

from cutlist.policy.rules.types.kinds import Fact, Kind, aws

_IDENTITIES: Final = (
    aws(Fact.ROLE, "iam/role", "IAM::Role"),
    aws(Fact.IDENTITY, "iam/user", "IAM::User"),
    aws(Fact.IDENTITY, "iam/group", "IAM::Group"),
    aws(Fact.IDENTITY, "iam/groupMembership"),
    aws(Fact.IDENTITY, "iam/userGroupMembership", "IAM::UserToGroupAddition"),
    aws(Fact.CREDENTIAL, "eks/podIdentityAssociation", "EKS::PodIdentityAssociation"),
)
_POLICIES: Final = (
    aws(Fact.POLICY, "iam/policy", "IAM::ManagedPolicy"),
    aws(Fact.POLICY, "", "IAM::Policy"),
    aws(Fact.POLICY, "iam/rolePolicy", "IAM::RolePolicy"),
    aws(Fact.POLICY, "iam/userPolicy", "IAM::UserPolicy"),
    aws(Fact.POLICY, "iam/groupPolicy", "IAM::GroupPolicy"),
    aws(Fact.POLICY, "iam/policyAttachment"),
    aws(Fact.POLICY, "iam/rolePolicyAttachment"),
    aws(Fact.POLICY, "iam/userPolicyAttachment"),
    aws(Fact.POLICY, "iam/groupPolicyAttachment"),
    aws(Fact.POLICY, "iam/rolePolicyAttachmentsExclusive"),
    aws(Fact.POLICY, "iam/userPolicyAttachmentsExclusive"),
    aws(Fact.POLICY, "iam/groupPolicyAttachmentsExclusive"),
    aws(Fact.POLICY, "ssoadmin/managedPolicyAttachment"),
    aws(Fact.POLICY, "ssoadmin/permissionSetInlinePolicy"),
    aws(Fact.POLICY, "kms/grant"),
    aws(Fact.POLICY, "kms/keyPolicy"),
    aws(Fact.POLICY, "s3/bucketPolicy", "S3::BucketPolicy"),
    aws(Fact.POLICY, "s3/bucketAcl"),
    aws(Fact.POLICY, "s3/bucketAclV2", terraform="aws_s3_bucket_acl_v2"),
    aws(Fact.POLICY, "secretsmanager/secretPolicy", "SecretsManager::ResourcePolicy"),
    aws(Fact.POLICY, "sns/topicPolicy", "SNS::TopicPolicy"),
    aws(Fact.POLICY, "", "SNS::TopicInlinePolicy"),
    aws(Fact.POLICY, "sqs/queuePolicy", "SQS::QueuePolicy"),
    aws(Fact.POLICY, "", "SQS::QueueInlinePolicy"),
    aws(Fact.POLICY, "ecr/repositoryPolicy"),
    aws(Fact.POLICY, "ecr/registryPolicy", "ECR::RegistryPolicy"),
)
_STORES: Final = (
    aws(Fact.STORE, "kms/key", "KMS::Key"),
    aws(Fact.STORE, "kms/replicaKey", "KMS::ReplicaKey"),
    aws(Fact.STORE, "kms/externalKey"),
    aws(Fact.STORE, "s3/bucket"),
    aws(Fact.STORE, "s3/bucketV2", terraform="aws_s3_bucket_v2"),
    aws(Fact.STORE, "secretsmanager/secret"),
    aws(Fact.STORE, "sns/topic"),
    aws(Fact.STORE, "", "ECR::Repository"),
    aws(Fact.LOG, "cloudwatch/logGroup", "Logs::LogGroup"),
)
_QUEUES: Final = (
    aws(Fact.QUEUE, "sqs/queue", "SQS::Queue"),
    aws(Fact.QUEUE, "sqs/redrivePolicy", terraform="aws_sqs_queue_redrive_policy"),
    aws(Fact.QUEUE, "cloudwatch/eventRule", "Events::Rule", operators="cloudwatchevents.aws:Rule"),
    aws(Fact.QUEUE, "cloudwatch/eventTarget", operators="cloudwatchevents.aws:Target"),
    aws(Fact.QUEUE, "lambda/eventSourceMapping", "Lambda::EventSourceMapping"),
    aws(Fact.QUEUE, "pipes/pipe", "Pipes::Pipe"),
)
_NETWORKS: Final = (
    aws(Fact.NETWORK, "ec2/securityGroup", "EC2::SecurityGroup"),
    aws(Fact.NETWORK, "ec2/defaultSecurityGroup"),
    aws(Fact.NETWORK, "ec2/securityGroupRule", "EC2::SecurityGroupIngress"),
    aws(Fact.NETWORK, "vpc/securityGroupIngressRule", operators="ec2.aws:SecurityGroupIngressRule"),
    aws(Fact.NETWORK, "ec2/managedPrefixList", "EC2::PrefixList", "aws_ec2_managed_prefix_list"),
    aws(Fact.NETWORK, "ec2/managedPrefixListEntry", terraform="aws_ec2_managed_prefix_list_entry"),
    aws(Fact.NETWORK, "ec2/subnet", "EC2::Subnet"),
    aws(Fact.NETWORK, "ec2/defaultSubnet"),
    aws(Fact.NETWORK, "ec2/tag", terraform="aws_ec2_tag"),
)
_CLUSTERS: Final = (
    aws(Fact.CLUSTER, "eks/cluster", "EKS::Cluster"),
    Kind(Fact.CLUSTER, "eks:index:Cluster"),
    aws(Fact.NODE_GROUP, "eks/nodeGroup", "EKS::Nodegroup"),
    Kind(Fact.NODE_GROUP, "eks:index:ManagedNodeGroup"),
    Kind(Fact.NODE_GROUP, "eks:index:NodeGroup"),
    Kind(Fact.NODE_GROUP, "eks:index:NodeGroupV2"),
    aws(Fact.FARGATE, "eks/fargateProfile", "EKS::FargateProfile"),
    aws(Fact.ACCESS, "eks/accessEntry", "EKS::AccessEntry"),
    aws(Fact.ACCESS, "eks/accessPolicyAssociation"),
)
_MACHINES: Final = (
    aws(Fact.MACHINE, "ec2/instance", "EC2::Instance"),
    aws(Fact.MACHINE, "ec2/spotInstanceRequest"),
    aws(Fact.MACHINE, "ec2/fleet", "EC2::EC2Fleet", "aws_ec2_fleet"),
    aws(Fact.MACHINE, "ec2/spotFleetRequest", "EC2::SpotFleet"),
    aws(Fact.MACHINE, "ec2/dedicatedHost", "EC2::Host", "aws_ec2_host", "ec2.aws:Host"),
    aws(Fact.MACHINE, "ec2/capacityReservation", "EC2::CapacityReservation", "aws_ec2_capacity_reservation"),
    aws(Fact.MACHINE, "", "EC2::CapacityReservationFleet"),
    aws(Fact.MACHINE, "ec2/capacityBlockReservation", terraform="aws_ec2_capacity_block_reservation"),
    aws(Fact.MACHINE, "autoscaling/group", "AutoScaling::AutoScalingGroup"),
    aws(Fact.MACHINE, "batch/computeEnvironment", "Batch::ComputeEnvironment"),
    aws(Fact.MACHINE, "emr/cluster", "EMR::Cluster"),
    aws(Fact.MACHINE, "emr/instanceGroup", "EMR::InstanceGroupConfig"),
    aws(Fact.MACHINE, "emr/instanceFleet", "EMR::InstanceFleetConfig"),
    aws(Fact.MACHINE, "gamelift/fleet", "GameLift::Fleet"),
    aws(Fact.MACHINE, "gamelift/gameServerGroup", "GameLift::GameServerGroup"),
    aws(Fact.MACHINE, "", "GameLift::ContainerFleet"),
    aws(Fact.MACHINE, "sagemaker/endpointConfiguration", "SageMaker::EndpointConfig"),
    aws(Fact.MACHINE, "sagemaker/notebookInstance", "SageMaker::NotebookInstance"),
    aws(Fact.MACHINE, "sagemaker/app", "SageMaker::App"),
    aws(Fact.MACHINE, "sagemaker/space", "SageMaker::Space"),
    aws(Fact.MACHINE, "", "SageMaker::Cluster"),
    aws(Fact.MACHINE, "", "SageMaker::ProcessingJob"),
    aws(Fact.MACHINE, "cloud9/environmentEC2", "Cloud9::EnvironmentEC2", "aws_cloud9_environment_ec2"),
    aws(Fact.MACHINE, "imagebuilder/infrastructureConfiguration", "ImageBuilder::InfrastructureConfiguration"),
    aws(Fact.MACHINE, "appautoscaling/target", "ApplicationAutoScaling::ScalableTarget"),
    aws(Fact.MACHINE, "scheduler/schedule", "Scheduler::Schedule"),
    aws(Fact.MACHINE, "sfn/stateMachine", "StepFunctions::StateMachine"),
)
_TEMPLATES: Final = (
    aws(Fact.TEMPLATE, "ec2/launchTemplate", "EC2::LaunchTemplate"),
    aws(Fact.TEMPLATE, "ec2/launchConfiguration", "AutoScaling::LaunchConfiguration"),
    aws(Fact.TEMPLATE, "autoscaling/schedule", "AutoScaling::ScheduledAction"),
    aws(Fact.TEMPLATE, "appautoscaling/scheduledAction"),
    aws(Fact.TEMPLATE, "ec2/instanceMetadataDefaults", terraform="aws_ec2_instance_metadata_defaults"),
)
_DEPLOYMENTS: Final = (
    aws(Fact.DEPLOYMENT, "cloudformation/stack", "CloudFormation::Stack"),
    aws(Fact.DEPLOYMENT, "cloudformation/stackSet", "CloudFormation::StackSet"),
    aws(Fact.DEPLOYMENT, "cloudcontrol/resource", terraform="aws_cloudcontrolapi_resource"),
    Kind(Fact.DEPLOYMENT, native="aws-native:index:ExtensionResource"),
)
AWS: Final = (
    *_IDENTITIES,
    *_POLICIES,
    *_STORES,
    *_QUEUES,
    *_NETWORKS,
    *_CLUSTERS,
    *_MACHINES,
    *_TEMPLATES,
    *_DEPLOYMENTS,
)
