// Package scenario reads a scenario file and builds from it the world that Karpenter's controllers see.
package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// Scenario is one scenario file. Objects stay raw until Build.
type Scenario struct {
	Name                    string                     `json:"name"`
	About                   string                     `json:"about,omitempty"`
	Rules                   []string                   `json:"rules,omitempty"`
	Now                     string                     `json:"now,omitempty"`
	Provider                string                     `json:"provider,omitempty"`
	Options                 Options                    `json:"options,omitempty"`
	InstanceTypes           json.RawMessage            `json:"instanceTypes,omitempty"`
	InstanceTypesByNodePool map[string]json.RawMessage `json:"instanceTypesByNodePool,omitempty"`
	NodePools               []json.RawMessage          `json:"nodePools,omitempty"`
	Objects                 []json.RawMessage          `json:"objects,omitempty"`
	// The objects of resource.k8s.io/v1; apiVersion and kind may be missing.
	DeviceClasses          []json.RawMessage `json:"deviceClasses,omitempty"`
	ResourceSlices         []json.RawMessage `json:"resourceSlices,omitempty"`
	ResourceClaims         []json.RawMessage `json:"resourceClaims,omitempty"`
	ResourceClaimTemplates []json.RawMessage `json:"resourceClaimTemplates,omitempty"`
	// GenerateClaims makes the claims that the cluster's controller makes from templates; true when missing.
	GenerateClaims    *bool               `json:"generateClaims,omitempty"`
	Pods              []PodGroup          `json:"pods,omitempty"`
	MarkedForDeletion []string            `json:"markedForDeletion,omitempty"`
	Symmetric         map[string][]string `json:"symmetric,omitempty"`
	// Candidates are nodes that disruption would remove: the answer is its simulation without them.
	Candidates []string `json:"candidates,omitempty"`
	// Initialize asks besides which NodeClaims Karpenter takes for initialised.
	Initialize bool `json:"initialize,omitempty"`
	// Extra keeps every other top-level field (a disruption scenario's own settings).
	Extra map[string]json.RawMessage `json:"-"`

	dir string
}

type Options struct {
	PreferencePolicy  string          `json:"preferencePolicy,omitempty"`
	MinValuesPolicy   string          `json:"minValuesPolicy,omitempty"`
	IgnoreDRARequests *bool           `json:"ignoreDRARequests,omitempty"`
	FeatureGates      map[string]bool `json:"featureGates,omitempty"`
	// SchedulerConfig is the value of --scheduler-config: an object, or a text with YAML in it.
	SchedulerConfig json.RawMessage `json:"schedulerConfig,omitempty"`
	// LegacyNodeRepair is --legacy-node-repair.
	LegacyNodeRepair bool `json:"legacyNodeRepair,omitempty"`
}

type PodGroup struct {
	Count *int            `json:"count,omitempty"`
	Pod   json.RawMessage `json:"pod"`
}

// Provider is what a cloud provider registers globally with Karpenter (vectors/providers.json).
type Provider struct {
	WellKnownLabels        []string            `json:"wellKnownLabels,omitempty"`
	WellKnownResources     []string            `json:"wellKnownResources,omitempty"`
	WellKnownValues        map[string][]string `json:"wellKnownValues,omitempty"`
	RestrictedLabelDomains []string            `json:"restrictedLabelDomains,omitempty"`
	NormalizedLabels       map[string]string   `json:"normalizedLabels,omitempty"`
	ReservationIDLabel     string              `json:"reservationIDLabel,omitempty"`
}

// InstanceType is the file form of a cloudprovider.InstanceType.
type InstanceType struct {
	Name         string                           `json:"name"`
	Requirements []corev1.NodeSelectorRequirement `json:"requirements"`
	Capacity     corev1.ResourceList              `json:"capacity"`
	Overhead     *Overhead                        `json:"overhead,omitempty"`
	Offerings    []Offering                       `json:"offerings"`
	// VolumeAttachmentLimits: CSI driver name -> number of volumes.
	VolumeAttachmentLimits map[string]int `json:"volumeAttachmentLimits,omitempty"`
	// DynamicResources: the devices that a future node of this type will have.
	DynamicResources *DynamicResources `json:"dynamicResources,omitempty"`
}

type Overhead struct {
	KubeReserved      corev1.ResourceList `json:"kubeReserved,omitempty"`
	SystemReserved    corev1.ResourceList `json:"systemReserved,omitempty"`
	EvictionThreshold corev1.ResourceList `json:"evictionThreshold,omitempty"`
}

type Offering struct {
	Requirements        []corev1.NodeSelectorRequirement `json:"requirements"`
	Price               float64                          `json:"price"`
	Available           bool                             `json:"available"`
	ReservationCapacity int                              `json:"reservationCapacity,omitempty"`
	CapacityOverride    corev1.ResourceList              `json:"capacityOverride,omitempty"`
	OverheadOverride    *Overhead                        `json:"overheadOverride,omitempty"`
}

// Load reads one scenario file.
func Load(path string) (*Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(data, filepath.Dir(path))
}

// Parse reads a scenario from bytes; dir is where relative type files are looked for (upwards).
func Parse(data []byte, dir string) (*Scenario, error) {
	s := &Scenario{dir: dir}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("parsing scenario, %w", err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	known := []string{"name", "about", "rules", "now", "provider", "options", "instanceTypes", "instanceTypesByNodePool", "nodePools", "objects", "pods", "markedForDeletion", "symmetric", "candidates", "initialize",
		"deviceClasses", "resourceSlices", "resourceClaims", "resourceClaimTemplates", "generateClaims"}
	for _, k := range known {
		delete(all, k)
	}
	s.Extra = all
	return s, nil
}

// Time is the scenario's clock; 2026-01-01T00:00:00Z when not given.
func (s *Scenario) Time() (time.Time, error) {
	if s.Now == "" {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), nil
	}
	return time.Parse(time.RFC3339, s.Now)
}

// find looks for a file that a scenario names: in $CUTLIST_VECTORS, then in dir and its parents, each with and without vectors/.
func (s *Scenario) find(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return "", err
	}
	if root := os.Getenv("CUTLIST_VECTORS"); root != "" {
		if p := filepath.Join(root, name); exists(p) {
			return p, nil
		}
	}
	for d := dir; ; d = filepath.Dir(d) {
		for _, mid := range []string{"", "vectors"} {
			if p := filepath.Join(d, mid, name); exists(p) {
				return p, nil
			}
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("file %q not found from %s upwards", name, s.dir)
		}
	}
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}

var typeFiles = map[string][]InstanceType{}

func (s *Scenario) readTypes(raw json.RawMessage) ([]InstanceType, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil, nil
	}
	if raw[0] != '"' {
		var list []InstanceType
		return list, json.Unmarshal(raw, &list)
	}
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return nil, err
	}
	path, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if list, ok := typeFiles[path]; ok {
		return list, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := ParseTypes(data)
	if err != nil {
		return nil, fmt.Errorf("parsing %s, %w", name, err)
	}
	typeFiles[path] = list
	return list, nil
}

// ParseTypes reads a list of instance types, or an object with the list under "instanceTypes".
func ParseTypes(data []byte) ([]InstanceType, error) {
	var list []InstanceType
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("{")) {
		obj := struct {
			InstanceTypes []InstanceType `json:"instanceTypes"`
		}{}
		err := json.Unmarshal(data, &obj)
		return obj.InstanceTypes, err
	}
	return list, json.Unmarshal(data, &list)
}

// providerData resolves the scenario's provider entry; the default is guessed from the type file's name.
func (s *Scenario) providerData() (Provider, error) {
	name := s.Provider
	if name == "" {
		name = "core"
		raws := []string{string(s.InstanceTypes)}
		for _, r := range s.InstanceTypesByNodePool {
			raws = append(raws, string(r))
		}
		for _, r := range raws {
			r = strings.Trim(strings.TrimSpace(r), `"`)
			base := filepath.Base(r)
			switch {
			case strings.HasPrefix(base, "aws"):
				name = "aws"
			case strings.HasPrefix(base, "kwok"):
				name = "kwok"
			case strings.HasPrefix(base, "assorted"), strings.HasPrefix(base, "fake"):
				name = "fake"
			case strings.HasPrefix(r, "types/"):
				name = "example"
			}
		}
	}
	path, err := s.find("providers.json")
	if err != nil {
		return Provider{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Provider{}, err
	}
	all := map[string]Provider{}
	if err := json.Unmarshal(data, &all); err != nil {
		return Provider{}, err
	}
	p, ok := all[name]
	if !ok {
		return Provider{}, fmt.Errorf("unknown provider %q", name)
	}
	return p, nil
}

func copyList(in corev1.ResourceList) corev1.ResourceList {
	out := corev1.ResourceList{}
	for k, v := range in {
		out[k] = v.DeepCopy()
	}
	return out
}

func (o *Overhead) convert() *cloudprovider.InstanceTypeOverhead {
	if o == nil {
		return nil
	}
	return &cloudprovider.InstanceTypeOverhead{
		KubeReserved:      copyList(o.KubeReserved),
		SystemReserved:    copyList(o.SystemReserved),
		EvictionThreshold: copyList(o.EvictionThreshold),
	}
}

// Convert makes Karpenter's instance types. Requirements are built by Karpenter's own constructor.
func Convert(list []InstanceType) []*cloudprovider.InstanceType {
	var out []*cloudprovider.InstanceType
	for _, t := range list {
		it := &cloudprovider.InstanceType{
			Name:         t.Name,
			Requirements: scheduling.NewNodeSelectorRequirements(t.Requirements...),
			Capacity:     copyList(t.Capacity),
			Overhead:     t.Overhead.convert(),
		}
		t.addNewer(it)
		if it.Overhead == nil {
			it.Overhead = &cloudprovider.InstanceTypeOverhead{}
		}
		if !it.Requirements.Has(corev1.LabelInstanceTypeStable) {
			it.Requirements.Add(scheduling.NewRequirement(corev1.LabelInstanceTypeStable, corev1.NodeSelectorOpIn, t.Name))
		}
		for _, o := range t.Offerings {
			of := &cloudprovider.Offering{
				Requirements:        scheduling.NewNodeSelectorRequirements(o.Requirements...),
				Price:               o.Price,
				Available:           o.Available,
				ReservationCapacity: o.ReservationCapacity,
				OverheadOverride:    o.OverheadOverride.convert(),
			}
			if len(o.CapacityOverride) > 0 {
				of.CapacityOverride = copyList(o.CapacityOverride)
			}
			it.Offerings = append(it.Offerings, of)
		}
		out = append(out, it)
	}
	return out
}

// File turns Karpenter's instance types into the file form.
func File(its []*cloudprovider.InstanceType) []InstanceType {
	var out []InstanceType
	for _, it := range its {
		t := InstanceType{Name: it.Name, Requirements: exprs(it.Requirements), Capacity: it.Capacity}
		if it.Overhead != nil {
			t.Overhead = &Overhead{KubeReserved: it.Overhead.KubeReserved, SystemReserved: it.Overhead.SystemReserved, EvictionThreshold: it.Overhead.EvictionThreshold}
		}
		for _, o := range it.Offerings {
			t.Offerings = append(t.Offerings, Offering{Requirements: exprs(o.Requirements), Price: o.Price, Available: o.Available, ReservationCapacity: o.ReservationCapacity})
		}
		out = append(out, t)
	}
	return out
}
