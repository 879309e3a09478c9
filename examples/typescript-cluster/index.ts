// A whole cluster with Karpenter: network, EKS, Karpenter, a NodePool and its node class.
import * as cutlist from "@pulumi/cutlist";

const discovered = [{ tags: { "karpenter.sh/discovery": "shop" } }];

const shop = new cutlist.KarpenterCluster("shop", {
    clusterName: "shop",
    region: "us-west-2",
    accountId: "111122223333",
    kubernetesVersion: "1.35",
    admins: { deployer: "arn:aws:iam::111122223333:role/Deployer" }, // who runs Pulumi
    publicAccessCidrs: ["203.0.113.0/24"], // the office
    nodeClasses: [
        {
            apiVersion: "karpenter.k8s.aws/v1",
            kind: "EC2NodeClass",
            metadata: { name: "default" },
            spec: {
                role: "KarpenterNodeRole-shop",
                amiSelectorTerms: [{ alias: "al2023@v20260625" }],
                subnetSelectorTerms: discovered,
                securityGroupSelectorTerms: discovered,
            },
        },
    ],
    nodePools: [
        {
            apiVersion: "karpenter.sh/v1",
            kind: "NodePool",
            metadata: { name: "general" },
            spec: {
                template: {
                    spec: {
                        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
                        requirements: [
                            { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c", "m", "r"] },
                            { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] },
                            { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"] },
                        ],
                    },
                },
                limits: { cpu: "100" },
            },
        },
    ],
});

export const endpoint = shop.endpoint;
