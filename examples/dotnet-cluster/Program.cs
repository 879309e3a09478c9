// A whole cluster with Karpenter: network, EKS, Karpenter, a NodePool and its node class.
using System.Collections.Generic;
using Pulumi;
using Pulumi.Cutlist;
using Pulumi.Cutlist.Inputs;

return await Deployment.RunAsync(() =>
{
    var shop = new KarpenterCluster("shop", new KarpenterClusterArgs
    {
        ClusterName = "shop",
        Region = "us-west-2",
        AccountId = "111122223333",
        KubernetesVersion = "1.35",
        Admins = { { "deployer", "arn:aws:iam::111122223333:role/Deployer" } }, // who runs Pulumi
        PublicAccessCidrs = { "203.0.113.0/24" }, // the office
        NodeClasses =
        {
            new EC2NodeClassManifestArgs
            {
                ApiVersion = "karpenter.k8s.aws/v1",
                Kind = "EC2NodeClass",
                Metadata = new EC2NodeClassManifestMetadataArgs { Name = "default" },
                Spec = new EC2NodeClassManifestSpecArgs
                {
                    Role = "KarpenterNodeRole-shop",
                    AmiSelectorTerms = { new EC2NodeClassManifestSpecAmiSelectorTermsItemArgs { Alias = "al2023@v20260625" } },
                    SubnetSelectorTerms =
                    {
                        new EC2NodeClassManifestSpecSubnetSelectorTermsItemArgs { Tags = { { "karpenter.sh/discovery", "shop" } } },
                    },
                    SecurityGroupSelectorTerms =
                    {
                        new EC2NodeClassManifestSpecSecurityGroupSelectorTermsItemArgs { Tags = { { "karpenter.sh/discovery", "shop" } } },
                    },
                },
            },
        },
        NodePools =
        {
            new NodePoolManifestArgs
            {
                ApiVersion = "karpenter.sh/v1",
                Kind = "NodePool",
                Metadata = new NodePoolManifestMetadataArgs { Name = "general" },
                Spec = new NodePoolManifestSpecArgs
                {
                    Template = new NodePoolManifestSpecTemplateArgs
                    {
                        Spec = new NodePoolManifestSpecTemplateSpecArgs
                        {
                            NodeClassRef = new NodePoolManifestSpecTemplateSpecNodeClassRefArgs
                            {
                                Group = "karpenter.k8s.aws",
                                Kind = "EC2NodeClass",
                                Name = "default",
                            },
                            Requirements =
                            {
                                Requirement("karpenter.k8s.aws/instance-category", "c", "m", "r"),
                                Requirement("kubernetes.io/arch", "amd64", "arm64"),
                                Requirement("karpenter.sh/capacity-type", "spot", "on-demand"),
                            },
                        },
                    },
                    Limits = { { "cpu", (Union<int, string>)"100" } },
                },
            },
        },
    });
    return new Dictionary<string, object?> { ["endpoint"] = shop.Endpoint };
});

static NodePoolManifestSpecTemplateSpecRequirementsItemArgs Requirement(string key, params string[] values) =>
    new() { Key = key, Operator = "In", Values = values };
