package main

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apiservice "k8s.io/kubernetes/pkg/api/service"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
)

var strategies = map[string]rest.RESTCreateStrategy{
	"CronJob":                 cronjob.Strategy,
	"DaemonSet":               daemonset.Strategy,
	"Deployment":              deployment.Strategy,
	"DeviceClass":             deviceclass.Strategy,
	"HorizontalPodAutoscaler": horizontalpodautoscaler.Strategy,
	"Job":                     job.Strategy,
	"LimitRange":              limitrange.Strategy,
	"Namespace":               namespace.Strategy,
	"PersistentVolume":        persistentvolume.Strategy,
	"PersistentVolumeClaim":   persistentvolumeclaim.Strategy,
	"Pod":                     pod.Strategy,
	"PodDisruptionBudget":     poddisruptionbudget.Strategy,
	"PodTemplate":             podtemplate.Strategy,
	"PriorityClass":           priorityclass.Strategy,
	"ReplicaSet":              replicaset.Strategy,
	"ReplicationController":   replicationcontroller.Strategy,
	"ResourceClaimTemplate":   resourceclaimtemplate.NewStrategy(adminNamespaces{}),
	"ResourceQuota":           resourcequota.Strategy,
	"ResourceSlice":           resourceslice.Strategy,
	"RuntimeClass":            runtimeclass.Strategy,
	"Service":                 service.Strategy,
	"StatefulSet":             statefulset.Strategy,
	"StorageClass":            storageclass.Strategy,
}

// anyHealthPort stands in for the port that the API server allocates before it validates.
const anyHealthPort = 30000

type server struct {
	codecs serializer.CodecFactory
	strict runtime.Serializer
}

func newServer() server {
	codecs := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !ok {
		panic("no serializer of JSON")
	}
	return server{codecs, info.StrictSerializer}
}

// created returns an object as it would be stored, or why it would not be created. A panic of the API server's code is an error: it
// answers 500 to that.
func (s server) created(raw []byte) (stored runtime.Object, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	var head unstructured.Unstructured
	if err := json.Unmarshal(raw, &head.Object); err != nil {
		return nil, err
	}
	kind := schema.FromAPIVersionAndKind(head.GetAPIVersion(), head.GetKind())
	strategy := strategies[kind.Kind]
	if strategy == nil {
		strategy = ofVersion[kind.Kind]
	}
	if strategy == nil || !legacyscheme.Scheme.Recognizes(kind) {
		return nil, fmt.Errorf("no kind %s", kind)
	}
	internal := schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal}
	object, _, err := s.codecs.DecoderToVersion(s.strict, internal).Decode(raw, &kind, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	inNamespace := ""
	if strategy.NamespaceScoped() {
		if inNamespace = head.GetNamespace(); inNamespace == "" {
			inNamespace = "default"
		}
	}
	rest.FillObjectMetaSystemFields(accessor)
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		accessor.SetName(strategy.GenerateName(accessor.GetGenerateName()))
	}
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(inNamespace, accessor); err != nil {
		return nil, err
	}
	if service, ok := object.(*core.Service); ok {
		allocate(service)
	}
	return object, rest.BeforeCreate(strategy, requestOf(kind, inNamespace), object)
}

func requestOf(kind schema.GroupVersionKind, inNamespace string) context.Context {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return request.WithRequestInfo(request.WithNamespace(context.Background(), inNamespace), &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", APIGroup: kind.Group, APIVersion: kind.Version,
		Resource: plural.Resource, Namespace: inNamespace,
	})
}

// allocate fills in what the API server gives a Service before it validates it.
func allocate(service *core.Service) {
	if service.Spec.ClusterIP != "" && len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIPs = []string{service.Spec.ClusterIP}
	}
	if apiservice.NeedsHealthCheck(service) && service.Spec.HealthCheckNodePort == 0 {
		service.Spec.HealthCheckNodePort = anyHealthPort
	}
}
