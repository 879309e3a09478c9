package disruption

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	kd "sigs.k8s.io/karpenter/pkg/controllers/disruption"
	claimdisruption "sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/podevents"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/state/cost"

	"cutlist/oracle/scenario"
)

// Methods in the order of Karpenter's loop.
var Methods = []string{"emptiness", "staticDrift", "drift", "multi", "single"}

var reasonsOfAll = []v1.DisruptionReason{v1.DisruptionReasonEmpty, v1.DisruptionReasonDrifted, v1.DisruptionReasonUnderutilized}

// Recorder keeps every event.
type Recorder struct {
	mu  sync.Mutex
	all []events.Event
}

func (r *Recorder) Publish(evs ...events.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, evs...)
}

func (r *Recorder) take() []events.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.all
	r.all = nil
	return out
}

// provider answers drift and repair policies from the settings.
type provider struct {
	cloudprovider.CloudProvider
	drift map[string]string
}

func (p *provider) IsDrifted(_ context.Context, nc *v1.NodeClaim) (cloudprovider.DriftReason, error) {
	return cloudprovider.DriftReason(p.drift[nc.Status.NodeName]), nil
}

// Env is a world with Karpenter's disruption controllers on it.
type Env struct {
	*scenario.World
	Set        Settings
	Recorder   *Recorder
	Provider   *provider
	Prov       *provisioning.Provisioner
	Queue      *kd.Queue
	Cost       *cost.ClusterCost
	Methods    map[string]kd.Method
	Controller *kd.Controller
	conditions *claimdisruption.Controller
	hashes     map[string]string
	during     *During
	known      map[string]bool // NodeClaims of the scenario itself
	newSingle  func() *kd.SingleNodeConsolidation
	memory
	// Canonical breaks ties by name: candidates are handed over sorted, which Karpenter's sort then keeps.
	Canonical bool
}

// ReadSettings takes the part "disruption" of a scenario.
func ReadSettings(s *scenario.Scenario) (Settings, error) {
	var set Settings
	raw, ok := s.Extra["disruption"]
	if !ok {
		return set, nil
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&set); err != nil {
		return set, fmt.Errorf("reading disruption settings, %w", err)
	}
	return set, set.refuseNewer()
}

type validator struct {
	kd.Validator
	env *Env
}

func (v validator) Validate(ctx context.Context, cmd kd.Command, _ time.Duration) (kd.Command, error) {
	if ch := v.env.during; ch != nil {
		v.env.during = nil
		delay := validationDelay
		if ch.Delay != "" {
			var err error
			if delay, err = time.ParseDuration(ch.Delay); err != nil {
				return kd.Command{}, err
			}
		}
		v.env.Clock.Step(delay)
		if err := v.env.Change(ch.Change); err != nil {
			return kd.Command{}, err
		}
	}
	return v.Validator.Validate(ctx, cmd, 0)
}

// New builds the world of a scenario and prepares it as the settings say.
func New(s *scenario.Scenario, set Settings) (*Env, error) {
	w, err := s.Build()
	if err != nil {
		return nil, err
	}
	w.Client = newCached(keepEmptyReasons(w.Client, s.NodePools))
	e := &Env{World: w, Set: set, Recorder: &Recorder{}, hashes: map[string]string{}, during: set.During}
	e.Provider = &provider{CloudProvider: w.CloudProvider, drift: set.ProviderDrift}
	e.Prov = w.NewProvisioner(w.Client, e.Recorder, e.Provider)
	e.Queue = kd.NewQueue(w.Client, e.Recorder, w.Cluster, w.Clock, e.Prov)
	e.Cost = cost.NewClusterCost(w.Ctx, e.Provider, w.Client)
	claims := &v1.NodeClaimList{}
	if err := w.Client.List(w.Ctx, claims); err != nil {
		return nil, err
	}
	e.known = map[string]bool{}
	for i := range claims.Items {
		_ = e.Cost.UpdateNodeClaim(w.Ctx, &claims.Items[i])
		e.known[claims.Items[i].Name] = true
	}
	c := kd.MakeConsolidation(w.Clock, w.Cluster, w.Client, e.Prov, e.Provider, e.Recorder, e.Queue)
	e.Methods = map[string]kd.Method{
		"emptiness":   kd.NewEmptiness(c, kd.WithValidator(validator{kd.NewEmptinessValidator(c), e})),
		"staticDrift": newStaticDrift(e),
		"drift":       kd.NewDrift(w.Client, w.Cluster, e.Prov, e.Recorder, w.Clock),
		"multi":       kd.NewMultiNodeConsolidation(c, kd.WithValidator(validator{kd.NewMultiConsolidationValidator(c), e})),
		"single":      kd.NewSingleNodeConsolidation(c, kd.WithValidator(validator{kd.NewSingleConsolidationValidator(c), e})),
	}
	e.newSingle = func() *kd.SingleNodeConsolidation {
		return kd.NewSingleNodeConsolidation(c, kd.WithValidator(validator{kd.NewSingleConsolidationValidator(c), e}))
	}
	e.addRepair()
	var list []kd.Method
	for _, m := range e.methods() {
		list = append(list, e.Methods[m])
	}
	e.Controller = newController(e, list)
	e.conditions = claimdisruption.NewController(w.Clock, w.Client, e.Provider)
	if err := e.stamp(); err != nil {
		return nil, err
	}
	for _, ref := range set.PodEvents {
		ns, name, _ := strings.Cut(ref, "/")
		p := &corev1.Pod{}
		if err := w.Client.Get(w.Ctx, types.NamespacedName{Namespace: ns, Name: name}, p); err != nil {
			return nil, err
		}
		if _, err := podevents.NewController(w.Clock, w.Client, e.Provider).Reconcile(w.Ctx, p); err != nil {
			return nil, err
		}
	}
	if err := e.mark(set.Marked); err != nil {
		return nil, err
	}
	now := w.Clock.Now()
	for name, at := range set.Nominated {
		t, err := time.Parse(time.RFC3339, at)
		if err != nil {
			return nil, err
		}
		id, err := e.providerID(name)
		if err != nil {
			return nil, err
		}
		w.Clock.SetTime(t)
		w.Cluster.NominateNodeForPod(w.Ctx, id)
	}
	w.Clock.SetTime(now)
	for _, name := range set.Queued {
		id, err := e.providerID(name)
		if err != nil {
			return nil, err
		}
		e.Queue.ProviderIDToCommand[id] = &kd.Command{}
	}
	if len(set.BufferPods) > 0 {
		counts := map[string]int{}
		for name, n := range set.BufferPods {
			id, err := e.providerID(name)
			if err != nil {
				return nil, err
			}
			counts[id] = n
		}
		w.Cluster.UpdateBufferPodCounts(counts)
	}
	if len(set.PreviousNodePools) > 0 || set.StampPools || len(set.PodEvents) > 0 { // otherwise the state is as built
		if err := e.refresh(); err != nil {
			return nil, err
		}
	}
	if err := e.rememberReboots(); err != nil {
		return nil, err
	}
	w.Cluster.MarkUnconsolidated()
	return e, nil
}

func (e *Env) providerID(node string) (string, error) {
	for n := range e.Cluster.Nodes() {
		if n.Name() == node {
			return n.ProviderID(), nil
		}
	}
	return "", fmt.Errorf("node %q is not in the cluster state", node)
}

func (e *Env) mark(names []string) error {
	for _, name := range names {
		id, err := e.providerID(name)
		if err != nil {
			return err
		}
		e.Cluster.MarkForDeletion(id)
	}
	return nil
}

// stamp writes hashes as Karpenter's hash controller does.
func (e *Env) stamp() error {
	pools := &v1.NodePoolList{}
	if err := e.Client.List(e.Ctx, pools); err != nil {
		return err
	}
	for i := range pools.Items {
		e.hashes[pools.Items[i].Name] = pools.Items[i].Hash()
	}
	if len(e.Set.PreviousNodePools) == 0 && !e.Set.StampPools {
		return nil
	}
	for i := range pools.Items {
		np := &pools.Items[i]
		if np.Annotations == nil {
			np.Annotations = map[string]string{}
		}
		np.Annotations[v1.NodePoolHashAnnotationKey] = np.Hash()
		np.Annotations[v1.NodePoolHashVersionAnnotationKey] = v1.NodePoolHashVersion
		if err := e.Client.Update(e.Ctx, np); err != nil {
			return err
		}
	}
	for _, raw := range e.Set.PreviousNodePools {
		old := &v1.NodePool{}
		if err := json.Unmarshal(raw, old); err != nil {
			return err
		}
		claims := &v1.NodeClaimList{}
		if err := e.Client.List(e.Ctx, claims, client.MatchingLabels{v1.NodePoolLabelKey: old.Name}); err != nil {
			return err
		}
		for i := range claims.Items {
			nc := &claims.Items[i]
			if nc.Annotations == nil {
				nc.Annotations = map[string]string{}
			}
			nc.Annotations[v1.NodePoolHashAnnotationKey] = old.Hash()
			nc.Annotations[v1.NodePoolHashVersionAnnotationKey] = v1.NodePoolHashVersion
			if err := e.Client.Update(e.Ctx, nc); err != nil {
				return err
			}
		}
	}
	return nil
}

// refresh hands the present objects to the cluster state (claims first, then nodes, then pods).
func (e *Env) refresh() error {
	claims, nodes, pods := &v1.NodeClaimList{}, &corev1.NodeList{}, &corev1.PodList{}
	for _, l := range []client.ObjectList{claims, nodes, pods} {
		if err := e.Client.List(e.Ctx, l); err != nil {
			return err
		}
	}
	for i := range claims.Items {
		e.Cluster.UpdateNodeClaim(&claims.Items[i])
		_ = e.Cost.UpdateNodeClaim(e.Ctx, &claims.Items[i])
	}
	for i := range nodes.Items {
		if err := e.Cluster.UpdateNode(e.Ctx, &nodes.Items[i]); err != nil {
			return err
		}
	}
	for i := range pods.Items {
		if err := client.IgnoreNotFound(e.Cluster.UpdatePod(e.Ctx, &pods.Items[i])); err != nil {
			return err
		}
	}
	return nil
}
