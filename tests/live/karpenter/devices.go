// What is added to the KWOK provider of Karpenter 1.15, which has no devices: an instance type of its file may have
// "dynamicResources", in the form of tools/oracle/core/FORMAT.md. A device without a count is one device.

package kwok

import (
	"fmt"
	"unique"

	resourcev1 "k8s.io/api/resource/v1"

	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

type deviceOptions struct {
	Name                     string                                                  `json:"name"`
	Count                    int                                                     `json:"count"`
	Attributes               map[resourcev1.QualifiedName]resourcev1.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourcev1.QualifiedName]resourcev1.DeviceCapacity  `json:"capacity"`
	AllowMultipleAllocations bool                                                    `json:"allowMultipleAllocations"`
	ConsumesCounters         []resourcev1.DeviceCounterConsumption                   `json:"consumesCounters"`
}

type sliceOptions struct {
	Driver         string                  `json:"driver"`
	Pool           string                  `json:"pool"`
	Devices        []deviceOptions         `json:"devices"`
	SharedCounters []resourcev1.CounterSet `json:"sharedCounters"`
}

type dynamicResourcesOptions struct {
	ResourceSliceTemplates []sliceOptions `json:"resourceSliceTemplates"`
}

func (o dynamicResourcesOptions) templates() cloudprovider.DynamicResources {
	resources := cloudprovider.DynamicResources{}
	for _, slice := range o.ResourceSliceTemplates {
		template := &cloudprovider.ResourceSliceTemplate{
			Driver:         unique.Make(slice.Driver),
			Pool:           cloudprovider.ResourcePool{Name: unique.Make(slice.Pool)},
			SharedCounters: slice.SharedCounters,
		}
		for _, device := range slice.Devices {
			for _, name := range device.names() {
				template.Devices = append(template.Devices, cloudprovider.Device{
					Name:                     unique.Make(name),
					Attributes:               device.Attributes,
					Capacity:                 device.Capacity,
					AllowMultipleAllocations: device.AllowMultipleAllocations,
					ConsumesCounters:         device.ConsumesCounters,
				})
			}
		}
		resources.ResourceSliceTemplates = append(resources.ResourceSliceTemplates, template)
	}
	return resources
}

func (o deviceOptions) names() []string {
	if o.Count == 0 {
		return []string{o.Name}
	}
	var names []string
	for number := range o.Count {
		names = append(names, fmt.Sprintf("%s-%d", o.Name, number))
	}
	return names
}
