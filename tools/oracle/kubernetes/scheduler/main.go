// Command scheduler gives nodes with their pods, and a pod that waits, to kube-scheduler's own plugins in their default profile, and
// prints which nodes may take the pod and how each plugin scores them.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	"k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	schedulerframework "k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// Question is a cluster and a pod without a node. Objects are what else plugins look at: Namespaces, Services, ReplicaSets.
type Question struct {
	Name    string            `json:"name"`
	Nodes   []*v1.Node        `json:"nodes"`
	Pods    []*v1.Pod         `json:"pods"`
	Objects []json.RawMessage `json:"objects"`
	Pod     *v1.Pod           `json:"pod"`
}

// Answer has the plugin that refuses the pod, or else the weighed scores, for each node.
type Answer struct {
	Name    string                      `json:"name"`
	Refused map[string]string           `json:"refused"`
	Scores  map[string]map[string]int64 `json:"scores"`
}

func main() {
	metrics.Register()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		question := Question{}
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			panic(err)
		}
		written, err := json.Marshal(answer(question))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(written))
	}
}

func answer(question Question) Answer {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	profile, nodes := scheduler(ctx, question)
	result := Answer{question.Name, map[string]string{}, map[string]map[string]int64{}}
	state := schedulerframework.NewCycleState()
	only, status, _ := profile.RunPreFilterPlugins(ctx, state, question.Pod)
	open := []framework.NodeInfo{}
	for _, node := range nodes {
		name := node.Node().Name
		switch {
		case !status.IsSuccess():
			result.Refused[name] = status.Plugin()
		case !only.AllNodes() && !only.NodeNames.Has(name):
			result.Refused[name] = "PreFilter"
		default:
			if refused := profile.RunFilterPlugins(ctx, state, question.Pod, node); refused.IsSuccess() {
				open = append(open, node)
			} else {
				result.Refused[name] = refused.Plugin()
			}
		}
	}
	if len(open) == 0 {
		return result
	}
	must(profile.RunPreScorePlugins(ctx, state, question.Pod, open))
	scores, status := profile.RunScorePlugins(ctx, state, question.Pod, open)
	must(status)
	for _, node := range scores {
		of := map[string]int64{"total": node.TotalScore}
		for _, plugin := range node.Scores {
			of[plugin.Name] = plugin.Score
		}
		result.Scores[node.Name] = of
	}
	return result
}

// scheduler returns the default profile over the cluster of a question, and its nodes.
func scheduler(ctx context.Context, question Question) (schedulerframework.Framework, []framework.NodeInfo) {
	objects := []runtime.Object{}
	for _, node := range question.Nodes {
		objects = append(objects, node)
	}
	for _, raw := range question.Objects {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		check(err)
		objects = append(objects, object)
	}
	client := fake.NewSimpleClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	snapshot := cache.NewSnapshot(question.Pods, question.Nodes)
	config, err := latest.Default()
	check(err)
	resources := factory.Resource().V1()
	slices, err := tracker.StartTracker(ctx, tracker.Options{SliceInformer: resources.ResourceSlices(), KubeClient: client})
	check(err)
	claims := assumecache.NewAssumeCache(klog.Background(), resources.ResourceClaims().Informer(), "ResourceClaim", "", nil)
	profile, err := frameworkruntime.NewFramework(
		ctx, plugins.NewInTreeRegistry(), &config.Profiles[0],
		frameworkruntime.WithComponentConfigVersion(config.APIVersion),
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithSharedDRAManager(dynamicresources.NewDRAManager(ctx, claims, slices, factory)),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())),
	)
	check(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	nodes, err := snapshot.NodeInfos().List()
	check(err)
	return profile, nodes
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must(status *framework.Status) {
	if !status.IsSuccess() {
		panic(status.AsError())
	}
}
