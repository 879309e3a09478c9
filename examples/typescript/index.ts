// A node class, a NodePool and the plan of the nodes that they will give a workload.
import * as cutlist from "@pulumi/cutlist";

const discovered = [{ tags: { "karpenter.sh/discovery": "demo" } }];

const defaultClass = {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name: "default" },
    spec: {
        role: "KarpenterNodeRole-demo",
        amiSelectorTerms: [{ alias: "al2023@v20260625" }],
        subnetSelectorTerms: discovered,
        securityGroupSelectorTerms: discovered,
    },
};

const generalPool = {
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
};

const web = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
        replicas: 6,
        selector: { matchLabels: { app: "web" } },
        template: {
            metadata: { labels: { app: "web" } },
            spec: {
                containers: [
                    {
                        name: "web",
                        image: "registry.example.com/web:1.0.0",
                        resources: { requests: { cpu: "500m", memory: "1Gi" } },
                    },
                ],
            },
        },
    },
};

const nodes = new cutlist.NodePlan("nodes", {
    region: "us-west-2",
    manifests: [defaultClass, generalPool, web],
});

const nodeClass = new cutlist.EC2NodeClass("default", { manifest: defaultClass });
new cutlist.NodePool("general", { manifest: generalPool, nodeClassName: nodeClass.objectName });

export const nodePools = nodes.nodePools;
export const totals = nodes.totals;
