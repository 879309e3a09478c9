//go:build karpenter_1_15

package engine

import (
	"time"

	awscache "github.com/aws/karpenter-provider-aws/pkg/cache"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
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

// Karpenter is the version that written files name.
const Karpenter = "1.15.1"

// addNewer adds what 1.15 reads besides: one more interval, and its feature gates, all off when not given.
func addNewer(o *options.Options, gates map[string]bool) {
	o.SecurityGroupRefreshInterval = time.Minute
	o.FeatureGates = options.FeatureGates{NodeClassCEL: gate(gates, "nodeClassCEL", false), DRANVIDIAGPU: gate(gates, "draNVIDIAGPU", false),
		DRAEFA: gate(gates, "draEFA", false), RebootForRepair: gate(gates, "rebootForRepair", false)}
}

func ofReservation(id string) []awscache.UnavailableOfferingsOption {
	if id == "" {
		return nil
	}
	return []awscache.UnavailableOfferingsOption{awscache.WithReservationID(id)}
}

func newTypes(in *Input, api *ec2Stub, sub *subnet.DefaultProvider, prices pricing.Provider, resv *capacityreservation.DefaultProvider,
	pgs placementgroup.Provider, uo *awscache.UnavailableOfferings, shift shiftStub, kube client.Client) (*instancetype.DefaultProvider, amifamily.Resolver, error) {
	env, err := kubeletcel.NewEnvironment()
	if err != nil {
		return nil, nil, err
	}
	types := instancetype.NewDefaultProvider(newCache(), newCache(), newCache(), api, sub, prices, resv, pgs, uo,
		instancetype.NewDefaultResolver(in.Region, env), shift, kube, env)
	return types, amifamily.NewDefaultResolver(in.Region, types.ENILimits, env), nil
}

func compatibleFilter(reqs scheduling.Requirements, requests corev1.ResourceList) instancefilter.Filter {
	return instancefilter.CompatibleLaunchableFilter(reqs, requests)
}

func canLaunch(o *corecp.Offering) bool { return o.Launchable() }

func anyLaunchable(offerings corecp.Offerings, reqs scheduling.Requirements) bool {
	return len(offerings.Compatible(reqs).Launchable()) > 0
}
