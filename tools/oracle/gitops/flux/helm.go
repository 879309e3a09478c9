package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/cli/values"
	"helm.sh/helm/v4/pkg/getter"
	"helm.sh/helm/v4/pkg/postrenderer"
	release "helm.sh/helm/v4/pkg/release/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"cutlist/oracle-gitops/objects"
)

// Rendering is one installation of a chart.
type Rendering struct {
	Chart                 *v2.Chart
	Values                map[string]any
	Name, Namespace, From string
	Kube                  string
	APIs                  []string
	CRDs                  bool
	NoHooks, NoSchema     bool
	PostRenderer          postrenderer.PostRenderer
	PostStrategy          action.PostRenderStrategy
}

// Documents splits YAML into objects, with the members of Lists.
func documents(text string) ([]map[string]any, error) {
	var found []map[string]any
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(text), 4096)
	for {
		var one map[string]any
		if err := decoder.Decode(&one); err != nil {
			if err.Error() == "EOF" {
				return found, nil
			}
			return nil, err
		}
		if items, ok := one["items"].([]any); ok && strings.HasSuffix(fmt.Sprint(one["kind"]), "List") {
			for _, item := range items {
				found = append(found, item.(map[string]any))
			}
		} else if len(one) > 0 {
			found = append(found, one)
		}
	}
}

// install renders as the first installation does, before anything is sent: without a cluster lookup finds nothing.
func install(r Rendering) ([]objects.Object, error) {
	kube, err := common.ParseKubeVersion(r.Kube)
	if err != nil {
		return nil, err
	}
	client := action.NewInstall(new(action.Configuration))
	client.DryRunStrategy = action.DryRunClient
	client.ReleaseName, client.Namespace = r.Name, r.Namespace
	client.KubeVersion, client.APIVersions = kube, r.APIs
	client.SkipCRDs, client.DisableHooks, client.SkipSchemaValidation = true, r.NoHooks, r.NoSchema
	client.Devel = true
	client.PostRenderer = r.PostRenderer
	if r.PostStrategy != "" {
		client.PostRenderStrategy = r.PostStrategy
	}
	rendered, err := client.RunWithContext(context.Background(), r.Chart, r.Values)
	if err != nil {
		return nil, err
	}
	made := rendered.(*release.Release)
	list := []objects.Object{}
	add := func(text, hook string) error {
		found, err := documents(text)
		for _, one := range found {
			list = append(list, objects.New(one, r.Namespace, r.From, hook))
		}
		return err
	}
	if r.CRDs {
		for _, crd := range r.Chart.CRDObjects() {
			if err := add(string(crd.File.Data), ""); err != nil {
				return nil, err
			}
		}
	}
	if err := add(made.Manifest, ""); err != nil {
		return nil, err
	}
	for _, hook := range made.Hooks {
		for _, event := range hook.Events {
			if event == release.HookPreInstall || event == release.HookPostInstall {
				if !r.NoHooks {
					if err := add(hook.Manifest, string(event)); err != nil {
						return nil, err
					}
				}
				break
			}
		}
	}
	objects.Sort(list)
	return list, nil
}

func plainHelm(o Options) Plain {
	failed := func(err error) Plain { return Plain{Error: err.Error(), Objects: []objects.Object{}} }
	path := filepath.Join(o.Root, o.Path)
	loaded, err := loader.Load(path)
	if err != nil {
		return failed(err)
	}
	if kind := loaded.Metadata.Type; kind == "library" {
		return failed(fmt.Errorf("library charts are not installable"))
	}
	if err := action.CheckDependencies(loaded, dependencies(loaded)); err != nil {
		return failed(err)
	}
	var files []string
	for _, file := range o.Values {
		files = append(files, filepath.Join(o.Root, file))
	}
	merged, err := (&values.Options{ValueFiles: files}).MergeValues(getter.Providers{})
	if err != nil {
		return failed(err)
	}
	name := o.Release
	if name == "" {
		name = filepath.Base(path)
	}
	older, olderErr := helm3(path, copied(merged), o, name)
	list, err := install(Rendering{Chart: loaded, Values: merged, Name: name, Namespace: o.Namespace, Kube: o.Kube, APIs: o.APIs, CRDs: true})
	answer := Plain{Objects: list}
	if err != nil {
		answer = failed(err)
	}
	if olderErr != nil && err == nil {
		answer.Helm3 = &Plain{Error: olderErr.Error(), Objects: []objects.Object{}}
	} else if olderErr == nil && (err != nil || !reflect.DeepEqual(older, list)) {
		answer.Helm3 = &Plain{Objects: older}
	}
	return answer
}
func dependencies(loaded *v2.Chart) []chart.Dependency {
	var list []chart.Dependency
	for _, one := range loaded.Metadata.Dependencies {
		list = append(list, one)
	}
	return list
}
