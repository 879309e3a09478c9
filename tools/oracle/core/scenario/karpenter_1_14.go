//go:build !karpenter_1_15

package scenario

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
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

func (t InstanceType) addNewer(*cloudprovider.InstanceType) {}

type DynamicResources struct{}

type devices struct{}

func (s *Scenario) deviceObjects() ([]json.RawMessage, error) { return nil, nil }

func (w *World) defaultClaims(client.Object) {}

func (w *World) claimsOf(*corev1.Pod) []client.Object { return nil }

// NewProvisioner makes a provisioner on the world.
func (w *World) NewProvisioner(c client.Client, recorder events.Recorder, provider cloudprovider.CloudProvider) *provisioning.Provisioner {
	return provisioning.NewProvisioner(c, recorder, provider, w.Cluster, w.Clock, nil, w.VirtualPods)
}

func (w *World) newCluster() (*state.Cluster, error) {
	return state.NewCluster(w.Clock, w.Client, w.CloudProvider), nil
}
