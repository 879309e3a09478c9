//go:build karpenter_1_15

package answer

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"

	"cutlist/oracle/scenario"
)

// decide runs a provisioning pass, or disruption's simulation where the scenario has candidates.
func decide(w *scenario.World, s *scenario.Scenario) (scheduler.Results, error) {
	if len(s.Candidates) > 0 {
		return simulate(w, s.Candidates)
	}
	return w.Provisioner.Schedule(w.Ctx)
}

// simulate asks what disruption asks: where would the pods be without these nodes?
func simulate(w *scenario.World, names []string) (scheduler.Results, error) {
	queue := disruption.NewQueue(w.Client, w.Recorder, w.Cluster, w.Clock, w.Provisioner)
	chosen := func(_ context.Context, c *disruption.Candidate) bool { return slices.Contains(names, c.Name()) }
	candidates, err := disruption.GetCandidates(w.Ctx, w.Cluster, w.Client, w.Recorder, w.Clock, w.CloudProvider, chosen, disruption.GracefulDisruptionClass, queue)
	if err != nil {
		return scheduler.Results{}, err
	}
	if len(candidates) != len(names) {
		return scheduler.Results{}, fmt.Errorf("%d of %d nodes are candidates", len(candidates), len(names))
	}
	return disruption.SimulateScheduling(w.Ctx, w.Client, w.Cluster, w.Provisioner, w.Clock, w.Recorder, nil, disruption.SimulationOptions{}, candidates...)
}
