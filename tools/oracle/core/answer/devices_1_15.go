//go:build karpenter_1_15

package answer

import (
	"encoding/json"
	"reflect"
	"sort"
	"strings"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"

	"cutlist/oracle/scenario"
)

// deviceAnswer is the part of an answer that is about devices, and what tells two answers with devices apart.
type deviceAnswer struct {
	// Devices: what Karpenter allocated in this pass, by ResourceClaim.
	Devices map[string]*Allocated `json:"devices,omitempty"`
	// Initialized: the condition of each NodeClaim, with initialize.
	Initialized map[string]string `json:"initialized,omitempty"`
	// TextVaries: pods whose message was not the same in every run.
	TextVaries []string          `json:"textVaries,omitempty"`
	owners     map[string]string // claim made from a template -> its pod
}

// Device is one device given to one request.
type Device struct {
	Request string `json:"request"`
	Driver  string `json:"driver"`
	Pool    string `json:"pool"`
	Device  string `json:"device"`
	// Template: the device is one that a node of the type is expected to have.
	Template bool              `json:"template,omitempty"`
	Consumed map[string]string `json:"consumed,omitempty"`
}

// Allocated is what one ResourceClaim got in the pass.
type Allocated struct {
	// Node is the existing node, or ClaimOf the first pod of the NodeClaim, for which it was allocated.
	Node    string `json:"node,omitempty"`
	ClaimOf string `json:"claimOf,omitempty"`
	// NodeLocal: some device comes from a template, so that no other node may share the claim.
	NodeLocal    bool                `json:"nodeLocal,omitempty"`
	Requirements []Requirement       `json:"requirements,omitempty"`
	Devices      map[string][]Device `json:"devices"` // by instance type
}

// drivers are those of the annotation karpenter.sh/requested-dra-drivers.
func drivers(n *scheduler.NodeClaim) []string {
	if d := n.Annotations[v1.DRADriversAnnotationKey]; d != "" {
		return strings.Split(d, ",")
	}
	return nil
}

// addDevices writes what the pass allocated, and which NodeClaims count as started.
func (a *Answer) addDevices(w *scenario.World, s *scenario.Scenario, res scheduler.Results) (err error) {
	hosts := map[string]string{} // hostname placeholder -> first pod
	for _, n := range res.NewNodeClaims {
		hosts[hostname(n)] = sortedNames(n.Pods)[0]
	}
	a.Devices = allocated(res, hosts)
	a.owners = map[string]string{}
	for claim, pod := range w.MadeFor {
		a.owners[strings.TrimPrefix(claim, "default/")] = strings.TrimPrefix(pod, "default/")
	}
	if s.Initialize {
		a.Initialized, err = initialize(w)
	}
	return err
}

// hostname is the placeholder under which the allocator knows a NodeClaim; it is a private field of Karpenter's, read only here.
func hostname(n *scheduler.NodeClaim) string {
	return reflect.ValueOf(n).Elem().FieldByName("hostname").String()
}

func allocated(res scheduler.Results, hosts map[string]string) map[string]*Allocated {
	out := map[string]*Allocated{}
	nodes := map[string]string{}
	for _, e := range res.ExistingNodes {
		nodes[e.ProviderID()] = e.Name()
	}
	for id, meta := range res.DRAClaimAllocationMetadata {
		name := id.Name
		if id.Namespace != "default" {
			name = id.Namespace + "/" + name
		}
		x := &Allocated{NodeLocal: meta.UsedTemplateDevices, Requirements: Requirements(meta.TotalRequirements), Devices: map[string][]Device{}}
		on := meta.NodeClaimID.Value()
		if n, ok := nodes[on]; ok {
			x.Node = n
		} else {
			x.ClaimOf = hosts[on]
		}
		for it, list := range meta.Devices {
			for _, d := range list {
				dev := Device{Request: d.RequestName.String(), Driver: d.DeviceID.Driver.Value(), Pool: d.DeviceID.Pool.Value(), Device: d.DeviceID.Device.Value(), Template: d.DeviceID.Template}
				for k, q := range d.ConsumedCapacity {
					if dev.Consumed == nil {
						dev.Consumed = map[string]string{}
					}
					dev.Consumed[string(k)] = q.String()
				}
				x.Devices[it.Value()] = append(x.Devices[it.Value()], dev)
			}
		}
		out[name] = x
	}
	return out
}

// canonicalDevices is the text under which two allocations count as the same: claims made from templates count by their pod's entry.
func (a *Answer) canonicalDevices() []string {
	out := []string{}
	for name, x := range a.Devices {
		if pod, ok := a.owners[name]; ok {
			name = "made for " + a.group(pod)
		}
		b, _ := json.Marshal([]any{name, x.Node, a.group(x.ClaimOf), x.NodeLocal, x.Requirements, x.Devices})
		out = append(out, string(b))
	}
	sort.Strings(out)
	return out
}

// compareTexts notes the pods whose message differs in another run with the same outcome.
func (a *Answer) compareTexts(b *Answer) {
	varies := map[string]bool{}
	for _, p := range a.TextVaries {
		varies[p] = true
	}
	for p, text := range a.Errors {
		if other, ok := b.Errors[p]; ok && other != text && !varies[p] {
			a.TextVaries = append(a.TextVaries, p)
		}
	}
	sort.Strings(a.TextVaries)
}
