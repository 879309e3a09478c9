//go:build karpenter_1_15

package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// CanLaunch says whether an offering counts for a price.
func CanLaunch(of *cloudprovider.Offering) bool { return of.Launchable() }

// repairs is what the provider says about repair.
type repairs struct {
	policies []cloudprovider.RepairPolicy
	// RebootAnswers: "ok", "notImplemented", "failed", "notFound" or "transient" by NodeClaim name; Reboots lists the calls.
	RebootAnswers map[string]string
	Reboots       []string
}

func newRepairs(policies []cloudprovider.RepairPolicy) repairs {
	return repairs{policies: policies, RebootAnswers: map[string]string{}}
}

func (r *repairs) RepairPolicies() []cloudprovider.RepairPolicy { return r.policies }

// Reboot answers as the scenario says and remembers the call.
func (r *repairs) Reboot(_ context.Context, nc *v1.NodeClaim, operationID string) error {
	r.Reboots = append(r.Reboots, operationID)
	switch r.RebootAnswers[nc.Name] {
	case "notImplemented":
		return cloudprovider.NewNodeRebootNotImplementedError()
	case "failed":
		return cloudprovider.NewNodeRebootFailedError(fmt.Errorf("permission denied"))
	case "notFound":
		return cloudprovider.NewNodeClaimNotFoundError(fmt.Errorf("no instance"))
	case "transient":
		return fmt.Errorf("try again")
	}
	return nil
}

func (p repairPolicy) addNewer(x *cloudprovider.RepairPolicy) error {
	x.ReasonRegex, x.Priority, x.Action = p.ReasonRegex, p.Priority, cloudprovider.ReplaceNode
	if p.Action != nil {
		x.Action = cloudprovider.RepairAction(*p.Action)
	}
	if p.TerminationGracePeriod != nil {
		d, err := time.ParseDuration(*p.TerminationGracePeriod)
		if err != nil {
			return err
		}
		x.TerminationGracePeriod = &d
	}
	return nil
}

// readNewerOptions turns node repair on where there are policies and the scenario does not say, and reads the scheduler's configuration.
func (s *Scenario) readNewerOptions(o *options.Options) error {
	if _, given := s.Options.FeatureGates["nodeRepair"]; !given {
		policies, err := s.repairPolicies()
		if err != nil {
			return err
		}
		o.FeatureGates.NodeRepair = len(policies) > 0
	}
	o.LegacyNodeRepair = s.Options.LegacyNodeRepair
	text := strings.TrimSpace(string(s.Options.SchedulerConfig))
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal([]byte(text), &text); err != nil {
			return err
		}
	}
	var err error
	if o.SchedulerConfig, err = options.ParseSchedulerConfiguration(text); err != nil {
		return StartError{fmt.Errorf("parsing scheduler config, %w", err)}
	}
	return nil
}

func openNewerGate(o *options.Options, gate string, open bool) error {
	switch gate {
	case "terminateFirstDrift":
		o.FeatureGates.TerminateFirstDrift = open
	case "terminateFirstRepair":
		o.FeatureGates.TerminateFirstRepair = open
	case "podDeletionCostManagement":
		o.FeatureGates.PodDeletionCostManagement = open
	default:
		return fmt.Errorf("unknown feature gate %q", gate)
	}
	return nil
}

func (t InstanceType) addNewer(it *cloudprovider.InstanceType) {
	it.DynamicResources = t.DynamicResources.convert()
	if len(t.VolumeAttachmentLimits) == 0 {
		return
	}
	it.VolumeAttachmentLimits = map[string]int{}
	for driver, n := range t.VolumeAttachmentLimits {
		it.VolumeAttachmentLimits[driver] = n
	}
}

func (w *World) newCluster() (*state.Cluster, error) {
	matcher, err := health.NewRepairPolicyMatcher(w.Ctx, w.Base)
	if err != nil {
		return nil, StartError{err}
	}
	return state.NewCluster(w.Clock, w.Client, w.CloudProvider, state.WithRepairPolicyMatcher(matcher)), nil
}
