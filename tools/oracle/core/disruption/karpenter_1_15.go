//go:build karpenter_1_15

package disruption

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	kd "sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/node/legacyrepair"
	"sigs.k8s.io/karpenter/pkg/controllers/pod/deletioncost"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"

	"cutlist/oracle/scenario"
)

// refuseNewer refuses nothing: this is the newest version.
func (s Settings) refuseNewer() error { return nil }

// methods puts repair first where it runs.
func (e *Env) methods() []string {
	if e.repairs() {
		return append([]string{"repair"}, Methods...)
	}
	return Methods
}

func (e *Env) repairs() bool {
	o := options.FromContext(e.Ctx)
	return o.FeatureGates.NodeRepair && !o.LegacyNodeRepair
}

func (e *Env) reasons() []v1.DisruptionReason {
	reasons := append([]v1.DisruptionReason{}, reasonsOfAll...)
	if e.repairs() {
		reasons = append(reasons, v1.DisruptionReasonUnhealthy)
	}
	return reasons
}

func newStaticDrift(e *Env) *kd.StaticDrift {
	return kd.NewStaticDrift(e.Cluster, e.Prov, e.Provider, e.Recorder)
}

func newController(e *Env, methods []kd.Method) *kd.Controller {
	return kd.NewController(e.Ctx, e.Clock, e.Client, e.Prov, e.Provider, e.Recorder, e.Cluster, e.Queue, e.Cost, kd.WithMethods(methods...))
}

func launchable(offerings cloudprovider.Offerings) cloudprovider.Offerings {
	return offerings.Launchable()
}

// hasRepairController says whether the repair controller of 1.14 runs.
func hasRepairController(s *scenario.Scenario) bool { return s.Options.LegacyNodeRepair }

func reconcileRepair(e *Env, node *corev1.Node) (reconcile.Result, error) {
	return legacyrepair.NewController(e.Client, e.Provider, e.Clock, e.Recorder).Reconcile(e.Ctx, node)
}

// memory is what the repair method remembers, and how another one is made.
type memory struct {
	newRepair func() *kd.Repair
	reboots   []committed // reboots handed over so far
}

type committed struct {
	uid types.UID
	at  time.Time
}

// recall gives a repair method the memory of the reboots so far.
func (e *Env) recall(r *kd.Repair) {
	f := reflect.ValueOf(r).Elem().FieldByName("rebootHistory")
	h := *(**kd.RebootHistory)(unsafe.Pointer(f.UnsafeAddr()))
	now := e.Clock.Now()
	for _, c := range e.reboots {
		e.Clock.SetTime(c.at)
		h.RecordCommittedReboot(c.uid)
	}
	e.Clock.SetTime(now)
}

func (e *Env) claimOf(node string) (*v1.NodeClaim, error) {
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	for i := range claims.Items {
		if claims.Items[i].Status.NodeName == node {
			return &claims.Items[i], nil
		}
	}
	return nil, fmt.Errorf("node %q has no NodeClaim", node)
}

func (e *Env) addRepair() {
	if !e.repairs() {
		return
	}
	e.Methods["repair"] = kd.NewRepair(kd.MakeConsolidation(e.Clock, e.Cluster, e.Client, e.Prov, e.Provider, e.Recorder, e.Queue))
	// Asked, repair hands a reboot over at once. This one writes nothing and starts with a copy of the memory.
	dry := kd.MakeConsolidation(e.Clock, e.Cluster, dryClient{e.Client}, e.Prov, e.Provider, e.Recorder, e.Queue)
	e.newRepair = func() *kd.Repair { return kd.NewRepair(dry) }
}

// rememberReboots gives repair the reboots that the settings say have been.
func (e *Env) rememberReboots() error {
	for name, list := range e.Set.Reboots {
		nc, err := e.claimOf(name)
		if err != nil {
			return err
		}
		for _, at := range list {
			t, err := time.Parse(time.RFC3339, at)
			if err != nil {
				return err
			}
			e.reboots = append(e.reboots, committed{nc.UID, t})
		}
	}
	sort.Slice(e.reboots, func(i, j int) bool { return e.reboots[i].at.Before(e.reboots[j].at) })
	if e.repairs() {
		e.recall(e.Methods["repair"].(*kd.Repair))
	}
	return nil
}

// method returns the method to ask: repair anew, so that asking changes nothing.
func (e *Env) method(name string) kd.Method {
	if name != "repair" {
		return e.Methods[name]
	}
	r := e.newRepair()
	e.recall(r)
	return r
}

// tidy undoes what asking repair has left behind.
func (e *Env) tidy(name string, cmds []kd.Command) error {
	if name != "repair" {
		return nil
	}
	for _, cmd := range cmds {
		for _, r := range cmd.Replacements {
			if r.IsStaticNodeClaim {
				e.Cluster.NodePoolState.ReleaseNodeCount(r.NodePoolName, 1)
			}
		}
		if cmd.Reboot {
			if err := e.refresh(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Command) addNewer(cmd kd.Command) {
	c.TerminateFirst = string(cmd.TerminateFirstReason)
	for _, cd := range cmd.Candidates {
		if cd.TerminationGracePeriod != nil {
			if c.Bounds == nil {
				c.Bounds = map[string]string{}
			}
			c.Bounds[cd.Name()] = cd.TerminationGracePeriod.String()
		}
	}
}

func (m *MethodAnswer) addPolicy(e *Env, name string, c *kd.Candidate) {
	if name != "repair" {
		return
	}
	if m.Policies == nil {
		m.Policies = map[string]PolicyAnswer{}
	}
	m.Policies[c.Name()] = e.policy(c)
}

// policy is repair's decision for a candidate.
func (e *Env) policy(c *kd.Candidate) PolicyAnswer {
	r := c.RepairPolicyResult
	p := PolicyAnswer{Action: string(r.Action), Condition: string(r.Condition), Status: string(r.ConditionStatus), ConditionReason: r.Reason, ReasonRegex: r.ReasonRegex,
		Fallback: r.Fallback, EligibleAt: r.SelectedEligibleAt.UTC().Format(time.RFC3339), Score: round(r.ScoreAt(e.Clock.Now())), Escalated: c.RebootEscalated}
	if r.TerminationGracePeriod != nil {
		p.Bound, p.BoundCondition = r.TerminationGracePeriod.String(), string(r.TerminationGracePeriodCondition)
	}
	return p
}

// watchReboots returns a function that remembers the reboots that have been handed over since this call.
func (e *Env) watchReboots() (func() error, error) {
	before, err := e.rebooting()
	return func() error {
		after, err := e.rebooting()
		for uid := range after {
			if !before[uid] {
				e.reboots = append(e.reboots, committed{uid, e.Clock.Now()})
			}
		}
		return err
	}, err
}

func (e *Env) rebooting() (map[types.UID]bool, error) {
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	out := map[types.UID]bool{}
	for i := range claims.Items {
		if claims.Items[i].StatusConditions().Get(v1.ConditionTypeRebooting).IsTrue() {
			out[claims.Items[i].UID] = true
		}
	}
	return out, nil
}

// endings notes the NodeClaims that are rebooting or have a deadline.
func (e *Env) endings(a *Answer) error {
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return err
	}
	for i := range claims.Items {
		nc := &claims.Items[i]
		if nc.StatusConditions().Get(v1.ConditionTypeRebooting).IsTrue() {
			if a.Rebooting == nil {
				a.Rebooting = map[string]string{}
			}
			a.Rebooting[nc.Name] = "none"
			if v, ok := nc.Annotations[v1.RebootTerminationGracePeriodAnnotationKey]; ok {
				a.Rebooting[nc.Name] = v
			}
		}
		if v, ok := nc.Annotations[v1.NodeClaimTerminationTimestampAnnotationKey]; ok && !nc.DeletionTimestamp.IsZero() {
			if a.Deadlines == nil {
				a.Deadlines = map[string]string{}
			}
			a.Deadlines[nc.Name] = v
		}
	}
	return nil
}

// addNewer asks the controllers that came with 1.15.
func (a *Answer) addNewer(s *scenario.Scenario, set Settings) (err error) {
	if set.Reboot != nil {
		if a.Reboot, err = rebootAll(s, set); err != nil {
			return err
		}
	}
	if set.DeletionCosts {
		a.DeletionCosts, err = deletionCosts(s, set)
	}
	return err
}

// deletionCosts asks for the ranks of the pod deletion cost controller.
func deletionCosts(s *scenario.Scenario, set Settings) (map[string]*int, error) {
	e, err := New(s, set)
	if err != nil {
		return nil, err
	}
	pools, its, err := kd.BuildNodePoolMap(e.Ctx, e.Client, e.Provider)
	if err != nil {
		return nil, err
	}
	var nodes []*state.StateNode
	for n := range e.Cluster.Nodes() {
		nodes = append(nodes, n)
	}
	first, ranked, cleared, err := deletioncost.RankNodes(e.Ctx, e.Client, e.Clock, nodes, pools, its)
	if err != nil {
		return nil, err
	}
	out := map[string]*int{}
	for _, n := range first {
		v := math.MinInt32
		out[n.Name()] = &v
	}
	for i, n := range ranked {
		v := deletioncost.RankForBC(i, len(ranked))
		out[n.Name()] = &v
	}
	for _, n := range cleared {
		out[n.Name()] = nil
	}
	return out, nil
}
