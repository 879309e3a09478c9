//go:build karpenter_1_15

package disruption

import (
	"context"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/reboot"

	"cutlist/oracle/scenario"
)

// dryClient drops patches.
type dryClient struct{ client.Client }

func (dryClient) Patch(context.Context, client.Object, client.Patch, ...client.PatchOption) error {
	return nil
}
func (d dryClient) Status() client.SubResourceWriter { return dryStatus{d.Client.Status()} }

type dryStatus struct{ client.SubResourceWriter }

func (dryStatus) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	return nil
}

// podClient remembers deletions and evictions of pods instead of doing them.
type podClient struct {
	client.Client
	deleted map[string]int64
	evicted map[string]bool
}

func (d *podClient) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	if _, ok := obj.(*corev1.Pod); !ok {
		return d.Client.Delete(ctx, obj, opts...)
	}
	o := &client.DeleteOptions{}
	o.ApplyOptions(opts)
	g := int64(-1)
	if o.GracePeriodSeconds != nil {
		g = *o.GracePeriodSeconds
	}
	d.deleted[obj.GetNamespace()+"/"+obj.GetName()] = g
	return nil
}

func (d *podClient) SubResource(name string) client.SubResourceClient {
	if name != "eviction" {
		return d.Client.SubResource(name)
	}
	return &evictions{SubResourceClient: d.Client.SubResource(name), d: d}
}

type evictions struct {
	client.SubResourceClient
	d *podClient
}

func (e *evictions) Create(_ context.Context, obj client.Object, _ client.Object, _ ...client.SubResourceCreateOption) error {
	e.d.evicted[obj.GetNamespace()+"/"+obj.GetName()] = true
	return nil
}

// work lets the eviction queue look once at every pod in it.
func work(e *Env, q *terminator.Queue) error {
	pods := &corev1.PodList{}
	if err := e.Client.List(e.Ctx, pods); err != nil {
		return err
	}
	for i := range pods.Items {
		if q.Has(&pods.Items[i]) {
			if _, err := q.Reconcile(e.Ctx, &pods.Items[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func sorted(m map[string]bool) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// terminate runs one pass of the terminator, then one look of the eviction queue at each pod in it.
func terminate(e *Env, node *corev1.Node, deadline *time.Time) (*DrainAnswer, error) {
	c := &podClient{Client: e.Client, deleted: map[string]int64{}, evicted: map[string]bool{}}
	q := terminator.NewQueue(e.Clock, c, e.Recorder)
	out := &DrainAnswer{Delete: c.deleted}
	if err := terminator.NewTerminator(e.Clock, c, q, e.Recorder).Drain(e.Ctx, node, deadline, terminator.ForceDelete); err != nil {
		out.Message = err.Error()
	}
	if err := work(e, q); err != nil {
		return nil, err
	}
	out.Evict = sorted(c.evicted)
	return out, nil
}

// rebootAll runs the reboot controller on every NodeClaim that is rebooting, each in a world of its own.
func rebootAll(s *scenario.Scenario, set Settings) (map[string][]RebootAnswer, error) {
	first, err := New(s, set)
	if err != nil {
		return nil, err
	}
	claims := &v1.NodeClaimList{}
	if err := first.Client.List(first.Ctx, claims); err != nil {
		return nil, err
	}
	out := map[string][]RebootAnswer{}
	waits := set.Reboot.Waits
	if len(waits) == 0 {
		waits = []string{"0s"}
	}
	for i := range claims.Items {
		name, node := claims.Items[i].Name, claims.Items[i].Status.NodeName
		if !claims.Items[i].StatusConditions().Get(v1.ConditionTypeRebooting).IsTrue() {
			continue
		}
		e, err := New(s, set)
		if err != nil {
			return nil, err
		}
		for n, how := range set.Reboot.Provider {
			nc, err := e.claimOf(n)
			if err != nil {
				return nil, err
			}
			e.Base.RebootAnswers[nc.Name] = how
		}
		c := &podClient{Client: e.Client, deleted: map[string]int64{}, evicted: map[string]bool{}}
		q := terminator.NewQueue(e.Clock, c, e.Recorder)
		ctrl := reboot.NewController(e.Clock, c, e.Provider, terminator.NewTerminator(e.Clock, c, q, e.Recorder), e.Recorder)
		for _, w := range waits {
			d, err := time.ParseDuration(w)
			if err != nil {
				return nil, err
			}
			e.Clock.Step(d)
			nc := &v1.NodeClaim{}
			if err := e.Client.Get(e.Ctx, types.NamespacedName{Name: name}, nc); err != nil {
				break
			}
			e.Recorder.take()
			before := len(e.Base.Reboots)
			res, err := ctrl.Reconcile(e.Ctx, nc)
			x := RebootAnswer{}
			if err != nil {
				x.Error = err.Error()
			}
			if err := work(e, q); err != nil {
				return nil, err
			}
			x.Evict = sorted(c.evicted)
			x.Asked = len(e.Base.Reboots) - before
			if res.RequeueAfter > 0 {
				x.After = seconds(res.RequeueAfter)
			}
			x.Events = plain(e.Recorder.take())
			after := &v1.NodeClaim{}
			if err := e.Client.Get(e.Ctx, types.NamespacedName{Name: name}, after); err != nil {
				x.Deleted = true
				out[name] = append(out[name], x)
				break
			}
			x.Deleted = !after.DeletionTimestamp.IsZero()
			x.Deadline = after.Annotations[v1.NodeClaimTerminationTimestampAnnotationKey]
			x.PreBootID = after.Annotations[v1.RebootPreBootIDAnnotationKey]
			x.Rebooting = conditionText(after, v1.ConditionTypeRebooting)
			x.Initialized = conditionText(after, v1.ConditionTypeInitialized)
			n := &corev1.Node{}
			if err := e.Client.Get(e.Ctx, types.NamespacedName{Name: node}, n); err == nil {
				for _, t := range n.Spec.Taints {
					x.Tainted = x.Tainted || t.MatchTaint(&v1.RebootingNoScheduleTaint)
				}
			}
			out[name] = append(out[name], x)
		}
	}
	return out, nil
}

func conditionText(nc *v1.NodeClaim, kind string) string {
	c := nc.StatusConditions().Get(kind)
	if c == nil {
		return ""
	}
	return strings.TrimSpace(string(c.Status) + " " + c.Reason + ": " + c.Message)
}
