// Command sizes reads a location's sizes and AKSNodeClasses as JSON, and prints what Karpenter's Azure provider makes of each size
// under each class: labels, capacity, what pods may use, offerings, and whether its OS disk is ephemeral; and each class's hash.
//
// It asks no cloud: the sizes are the input's, and prices are those that the provider was built with.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v7"
	"github.com/Azure/azure-sdk-for-go/services/compute/mgmt/2022-08-01/compute"
	"github.com/Azure/skewer"
	"github.com/patrickmn/go-cache"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"

	"github.com/Azure/karpenter-provider-azure/pkg/apis/v1beta1"
	"github.com/Azure/karpenter-provider-azure/pkg/auth"
	kcache "github.com/Azure/karpenter-provider-azure/pkg/cache"
	"github.com/Azure/karpenter-provider-azure/pkg/operator/options"
	"github.com/Azure/karpenter-provider-azure/pkg/providers/instancetype"
	"github.com/Azure/karpenter-provider-azure/pkg/providers/pricing"
)

// Question is the input. Plugin and Mode are those of the network, RG is the resource group of the nodes.
type Question struct {
	Region           string
	Skus             []compute.ResourceSku
	Classes          map[string]json.RawMessage
	Plugin, Mode, RG string
}

// Row is what a size is under a class.
type Row struct {
	Requirements map[string][]string `json:"req"`
	Capacity     map[string]string   `json:"cap"`
	Allocatable  map[string]string   `json:"alloc"`
	Offerings    []string            `json:"offers"`
	Ephemeral    bool                `json:"eph"`
	EphemeralMax int64               `json:"ephmax"`
}

func main() {
	log.SetFlags(0)
	if err := run(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(in io.Reader, out io.Writer) error {
	var asked Question
	if err := json.NewDecoder(in).Decode(&asked); err != nil {
		return fmt.Errorf("the question cannot be read: %w", err)
	}
	ctx := options.ToContext(context.Background(), &options.Options{
		VMMemoryOverheadPercent: 0.075,
		NetworkPlugin:           asked.Plugin,
		NetworkPluginMode:       asked.Mode,
		NodeResourceGroup:       asked.RG,
	})
	provider, err := providerOf(ctx, asked)
	if err != nil {
		return err
	}
	answers := map[string]any{}
	for name, raw := range asked.Classes {
		class, err := classOf(raw)
		if err != nil {
			return fmt.Errorf("class %s: %w", name, err)
		}
		rows, err := rowsOf(ctx, provider, class)
		if err != nil {
			return fmt.Errorf("class %s: %w", name, err)
		}
		answers[name] = rows
		answers["#"+name] = map[string]string{"hash": class.Hash()}
	}
	return json.NewEncoder(out).Encode(answers)
}

func providerOf(ctx context.Context, asked Question) (*instancetype.DefaultProvider, error) {
	// Only in the public cloud does the provider read prices from the network.
	env := &auth.Environment{}
	env.Cloud = cloud.AzureGovernment
	prices := pricing.NewProvider(ctx, env, nil, asked.Region, make(chan struct{}))
	provider := instancetype.NewDefaultProvider(
		asked.Region,
		cache.New(time.Hour, time.Hour),
		skus(asked.Skus),
		prices,
		kcache.NewUnavailableOfferings(),
		allQuota{},
	)
	return provider, provider.UpdateInstanceTypes(ctx)
}

// classOf returns a class with the defaults that an API server fills in.
func classOf(raw json.RawMessage) (*v1beta1.AKSNodeClass, error) {
	class := &v1beta1.AKSNodeClass{}
	if err := json.Unmarshal(raw, class); err != nil {
		return nil, err
	}
	if class.Spec.OSDiskSizeGB == nil {
		class.Spec.OSDiskSizeGB = pointer(int32(128))
	}
	if class.Spec.ImageFamily == nil {
		class.Spec.ImageFamily = pointer("Ubuntu")
	}
	return class, nil
}

func rowsOf(ctx context.Context, provider *instancetype.DefaultProvider, class *v1beta1.AKSNodeClass) (map[string]Row, error) {
	types, err := provider.List(ctx, class)
	if err != nil {
		return nil, err
	}
	rows := map[string]Row{}
	for _, t := range types {
		sku, err := provider.Get(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		largest, _ := instancetype.FindMaxEphemeralSizeGBAndPlacement(sku)
		rows[t.Name] = Row{
			Requirements: requirements(t),
			Capacity:     amounts(t.Capacity),
			Allocatable:  amounts(t.Allocatable()),
			Offerings:    offerings(t),
			Ephemeral:    instancetype.UseEphemeralDisk(sku, class),
			EphemeralMax: largest,
		}
	}
	return rows, nil
}

func requirements(t *cloudprovider.InstanceType) map[string][]string {
	found := map[string][]string{}
	for key, requirement := range t.Requirements {
		values := requirement.Values()
		slices.Sort(values)
		found[key] = values
	}
	return found
}

func amounts(list corev1.ResourceList) map[string]string {
	found := map[string]string{}
	for name, amount := range list {
		found[string(name)] = amount.AsDec().String()
	}
	return found
}

// offerings returns zone, capacity type, availability and price of each offering.
func offerings(t *cloudprovider.InstanceType) []string {
	found := []string{}
	for _, o := range t.Offerings {
		zone := o.Requirements.Get(corev1.LabelTopologyZone).Any()
		capacityType := o.Requirements.Get("karpenter.sh/capacity-type").Any()
		found = append(found, fmt.Sprintf("%s/%s/%v/%g", zone, capacityType, o.Available, o.Price))
	}
	slices.Sort(found)
	return found
}

func pointer[T any](value T) *T { return &value }

// skus is a service that lists the sizes of the question.
type skus []compute.ResourceSku

func (s skus) ListComplete(ctx context.Context, _, _ string) (compute.ResourceSkusResultIterator, error) {
	sizes := []compute.ResourceSku(s)
	last := func(context.Context, compute.ResourceSkusResult) (compute.ResourceSkusResult, error) {
		return compute.ResourceSkusResult{}, nil
	}
	return compute.NewResourceSkusResultIterator(compute.NewResourceSkusResultPage(compute.ResourceSkusResult{Value: &sizes}, last)), nil
}

// allQuota is a quota that has room for every size.
type allQuota struct{}

func (allQuota) Update(context.Context) error                     { return nil }
func (allQuota) GetUsage(string) (bool, *armcompute.Usage)        { return false, nil }
func (allQuota) GetTotalRegionalUsage() (bool, *armcompute.Usage) { return false, nil }
func (allQuota) HasQuotaFor(context.Context, *skewer.SKU) bool    { return true }
func (allQuota) SeqNum() uint64                                   { return 0 }
func (allQuota) Reset()                                           {}
