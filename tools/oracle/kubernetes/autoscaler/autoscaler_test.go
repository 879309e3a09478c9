package autoscaler

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	scalefake "k8s.io/client-go/scale/fake"
	core "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// Step is the state of the workload's pods at an instant, in milliseconds since the start. Usage is in thousandths: what all ready
// pods use together of a metric of pods, or the value of another one. A metric that is missing cannot be read.
type Step struct {
	At      int64            `json:"at"`
	Ready   int              `json:"ready"`
	Unready int              `json:"unready"`
	Missing int              `json:"missing"`
	Usage   map[string]int64 `json:"usage"`
}

// Question is an autoscaler, what each pod requests, the replicas to begin with, and the steps.
type Question struct {
	Name     string                                    `json:"name"`
	Spec     autoscalingv2.HorizontalPodAutoscalerSpec `json:"spec"`
	Requests v1.ResourceList                           `json:"requests"`
	Replicas int32                                     `json:"replicas"`
	Steps    []Step                                    `json:"steps"`
}

// Answer has the replicas after each step.
type Answer struct {
	Name     string  `json:"name"`
	Replicas []int32 `json:"replicas"`
}

func TestQuestions(t *testing.T) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		question := Question{}
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			t.Fatal(err)
		}
		asked := ask(question) // with goroutines of its own, which have the machine's clock
		synctest.Test(t, func(t *testing.T) {
			written, err := json.Marshal(asked.answer(t.Context()))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(string(written))
		})
	}
}

// asked is a question with a controller of its own.
type asked struct {
	Question
	autoscaler *autoscalingv2.HorizontalPodAutoscaler
	controller *podautoscaler.HorizontalController
	pods       cache.Indexer
	metrics    *metrics
	replicas   int32
}

func ask(question Question) *asked {
	a := &asked{Question: question, metrics: &metrics{}, replicas: question.Replicas}
	a.autoscaler = &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}, Spec: question.Spec,
	}
	defaults.SetDefaults_HorizontalPodAutoscaler(a.autoscaler)
	client := fake.NewClientset(a.autoscaler)
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	a.pods = pods.Informer().GetIndexer()
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "deployments", func(core.Action) (bool, runtime.Object, error) {
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Name: question.Spec.ScaleTargetRef.Name, Namespace: "default"},
			Spec:       autoscalingv1.ScaleSpec{Replicas: a.replicas},
			Status:     autoscalingv1.ScaleStatus{Replicas: int32(len(a.pods.List())), Selector: "app=a"},
		}, nil
	})
	scales.AddReactor("update", "deployments", func(action core.Action) (bool, runtime.Object, error) {
		scale := action.(core.UpdateAction).GetObject().(*autoscalingv1.Scale)
		a.replicas = scale.Spec.Replicas
		return true, scale, nil
	})
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	mapper := apimeta.NewDefaultRESTMapper([]schema.GroupVersion{apps})
	mapper.Add(apps.WithKind("Deployment"), apimeta.RESTScopeNamespace)
	a.controller = podautoscaler.NewHorizontalController(
		context.Background(), client.CoreV1(), scales, client.AutoscalingV2(), mapper, a.metrics,
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), pods,
		15*time.Second, 5*time.Minute, 0.1, 5*time.Minute, 30*time.Second, // the defaults of kube-controller-manager
	)
	return a
}

func (a *asked) answer(ctx context.Context) Answer {
	start, result := time.Now(), Answer{Name: a.Name, Replicas: []int32{}}
	for _, step := range a.Steps {
		time.Sleep(time.Until(start.Add(time.Duration(step.At) * time.Millisecond)))
		list := []any{}
		for i := range step.Ready + step.Unready + step.Missing {
			list = append(list, pod(i, step, a.Requests))
		}
		if err := a.pods.Replace(list, ""); err != nil {
			panic(err)
		}
		a.metrics.step = step
		if err := reconcile(a.controller, ctx, a.autoscaler, "default/a"); err != nil && os.Getenv("CAUSES") != "" {
			fmt.Fprintln(os.Stderr, a.Name, step.At, err)
		}
		result.Replicas = append(result.Replicas, a.replicas)
	}
	return result
}

func pod(number int, step Step, requests v1.ResourceList) *v1.Pod {
	started := metav1.NewTime(time.Now().Add(-time.Hour))
	phase, ready := v1.PodRunning, v1.ConditionTrue
	switch {
	case number >= step.Ready+step.Unready:
		ready = v1.ConditionFalse
	case number >= step.Ready:
		phase, ready = v1.PodPending, v1.ConditionFalse
	}
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name(number), Namespace: "default", Labels: map[string]string{"app": "a"}},
		Spec:       v1.PodSpec{Containers: []v1.Container{{Name: "main", Resources: v1.ResourceRequirements{Requests: requests}}}},
		Status: v1.PodStatus{Phase: phase, StartTime: &started, Conditions: []v1.PodCondition{
			{Type: v1.PodReady, Status: ready, LastTransitionTime: started},
		}},
	}
}

func name(number int) string { return fmt.Sprintf("a-%d", number) }

// metrics answers with those of the current step.
type metrics struct{ step Step }

func (m *metrics) value(name string) (int64, error) {
	if value, known := m.step.Usage[name]; known {
		return value, nil
	}
	return 0, fmt.Errorf("no metric %s", name)
}

// ofPods divides the use among the ready pods; the first ones have a thousandth more where it does not divide evenly.
func (m *metrics) ofPods(metric string) (metricsclient.PodMetricsInfo, time.Time, error) {
	usage, err := m.value(metric)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, ready := metricsclient.PodMetricsInfo{}, int64(m.step.Ready)
	for i := range ready {
		share := usage / ready
		if i < usage%ready {
			share++
		}
		info[name(int(i))] = metricsclient.PodMetric{Timestamp: time.Now(), Window: time.Minute, Value: share}
	}
	return info, time.Now(), nil
}

func (m *metrics) GetResourceMetric(_ context.Context, resource v1.ResourceName, _ string, _ labels.Selector, _ string) (metricsclient.PodMetricsInfo, time.Time, error) {
	return m.ofPods(string(resource))
}

func (m *metrics) GetRawMetric(metric, _ string, _, _ labels.Selector) (metricsclient.PodMetricsInfo, time.Time, error) {
	return m.ofPods(metric)
}

func (m *metrics) GetObjectMetric(metric, _ string, _ *autoscalingv2.CrossVersionObjectReference, _ labels.Selector) (int64, time.Time, error) {
	value, err := m.value(metric)
	return value, time.Now(), err
}

func (m *metrics) GetExternalMetric(metric, _ string, _ labels.Selector) ([]int64, time.Time, error) {
	value, err := m.value(metric)
	return []int64{value}, time.Now(), err
}
