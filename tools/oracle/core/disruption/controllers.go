package disruption

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/expiration"
	"sigs.k8s.io/karpenter/pkg/events"

	"cutlist/oracle/scenario"
)

func seconds(d time.Duration) string { return d.String() }

func expiry(s *scenario.Scenario, set Settings) (*ExpiryAnswer, error) {
	e, err := New(s, set)
	if err != nil {
		return nil, err
	}
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	out := &ExpiryAnswer{Deleted: []string{}, After: map[string]string{}}
	for i := range claims.Items {
		nc := &claims.Items[i]
		now := e.Clock.Now()
		res, err := expiration.NewController(e.Clock, e.Client, e.Provider).Reconcile(e.Ctx, nc.DeepCopy())
		if err != nil {
			return nil, err
		}
		e.Clock.SetTime(now)
		if res.RequeueAfter > 0 {
			out.After[nc.Name] = seconds(res.RequeueAfter)
		}
		cur := &v1.NodeClaim{}
		err = e.Client.Get(e.Ctx, client.ObjectKeyFromObject(nc), cur)
		if (err != nil || !cur.DeletionTimestamp.IsZero()) && nc.DeletionTimestamp.IsZero() {
			out.Deleted = append(out.Deleted, nc.Name)
		}
	}
	return out, nil
}

func repair(s *scenario.Scenario, set Settings) (*RepairAnswer, error) {
	out := &RepairAnswer{Deleted: []string{}, After: map[string]string{}}
	first, err := New(s, set)
	if err != nil {
		return nil, err
	}
	nodes := &corev1.NodeList{}
	if err := first.Client.List(first.Ctx, nodes); err != nil {
		return nil, err
	}
	var evs []events.Event
	for i := range nodes.Items { // each node in its own world: the order must not matter
		e, err := New(s, set)
		if err != nil {
			return nil, err
		}
		n := &nodes.Items[i]
		res, err := reconcileRepair(e, n.DeepCopy())
		if err != nil {
			return nil, err
		}
		if res.RequeueAfter > 0 {
			out.After[n.Name] = seconds(res.RequeueAfter)
		}
		claims := &v1.NodeClaimList{}
		if err := e.Client.List(e.Ctx, claims); err != nil {
			return nil, err
		}
		for j := range claims.Items {
			nc := &claims.Items[j]
			if nc.Status.NodeName == n.Name && nc.Annotations[v1.NodeClaimTerminationTimestampAnnotationKey] != "" && !nc.DeletionTimestamp.IsZero() {
				out.Deleted = append(out.Deleted, nc.Name)
			}
		}
		evs = append(evs, e.Recorder.take()...)
	}
	out.Events = plain(evs)
	return out, nil
}

func drain(s *scenario.Scenario, set Settings) (*DrainAnswer, error) {
	e, err := New(s, set)
	if err != nil {
		return nil, err
	}
	node := &corev1.Node{}
	if err := e.Client.Get(e.Ctx, types.NamespacedName{Name: set.Drain.Node}, node); err != nil {
		return nil, err
	}
	var deadline *time.Time
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	for i := range claims.Items {
		if ts, ok := claims.Items[i].Annotations[v1.NodeClaimTerminationTimestampAnnotationKey]; ok && claims.Items[i].Status.NodeName == node.Name {
			t, err := time.Parse(time.RFC3339, ts)
			if err != nil {
				return nil, err
			}
			deadline = &t
		}
	}
	return terminate(e, node, deadline)
}
