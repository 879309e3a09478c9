//go:build karpenter_1_15

// devices prints the devices that Karpenter's AWS provider expects on its instance types, in the form of a scenario's dynamicResources.
//
//	devices                         both drivers, no sharing of GPUs
//	devices -mode memory            with the node class annotation for shared GPUs: memory, unlimited or a number of shares
//	devices -only g6.xlarge,...     these types alone
package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"sort"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/aws/karpenter-provider-aws/pkg/providers/drametadata"
	"github.com/aws/karpenter-provider-aws/pkg/providers/efadra"
	"github.com/aws/karpenter-provider-aws/pkg/providers/nvidiadra"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

type device struct {
	Name                     string                                                  `json:"name"`
	Attributes               map[resourcev1.QualifiedName]resourcev1.DeviceAttribute `json:"attributes,omitempty"`
	Capacity                 map[resourcev1.QualifiedName]resourcev1.DeviceCapacity  `json:"capacity,omitempty"`
	AllowMultipleAllocations bool                                                    `json:"allowMultipleAllocations,omitempty"`
}

type name struct {
	Driver string `json:"driver"`
	Pool   string `json:"pool"`
	Device string `json:"device"`
}

type slice struct {
	Driver  string   `json:"driver"`
	Pool    string   `json:"pool"`
	Devices []device `json:"devices"`
}

type binding struct {
	Attribute resourcev1.QualifiedName `json:"attribute"`
	Devices   []name                   `json:"devices"`
}

type resources struct {
	Templates []slice   `json:"resourceSliceTemplates"`
	Bindings  []binding `json:"attributeBindings,omitempty"`
}

func main() {
	mode := flag.String("mode", "", "value of the node class annotation for shared GPUs")
	only := flag.String("only", "", "instance types, separated by commas")
	flag.Parse()
	names := map[string]bool{}
	for n := range drametadata.GPUMetadataByInstanceType {
		names[n] = true
	}
	for n := range drametadata.EFAMetadataByInstanceType {
		names[n] = true
	}
	if *only != "" {
		names = map[string]bool{}
		for _, n := range strings.Split(*only, ",") {
			names[n] = true
		}
	}
	var types []*cloudprovider.InstanceType
	for n := range names {
		types = append(types, &cloudprovider.InstanceType{Name: n})
	}
	shared, err := nvidiadra.ParseConsumableCapacity(*mode)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	gpus := nvidiadra.NewDefaultProvider().ResolveDynamicResources(ctx, types, shared)
	nics := efadra.NewDefaultProvider().ResolveDynamicResources(ctx, types)
	out := map[string]resources{}
	for n := range names {
		r := resources{}
		for _, d := range []cloudprovider.DynamicResources{gpus[n], nics[n]} {
			r.add(d)
		}
		if len(r.Templates) > 0 {
			out[n] = r
		}
	}
	enc := json.NewEncoder(os.Stdout)
	if err := enc.Encode(out); err != nil {
		panic(err)
	}
}

func (r *resources) add(d cloudprovider.DynamicResources) {
	for _, t := range d.ResourceSliceTemplates {
		s := slice{Driver: t.Driver.Value(), Pool: t.Pool.Name.Value()}
		for _, x := range t.Devices {
			s.Devices = append(s.Devices, device{x.Name.Value(), x.Attributes, x.Capacity, x.AllowMultipleAllocations})
		}
		r.Templates = append(r.Templates, s)
	}
	for _, b := range d.AttributeBindings {
		x := binding{Attribute: b.Attribute}
		for _, id := range b.Devices {
			x.Devices = append(x.Devices, name{id.Driver.Value(), id.Pool.Value(), id.Device.Value()})
		}
		r.Bindings = append(r.Bindings, x)
	}
	sort.SliceStable(r.Bindings, func(i, j int) bool { return r.Bindings[i].Attribute < r.Bindings[j].Attribute })
}
