//go:build karpenter_1_15

package answer

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/lifecycle"
	"sigs.k8s.io/karpenter/pkg/state/nodepoolhealth"

	"cutlist/oracle/scenario"
)

// initialize runs Karpenter's lifecycle controller once on every NodeClaim and gives the condition Initialized.
func initialize(w *scenario.World) (map[string]string, error) {
	list := &v1.NodeClaimList{}
	if err := w.Client.List(w.Ctx, list); err != nil {
		return nil, err
	}
	c := lifecycle.NewController(w.Clock, w.Client, w.CloudProvider, w.Recorder, w.Cluster, nodepoolhealth.NewState(), nil)
	out := map[string]string{}
	for i := range list.Items {
		nc := &list.Items[i]
		if _, err := c.Reconcile(w.Ctx, nc); err != nil {
			return nil, err
		}
		if err := w.Client.Get(w.Ctx, client.ObjectKeyFromObject(nc), nc); err != nil {
			return nil, err
		}
		cond := nc.StatusConditions().Get(v1.ConditionTypeInitialized)
		out[nc.Name] = string(cond.Status)
		if !cond.IsTrue() {
			out[nc.Name] += " " + cond.Reason + ": " + cond.Message
		}
	}
	return out, nil
}
