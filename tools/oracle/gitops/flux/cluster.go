package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	generator "github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/ssa/normalize"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"cutlist/oracle-gitops/objects"
)

// Part is what became of a Kustomization or a HelmRelease.
type Part struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Result string `json:"result"` // applied, rendered, failed, waiting, suspended, elsewhere, no-chart
	Error  string `json:"error,omitempty"`

	Chart       *ChartRef      `json:"chart,omitempty"`
	ReleaseName string         `json:"releaseName,omitempty"`
	Namespace   string         `json:"namespace,omitempty"`
	Values      map[string]any `json:"values,omitempty"`
}

// Cluster is the answer for a cluster.
type Cluster struct {
	Kustomizations []Part           `json:"kustomizations"`
	Releases       []Part           `json:"releases"`
	Objects        []objects.Object `json:"objects"`
}

type key struct{ group, kind, namespace, name string }

func keyOf(u *unstructured.Unstructured) key {
	return key{u.GroupVersionKind().Group, u.GetKind(), u.GetNamespace(), u.GetName()}
}

// state is the cluster: what has been applied, and by whom.
type state struct {
	Options
	applied map[key]*unstructured.Unstructured
	from    map[key]string
	order   []key
	parts   map[key]*Part
}

const group = "kustomize.toolkit.fluxcd.io"

func cluster(o Options) Cluster {
	root, err := filepath.Abs(o.Root)
	if err != nil {
		panic(err)
	}
	o.Root = root
	s := &state{Options: o, applied: map[key]*unstructured.Unstructured{}, from: map[key]string{}, parts: map[key]*Part{}}
	bootstrap := kustomizev1.Kustomization{}
	bootstrap.Name, bootstrap.Namespace, bootstrap.Spec.Path = "flux-system", "flux-system", o.Path
	// What bootstrap has written into the folder is the Kustomization that reconciles the folder, with all its settings.
	if list, err := s.build(&bootstrap); err == nil {
		for _, one := range list {
			if one.GetKind() == "Kustomization" && one.GetName() == "flux-system" && one.GroupVersionKind().Group == group {
				_ = runtime.DefaultUnstructuredConverter.FromUnstructured(one.Object, &bootstrap)
			}
		}
	}
	first := key{group, "Kustomization", bootstrap.Namespace, bootstrap.Name}
	s.reconcile(first, &bootstrap)
	// The controllers try again until nothing changes: variables and dependencies may come from a later part.
	for changed := true; changed; {
		changed = false
		for _, k := range append([]key{}, s.order...) {
			if k.group != group || k.kind != "Kustomization" || k == first {
				continue
			}
			if done := s.parts[k]; done != nil && done.Result != "waiting" && done.Result != "failed" {
				continue
			}
			var one kustomizev1.Kustomization
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(s.applied[k].Object, &one); err != nil {
				continue
			}
			before := ""
			if s.parts[k] != nil {
				before = s.parts[k].Result + s.parts[k].Error
			}
			s.reconcile(k, &one)
			changed = changed || before != s.parts[k].Result+s.parts[k].Error
		}
		if done := s.parts[first]; done.Result == "failed" {
			before := done.Error
			s.reconcile(first, &bootstrap)
			changed = changed || before != s.parts[first].Result+s.parts[first].Error && s.parts[first].Error != before
		}
	}
	answer := Cluster{Kustomizations: []Part{}, Releases: []Part{}, Objects: []objects.Object{}}
	for _, part := range s.parts {
		answer.Kustomizations = append(answer.Kustomizations, *part)
	}
	sort.Slice(answer.Kustomizations, func(i, j int) bool { return answer.Kustomizations[i].Name < answer.Kustomizations[j].Name })
	for _, k := range s.order {
		answer.Objects = append(answer.Objects, objects.New(s.applied[k].Object, "", s.from[k], ""))
	}
	s.releases(&answer)
	objects.Sort(answer.Objects)
	return answer
}

func (s *state) client() client.Client {
	builder := fake.NewClientBuilder()
	for _, k := range s.order {
		switch k.kind {
		case "ConfigMap":
			var one corev1.ConfigMap
			if runtime.DefaultUnstructuredConverter.FromUnstructured(s.applied[k].Object, &one) == nil {
				builder = builder.WithObjects(&one)
			}
		case "Secret":
			var one corev1.Secret
			if runtime.DefaultUnstructuredConverter.FromUnstructured(s.applied[k].Object, &one) == nil {
				for name, value := range one.StringData { // as the API server stores it
					if one.Data == nil {
						one.Data = map[string][]byte{}
					}
					one.Data[name] = []byte(value)
				}
				builder = builder.WithObjects(&one)
			}
		}
	}
	return builder.Build()
}

// checkout says whether a source is the checkout, and with which ignore rules.
func (s *state) checkout(kind, namespace, name string) (bool, error) {
	found := s.applied[key{"source.toolkit.fluxcd.io", kind, namespace, name}]
	if found == nil {
		if name == "flux-system" && kind == "GitRepository" {
			return true, nil
		}
		return false, fmt.Errorf("Source '%s/%s/%s' not found", kind, namespace, name)
	}
	if kind != "GitRepository" {
		return false, nil
	}
	if len(s.URLs) == 0 {
		return true, nil
	}
	var source sourcev1.GitRepository
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(found.Object, &source); err != nil {
		return false, err
	}
	for _, address := range s.URLs {
		if plain(address) == plain(source.Spec.URL) {
			return true, nil
		}
	}
	return false, nil
}

func plain(address string) string {
	address = strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".git")
	address = address[strings.Index(address, "://")+1:]
	if i := strings.Index(address, "@"); i >= 0 {
		address = strings.Replace(address[i+1:], ":", "/", 1)
	}
	return strings.TrimLeft(address, ":/")
}

func (s *state) reconcile(k key, one *kustomizev1.Kustomization) {
	part := &Part{Name: k.namespace + "/" + k.name, Path: one.Spec.Path}
	s.parts[k] = part
	end := func(result string, err error) {
		part.Result = result
		if err != nil {
			part.Error = strings.ReplaceAll(err.Error(), s.Root, ".")
		}
	}
	if one.Spec.Suspend {
		end("suspended", nil)
		return
	}
	if one.Spec.KubeConfig != nil {
		end("elsewhere", fmt.Errorf("applied to another cluster"))
		return
	}
	if one.Spec.SourceRef.Name != "" {
		namespace := one.Spec.SourceRef.Namespace
		if namespace == "" {
			namespace = k.namespace
		}
		ours, err := s.checkout(one.Spec.SourceRef.Kind, namespace, one.Spec.SourceRef.Name)
		if err != nil {
			end("waiting", err)
			return
		}
		if !ours {
			end("elsewhere", fmt.Errorf("source %s/%s is not the checkout", one.Spec.SourceRef.Kind, one.Spec.SourceRef.Name))
			return
		}
	}
	for _, need := range one.Spec.DependsOn {
		namespace := need.Namespace
		if namespace == "" {
			namespace = k.namespace
		}
		other := s.parts[key{group, "Kustomization", namespace, need.Name}]
		if other == nil || other.Result != "applied" {
			end("waiting", fmt.Errorf("dependency '%s/%s' is not ready", namespace, need.Name))
			return
		}
	}
	list, err := s.build(one)
	if err != nil {
		end("failed", err)
		return
	}
	for _, object := range list {
		if err := refused(object); err != nil {
			end("failed", fmt.Errorf("%s dry-run failed: %w", ssautil.FmtUnstructured(object), err))
			return
		}
	}
	for _, object := range list {
		marks := map[string]string{}
		for name, value := range object.GetLabels() {
			marks[name] = value
		}
		for name, value := range object.GetAnnotations() {
			marks[name] = value
		}
		if strings.EqualFold(marks[group+"/reconcile"], "disabled") || strings.EqualFold(marks[group+"/ssa"], "ignore") {
			continue
		}
		at := keyOf(object)
		if _, known := s.applied[at]; !known {
			s.order = append(s.order, at)
		} else if strings.EqualFold(marks[group+"/ssa"], "ifnotpresent") {
			continue
		}
		s.applied[at] = object
		s.from[at] = "Kustomization/" + part.Name
	}
	end("applied", nil)
}

// refused is what the API server says of a Flux object whose members have the wrong types.
func refused(object *unstructured.Unstructured) error {
	if object.GroupVersionKind().Group == group && object.GetKind() == "Kustomization" {
		return runtime.DefaultUnstructuredConverter.FromUnstructured(object.DeepCopy().Object, &kustomizev1.Kustomization{})
	}
	return nil
}

// artifact copies what source-controller archives of a repository.
func (s *state) artifact() (string, error) {
	target, err := os.MkdirTemp("", "artifact")
	if err != nil {
		return "", err
	}
	domain := strings.Split(s.Root, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(s.Root, domain)
	if err != nil {
		return "", err
	}
	for k, object := range s.applied {
		if k.kind == "GitRepository" && k.name == "flux-system" {
			if text, ok, _ := unstructured.NestedString(object.Object, "spec", "ignore"); ok {
				patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(text), domain)...)
			}
		}
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, domain)
	return target, filepath.Walk(s.Root, func(path string, info os.FileInfo, err error) error {
		if err != nil || path == s.Root {
			return err
		}
		if matcher.Match(strings.Split(path, string(filepath.Separator)), info.IsDir()) {
			if info.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		relative, _ := filepath.Rel(s.Root, path)
		to := filepath.Join(target, relative)
		if info.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		if !info.Mode().IsRegular() { // links are not archived
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o644)
	})
}

// build does what the controller's reconcile, generate and build do, in their order.
func (s *state) build(one *kustomizev1.Kustomization) ([]*unstructured.Unstructured, error) {
	work, err := s.artifact()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	hide := func(err error) error { return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), work, ".")) }
	path := filepath.Join(work, filepath.Clean("/"+one.Spec.Path))
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %w", hide(err))
	}
	members, err := runtime.DefaultUnstructuredConverter.ToUnstructured(one)
	if err != nil {
		return nil, err
	}
	object := unstructured.Unstructured{Object: members}
	if _, err := generator.NewGenerator(work, object).WriteFile(path); err != nil {
		return nil, hide(err)
	}
	built, err := generator.SecureBuild(work, path, true)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", hide(err))
	}
	for _, res := range built.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", res.String())
		}
		if one.Spec.PostBuild == nil {
			continue
		}
		always := one.GetSubstituteStrategy() == kustomizev1.SubstituteStrategyAlways
		changed, err := generator.SubstituteVariables(context.Background(), s.client(), object, res,
			generator.SubstituteWithStrict(s.Strict), generator.SubstituteWithAlways(always))
		if err != nil {
			return nil, fmt.Errorf("post build failed for '%s/%s': %w", res.GetGvk(), res.GetName(), err)
		}
		if changed != nil {
			if _, err := built.Replace(res); err != nil {
				return nil, err
			}
		}
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	list, err := ssautil.ReadObjects(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if err := normalize.UnstructuredList(list); err != nil {
		return nil, err
	}
	if meta := one.Spec.CommonMetadata; meta != nil {
		ssautil.SetCommonMetadata(list, meta.Labels, meta.Annotations)
	}
	return list, nil
}
