//go:build !karpenter_1_15

package scenario

import (
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// CanLaunch says whether an offering counts for a price.
func CanLaunch(of *cloudprovider.Offering) bool { return of.Available }

// repairs is what the provider says about repair.
type repairs struct{ policies []cloudprovider.RepairPolicy }

func newRepairs(policies []cloudprovider.RepairPolicy) repairs { return repairs{policies} }

func (r repairs) RepairPolicies() []cloudprovider.RepairPolicy { return r.policies }

// What 1.15 added is ignored.

func (p repairPolicy) addNewer(*cloudprovider.RepairPolicy) error { return nil }

func (s *Scenario) readNewerOptions(*options.Options) error { return nil }

func openNewerGate(*options.Options, string, bool) error { return nil }

func limitVolumes(*cloudprovider.InstanceType, map[string]int) {}

func (w *World) newCluster() (*state.Cluster, error) {
	return state.NewCluster(w.Clock, w.Client, w.CloudProvider), nil
}
