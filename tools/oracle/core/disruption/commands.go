package disruption

import (
	"encoding/json"
	"math"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	kd "sigs.k8s.io/karpenter/pkg/controllers/disruption"
	pscheduling "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/events"
)

func objectName(o any) string {
	obj, ok := o.(client.Object)
	if !ok || obj == nil {
		return "?"
	}
	kind := "?"
	if gvk, err := apiutil.GVKForObject(obj, scheme.Scheme); err == nil {
		kind = gvk.Kind
	}
	if acc, err := meta.Accessor(obj); err == nil && acc.GetNamespace() != "" {
		return kind + "/" + acc.GetNamespace() + "/" + acc.GetName()
	}
	return kind + "/" + obj.GetName()
}

// plain turns events into a sorted list without repeats; a NodeClaim's copy of its Node's event is left out.
func plain(evs []events.Event) []Event {
	seen := map[Event]bool{}
	node := map[Event]bool{}
	var out []Event
	for _, ev := range evs {
		x := Event{Object: objectName(ev.InvolvedObject), Reason: ev.Reason, Message: ev.Message}
		if strings.HasPrefix(x.Object, "Node/") {
			node[Event{Object: strings.TrimPrefix(x.Object, "Node/"), Reason: x.Reason, Message: x.Message}] = true
		}
	}
	for _, ev := range evs {
		x := Event{Object: objectName(ev.InvolvedObject), Reason: ev.Reason, Message: ev.Message}
		if nc, ok := ev.InvolvedObject.(*v1.NodeClaim); ok && node[Event{Object: nc.Status.NodeName, Reason: x.Reason, Message: x.Message}] {
			continue
		}
		if !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Object != out[j].Object {
			return out[i].Object < out[j].Object
		}
		if out[i].Reason != out[j].Reason {
			return out[i].Reason < out[j].Reason
		}
		return out[i].Message < out[j].Message
	})
	return out
}

func round(f float64) float64 {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return f
	}
	return math.Round(f*1e10) / 1e10
}

func podKey(p *corev1.Pod) string { return p.Namespace + "/" + p.Name }

func podKeys(pods []*corev1.Pod) []string {
	out := []string{}
	for _, p := range pods {
		out = append(out, podKey(p))
	}
	sort.Slice(out, func(i, j int) bool { return natural(out[i], out[j]) })
	return out
}

// natural compares with numbers read as numbers.
func natural(a, b string) bool {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			x, y := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if len(x) != len(y) {
				return len(x) < len(y)
			}
			if x != y {
				return x < y
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return len(a) < len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func (e *Env) command(cmd kd.Command, reason v1.DisruptionReason) Command {
	c := Command{Decision: string(cmd.Decision()), Reason: string(reason), Nodes: []string{}, Savings: round(cmd.EstimatedSavings())}
	c.addNewer(cmd)
	c.Text = strings.Replace(cmd.String(), "/00000000-0000-0000-0000-000000000000", "", 1)
	for _, cd := range cmd.Candidates {
		c.Nodes = append(c.Nodes, cd.Name())
	}
	sort.Slice(c.Nodes, func(i, j int) bool { return natural(c.Nodes[i], c.Nodes[j]) })
	for _, r := range cmd.Replacements {
		x := Replacement{NodePool: r.NodePoolName, Pods: podKeys(r.Pods), InstanceTypes: []string{}, Prices: []*float64{}, Requirements: []json.RawMessage{}}
		reqs := r.Requirements.NodeSelectorRequirements()
		sort.SliceStable(reqs, func(i, j int) bool {
			if reqs[i].Key != reqs[j].Key {
				return reqs[i].Key < reqs[j].Key
			}
			return reqs[i].Operator < reqs[j].Operator
		})
		for _, q := range reqs {
			switch q.Key {
			case corev1.LabelHostname, v1.NodeRegisteredLabelKey, v1.NodeInitializedLabelKey:
				continue
			}
			sort.Strings(q.Values)
			raw, _ := json.Marshal(q)
			x.Requirements = append(x.Requirements, raw)
		}
		if len(r.Spec.Resources.Requests) > 0 {
			x.Requests = map[string]string{}
			for k, v := range r.Spec.Resources.Requests {
				x.Requests[string(k)] = v.String()
			}
		}
		type entry struct {
			name  string
			price float64
		}
		var list []entry
		for _, it := range r.InstanceTypeOptions {
			p := math.Inf(1)
			if ofs := launchable(it.Offerings).Compatible(r.Requirements); len(ofs) > 0 {
				p = round(ofs.Cheapest().Price)
			}
			list = append(list, entry{it.Name, p})
		}
		for i := 0; i < len(list); {
			j := i
			for j < len(list) && list[j].price == list[i].price {
				j++
			}
			sort.Slice(list[i:j], func(a, b int) bool { return list[i+a].name < list[i+b].name })
			i = j
		}
		var stubs []*cloudprovider.InstanceType
		for _, l := range list {
			stubs = append(stubs, &cloudprovider.InstanceType{Name: l.name})
		}
		x.List = pscheduling.InstanceTypeList(stubs)
		for _, l := range list {
			x.InstanceTypes = append(x.InstanceTypes, l.name)
			if math.IsInf(l.price, 0) {
				x.Prices = append(x.Prices, nil)
			} else {
				p := l.price
				x.Prices = append(x.Prices, &p)
			}
		}
		c.Replacements = append(c.Replacements, x)
	}
	sort.SliceStable(c.Replacements, func(i, j int) bool {
		a, b := c.Replacements[i].Pods, c.Replacements[j].Pods
		return len(a) > 0 && (len(b) == 0 || natural(a[0], b[0]))
	})
	for _, n := range cmd.Results.ExistingNodes {
		if len(n.Pods) > 0 {
			if c.Moves == nil {
				c.Moves = map[string][]string{}
			}
			c.Moves[n.Name()] = podKeys(n.Pods)
		}
	}
	for p, err := range cmd.Results.PodErrors {
		if c.PodErrors == nil {
			c.PodErrors = map[string]string{}
		}
		c.PodErrors[podKey(p)] = err.Error()
	}
	return c
}

func (a *Answer) addPodEvent(ev Event) {
	name := strings.TrimPrefix(ev.Object, "Pod/")
	text := ev.Reason + ": " + ev.Message
	for _, t := range a.PodEvents[name] {
		if t == text {
			return
		}
	}
	if a.PodEvents == nil {
		a.PodEvents = map[string][]string{}
	}
	a.PodEvents[name] = append(a.PodEvents[name], text)
}

func (a *Answer) addPoolEvent(ev Event) {
	name := strings.TrimPrefix(ev.Object, "NodePool/")
	for _, t := range a.PoolEvents[name] {
		if t == ev.Message {
			return
		}
	}
	if a.PoolEvents == nil {
		a.PoolEvents = map[string][]string{}
	}
	a.PoolEvents[name] = append(a.PoolEvents[name], ev.Message)
}
