module cutlist/oracle-azure

go 1.26.6

require (
	github.com/Azure/azure-sdk-for-go v68.0.0+incompatible
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.22.0
	github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v7 v7.3.0
	github.com/Azure/karpenter-provider-azure v1.14.2
	github.com/Azure/skewer v0.0.24
	github.com/patrickmn/go-cache v2.1.0+incompatible
	k8s.io/api v0.35.1
	sigs.k8s.io/karpenter v1.14.0
)
