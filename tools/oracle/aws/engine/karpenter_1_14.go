//go:build !karpenter_1_15

package engine

import (
	awscache "github.com/aws/karpenter-provider-aws/pkg/cache"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/amifamily"
	"github.com/aws/karpenter-provider-aws/pkg/providers/capacityreservation"
	instancefilter "github.com/aws/karpenter-provider-aws/pkg/providers/instance/filter"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"github.com/aws/karpenter-provider-aws/pkg/providers/placementgroup"
	"github.com/aws/karpenter-provider-aws/pkg/providers/pricing"
	"github.com/aws/karpenter-provider-aws/pkg/providers/subnet"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	corecp "sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// Karpenter is the version that written files name; those of 1.14 name none.
const Karpenter = ""

func addNewer(*options.Options, map[string]bool) {}

func ofReservation(string) []awscache.UnavailableOfferingsOption { return nil }

func newTypes(in *Input, api *ec2Stub, sub *subnet.DefaultProvider, prices pricing.Provider, resv *capacityreservation.DefaultProvider,
	pgs placementgroup.Provider, uo *awscache.UnavailableOfferings, shift shiftStub, kube client.Client) (*instancetype.DefaultProvider, amifamily.Resolver, error) {
	types := instancetype.NewDefaultProvider(newCache(), newCache(), newCache(), api, sub, prices, resv, pgs, uo,
		instancetype.NewDefaultResolver(in.Region), shift, kube)
	return types, amifamily.NewDefaultResolver(in.Region), nil
}

func compatibleFilter(reqs scheduling.Requirements, requests corev1.ResourceList) instancefilter.Filter {
	return instancefilter.CompatibleAvailableFilter(reqs, requests)
}

func canLaunch(o *corecp.Offering) bool { return o.Available }

func anyLaunchable(offerings corecp.Offerings, reqs scheduling.Requirements) bool {
	return len(offerings.Available().Compatible(reqs)) > 0
}
