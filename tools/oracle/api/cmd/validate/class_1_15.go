//go:build karpenter_1_15

package main

import (
	"context"
	"errors"
	"time"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/launchtemplate"
	"github.com/patrickmn/go-cache"
	"k8s.io/utils/clock"
)

// cidr is the launch template provider as far as the check of spec.kubelet needs it: the cluster's CIDR is known.
type cidr struct{ launchtemplate.Provider }

func (cidr) ResolveClusterCIDR(context.Context) error { return nil }

// classErrors is what the NodeClass controller says of spec.kubelet (and of the NVIDIA annotation) before it looks at anything in AWS.
// The condition's text joins the findings of the first check; they are given one by one here.
func classErrors(o *awsv1.EC2NodeClass, gates map[string]bool) []error {
	if errs := awsv1.ValidateKubeletConfig(o.Spec.Kubelet); len(errs) > 0 {
		return errs
	}
	env, err := kubeletcel.NewEnvironment()
	if err != nil {
		return []error{err}
	}
	ctx := options.ToContext(context.Background(), &options.Options{FeatureGates: options.FeatureGates{NodeClassCEL: gates["nodeClassCEL"],
		DRANVIDIAGPU: gates["draNVIDIAGPU"], DRAEFA: gates["draEFA"], RebootForRepair: gates["rebootForRepair"]}})
	v := nodeclass.NewValidationReconciler(clock.RealClock{}, nil, nil, nil, nil, nil, cidr{}, cache.New(time.Minute, time.Minute), env, true)
	_, err = v.Reconcile(ctx, o)
	c := o.StatusConditions().Get(awsv1.ConditionTypeValidationSucceeded)
	if c != nil && c.IsFalse() {
		return []error{errors.New(c.Message)}
	}
	if err != nil {
		return []error{err}
	}
	return nil
}
