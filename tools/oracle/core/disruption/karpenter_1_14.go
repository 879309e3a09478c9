//go:build !karpenter_1_15

package disruption

import (
	"context"
	"fmt"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	kd "sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"

	"cutlist/oracle/scenario"
)

// refuseNewer returns an error for settings that only 1.15 knows.
func (s Settings) refuseNewer() error {
	if len(s.Reboots) > 0 || s.Reboot != nil || s.DeletionCosts {
		return fmt.Errorf("reboots, reboot and deletionCosts are for Karpenter 1.15")
	}
	return nil
}

func (e *Env) methods() []string { return Methods }

func (e *Env) reasons() []v1.DisruptionReason { return reasonsOfAll }

func newStaticDrift(e *Env) *kd.StaticDrift { return kd.NewStaticDrift(e.Cluster, e.Prov, e.Provider) }

func newController(e *Env, methods []kd.Method) *kd.Controller {
	return kd.NewController(e.Clock, e.Client, e.Prov, e.Provider, e.Recorder, e.Cluster, e.Queue, e.Cost, kd.WithMethods(methods...))
}

func launchable(offerings cloudprovider.Offerings) cloudprovider.Offerings {
	return offerings.Available()
}

// hasRepairController says that the repair controller runs: repair became a method with 1.15.
func hasRepairController(*scenario.Scenario) bool { return true }

func reconcileRepair(e *Env, node *corev1.Node) (reconcile.Result, error) {
	return health.NewController(e.Client, e.Provider, e.Clock, e.Recorder).Reconcile(e.Ctx, node)
}

// Nothing reboots, no method repairs, and no command has a bound of its own.

type memory struct{}

func (e *Env) addRepair() {}

func (e *Env) rememberReboots() error { return nil }

func (e *Env) method(name string) kd.Method { return e.Methods[name] }

func (e *Env) tidy(string, []kd.Command) error { return nil }

func (c *Command) addNewer(kd.Command) {}

func (m *MethodAnswer) addPolicy(*Env, string, *kd.Candidate) {}

func (e *Env) watchReboots() (func() error, error) { return func() error { return nil }, nil }

func (e *Env) endings(*Answer) error { return nil }

func (a *Answer) addNewer(*scenario.Scenario, Settings) error { return nil }

type deleteClient struct {
	client.Client
	deleted map[string]int64
}

func (d *deleteClient) Delete(_ context.Context, obj client.Object, opts ...client.DeleteOption) error {
	o := &client.DeleteOptions{}
	o.ApplyOptions(opts)
	g := int64(-1)
	if o.GracePeriodSeconds != nil {
		g = *o.GracePeriodSeconds
	}
	d.deleted[obj.GetNamespace()+"/"+obj.GetName()] = g
	return nil
}

// terminate runs one pass of the terminator; what it has put into the eviction queue counts as evicted.
func terminate(e *Env, node *corev1.Node, deadline *time.Time) (*DrainAnswer, error) {
	c := &deleteClient{Client: e.Client, deleted: map[string]int64{}}
	q := terminator.NewQueue(c, e.Recorder)
	out := &DrainAnswer{Evict: []string{}, Delete: c.deleted}
	if err := terminator.NewTerminator(e.Clock, c, q, e.Recorder).Drain(e.Ctx, node, deadline); err != nil {
		out.Message = err.Error()
	}
	pods := &corev1.PodList{}
	if err := e.Client.List(e.Ctx, pods); err != nil {
		return nil, err
	}
	for i := range pods.Items {
		if q.Has(&pods.Items[i]) {
			out.Evict = append(out.Evict, podKey(&pods.Items[i]))
		}
	}
	sort.Strings(out.Evict)
	return out, nil
}
