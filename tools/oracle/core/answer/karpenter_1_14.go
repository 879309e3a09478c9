//go:build !karpenter_1_15

package answer

import (
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"

	"cutlist/oracle/scenario"
)

// There are no devices, and nothing to ask about candidates.

type deviceAnswer struct{}

func drivers(*scheduler.NodeClaim) []string { return nil }

func decide(w *scenario.World, _ *scenario.Scenario) (scheduler.Results, error) {
	return w.Provisioner.Schedule(w.Ctx)
}

func (a *Answer) addDevices(*scenario.World, *scenario.Scenario, scheduler.Results) error { return nil }

func (a *Answer) canonicalDevices() []string { return nil }

func (a *Answer) compareTexts(*Answer) {}
