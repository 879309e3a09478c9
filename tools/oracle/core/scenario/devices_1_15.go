//go:build karpenter_1_15

package scenario

import (
	"fmt"
	"unique"

	resourcev1 "k8s.io/api/resource/v1"

	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// DynamicResources is the file form of an instance type's devices.
type DynamicResources struct {
	ResourceSliceTemplates []SliceTemplate    `json:"resourceSliceTemplates,omitempty"`
	AttributeBindings      []AttributeBinding `json:"attributeBindings,omitempty"`
}

// SliceTemplate is a ResourceSlice that a driver is expected to publish on a node of the type.
type SliceTemplate struct {
	Driver         string                  `json:"driver"`
	Pool           string                  `json:"pool"`
	Devices        []Device                `json:"devices,omitempty"`
	SharedCounters []resourcev1.CounterSet `json:"sharedCounters,omitempty"`
}

// Device is a device of a template. With a count n it stands for n devices name-0 to name-(n-1).
type Device struct {
	Name                     string                                                  `json:"name"`
	Count                    *int                                                    `json:"count,omitempty"`
	Attributes               map[resourcev1.QualifiedName]resourcev1.DeviceAttribute `json:"attributes,omitempty"`
	Capacity                 map[resourcev1.QualifiedName]resourcev1.DeviceCapacity  `json:"capacity,omitempty"`
	AllowMultipleAllocations bool                                                    `json:"allowMultipleAllocations,omitempty"`
	ConsumesCounters         []resourcev1.DeviceCounterConsumption                   `json:"consumesCounters,omitempty"`
}

// AttributeBinding says that devices will share the value of an attribute that is known only on the node.
type AttributeBinding struct {
	Attribute resourcev1.QualifiedName `json:"attribute"`
	Devices   []DeviceName             `json:"devices"`
}

type DeviceName struct {
	Driver string `json:"driver"`
	Pool   string `json:"pool"`
	Device string `json:"device"`
}

func (d *DynamicResources) convert() cloudprovider.DynamicResources {
	out := cloudprovider.DynamicResources{}
	if d == nil {
		return out
	}
	for _, t := range d.ResourceSliceTemplates {
		s := &cloudprovider.ResourceSliceTemplate{
			Driver:         unique.Make(t.Driver),
			Pool:           cloudprovider.ResourcePool{Name: unique.Make(t.Pool)},
			SharedCounters: t.SharedCounters,
		}
		for _, dev := range t.Devices {
			names := []string{dev.Name}
			if dev.Count != nil {
				names = nil
				for i := range *dev.Count {
					names = append(names, fmt.Sprintf("%s-%d", dev.Name, i))
				}
			}
			for _, name := range names {
				s.Devices = append(s.Devices, cloudprovider.Device{
					Name:                     unique.Make(name),
					Attributes:               dev.Attributes,
					Capacity:                 dev.Capacity,
					AllowMultipleAllocations: dev.AllowMultipleAllocations,
					ConsumesCounters:         dev.ConsumesCounters,
				})
			}
		}
		out.ResourceSliceTemplates = append(out.ResourceSliceTemplates, s)
	}
	for _, b := range d.AttributeBindings {
		x := &cloudprovider.AttributeBinding{Attribute: b.Attribute}
		for _, dev := range b.Devices {
			x.Devices = append(x.Devices, cloudprovider.DeviceID{Driver: unique.Make(dev.Driver), Pool: unique.Make(dev.Pool), Device: unique.Make(dev.Device)})
		}
		out.AttributeBindings = append(out.AttributeBindings, x)
	}
	return out
}
