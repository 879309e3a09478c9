// Command argocd prints the Applications of a checkout, those of its ApplicationSets too, and the objects of each, with Argo CD's own packages.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/argoproj/gitops-engine/pkg/sync/hook"
	"github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	ctrlfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/services/github_app_auth"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"

	corev1 "k8s.io/api/core/v1"

	"cutlist/oracle-gitops/objects"
)

type words []string

func (w *words) String() string         { return strings.Join(*w, ",") }
func (w *words) Set(value string) error { *w = append(*w, value); return nil }

// App is an Application: who made it, what it takes, and what became of it.
type App struct {
	Name        string            `json:"name"`
	From        string            `json:"from,omitempty"`
	Project     string            `json:"project"`
	Destination map[string]string `json:"destination"`
	Sources     []map[string]any  `json:"sources"`
	Result      string            `json:"result"` // rendered, failed, elsewhere
	Error       string            `json:"error,omitempty"`
}

// Set is an ApplicationSet: how many Applications it makes, or why none.
type Set struct {
	Name         string   `json:"name"`
	Applications []string `json:"applications"`
	Error        string   `json:"error,omitempty"`
}

// Answer is the answer for a checkout.
type Answer struct {
	Sets         []Set            `json:"sets"`
	Applications []App            `json:"applications"`
	Objects      []objects.Object `json:"objects"`
}

type oracle struct {
	root, charts, kube, build string
	urls, apis, paths         words
	secrets                   []runtime.Object
	answer                    Answer
	seen                      map[string]bool
}

func main() {
	logrus.SetOutput(io.Discard)
	var o oracle
	flag.StringVar(&o.root, "root", ".", "checkout: a work tree of git")
	flag.Var(&o.paths, "path", "file or folder with Applications, ApplicationSets and cluster Secrets; may be repeated")
	flag.Var(&o.urls, "url", "address of the checkout; without one every repository of git is the checkout")
	flag.StringVar(&o.charts, "charts", "", "folder with charts of other sources")
	flag.StringVar(&o.kube, "kube-version", "1.34.0", "version of Kubernetes that charts see")
	flag.Var(&o.apis, "api-version", "further API that charts see")
	flag.StringVar(&o.build, "kustomize-build-options", "", "kustomize.buildOptions of argocd-cm")
	flag.Parse()
	o.root, _ = filepath.Abs(o.root)
	o.seen = map[string]bool{}
	o.answer = Answer{Sets: []Set{}, Applications: []App{}, Objects: []objects.Object{}}
	if len(o.paths) == 0 {
		o.paths = words{"."}
	}
	var found []map[string]any
	for _, path := range o.paths {
		found = append(found, o.read(filepath.Join(o.root, path))...)
	}
	for _, one := range found {
		if one["kind"] == "Secret" {
			var secret corev1.Secret
			if runtime.DefaultUnstructuredConverter.FromUnstructured(one, &secret) == nil {
				if secret.Namespace == "" {
					secret.Namespace = "argocd"
				}
				for name, value := range secret.StringData {
					if secret.Data == nil {
						secret.Data = map[string][]byte{}
					}
					secret.Data[name] = []byte(value)
				}
				o.secrets = append(o.secrets, &secret)
			}
		}
	}
	for _, one := range found {
		o.object(one, "")
	}
	sort.SliceStable(o.answer.Applications, func(i, j int) bool { return o.answer.Applications[i].Name < o.answer.Applications[j].Name })
	objects.Sort(o.answer.Objects)
	objects.Print(o.answer)
}

func (o *oracle) read(path string) []map[string]any {
	var found []map[string]any
	_ = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(" .yaml .yml .json ", " "+filepath.Ext(path)+" ") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, part := range strings.Split("\n"+string(text), "\n---") {
			var one map[string]any
			if yaml.Unmarshal([]byte(part), &one) == nil && one["kind"] != nil {
				found = append(found, one)
			}
		}
		return nil
	})
	return found
}

// object takes an Application or ApplicationSet that somebody applies to Argo CD's cluster.
func (o *oracle) object(one map[string]any, from string) {
	kind, _ := one["kind"].(string)
	version, _ := one["apiVersion"].(string)
	if !strings.HasPrefix(version, "argoproj.io/") {
		return
	}
	text, _ := json.Marshal(one)
	switch kind {
	case "Application":
		var app v1alpha1.Application
		if err := json.Unmarshal(text, &app); err != nil {
			o.answer.Applications = append(o.answer.Applications, App{From: from, Result: "failed", Error: err.Error()})
			return
		}
		o.application(&app, from)
	case "ApplicationSet":
		var set v1alpha1.ApplicationSet
		if err := json.Unmarshal(text, &set); err != nil {
			o.answer.Sets = append(o.answer.Sets, Set{Error: err.Error(), Applications: []string{}})
			return
		}
		o.set(&set)
	}
}

func (o *oracle) set(set *v1alpha1.ApplicationSet) {
	if set.Namespace == "" {
		set.Namespace = "argocd"
	}
	if o.seen["set/"+set.Name] {
		return
	}
	o.seen["set/"+set.Name] = true
	ctx := context.Background()
	known := runtime.NewScheme()
	_, _ = scheme.AddToScheme(known), v1alpha1.AddToScheme(known)
	builder := ctrlfake.NewClientBuilder().WithScheme(known)
	for name := range map[string]bool{"default": true, set.Spec.Template.Spec.Project: true} { // every project exists
		if name != "" {
			project := &v1alpha1.AppProject{}
			project.Name, project.Namespace = name, "argocd"
			builder = builder.WithObjects(project)
		}
	}
	for _, secret := range o.secrets {
		builder = builder.WithRuntimeObjects(secret)
	}
	client := builder.Build()
	made := generators.GetGenerators(ctx, client, kubefake.NewClientset(o.secrets...), "argocd", &files{o}, dynamicfake.NewSimpleDynamicClient(known),
		generators.NewSCMConfig("", nil, false, false, github_app_auth.Credentials(nil), true))
	apps, _, err := template.GenerateApplications(logrus.WithField("set", set.Name), *set, made, &utils.Render{}, client)
	answer := Set{Name: set.Name, Applications: []string{}}
	if err != nil { // Reconcile makes none then
		answer.Error = strings.ReplaceAll(err.Error(), o.root, ".")
		apps = nil
	}
	count := map[string]int{}
	for _, app := range apps {
		count[app.Name]++
	}
	for _, app := range apps {
		if count[app.Name] > 1 { // validateGeneratedApplications: neither is made
			answer.Error = fmt.Sprintf("ApplicationSet %s contains applications with duplicate name: %s", set.Name, app.Name)
			continue
		}
		answer.Applications = append(answer.Applications, app.Name)
	}
	sort.Strings(answer.Applications)
	o.answer.Sets = append(o.answer.Sets, answer)
	for i := range apps {
		if count[apps[i].Name] == 1 {
			o.application(&apps[i], "ApplicationSet/"+set.Name)
		}
	}
}

func (o *oracle) ours(address string) bool {
	if len(o.urls) == 0 {
		return !strings.HasPrefix(address, "oci://")
	}
	for _, one := range o.urls {
		if git.NormalizeGitURL(one) == git.NormalizeGitURL(address) {
			return true
		}
	}
	return false
}

func (o *oracle) application(app *v1alpha1.Application, from string) {
	if o.seen["app/"+app.Name] {
		return
	}
	o.seen["app/"+app.Name] = true
	answer := App{Name: app.Name, From: from, Project: app.Spec.Project, Result: "rendered", Destination: map[string]string{}, Sources: []map[string]any{}}
	for name, value := range map[string]string{"server": app.Spec.Destination.Server, "name": app.Spec.Destination.Name, "namespace": app.Spec.Destination.Namespace} {
		if value != "" {
			answer.Destination[name] = value
		}
	}
	sources := app.Spec.GetSources()
	for _, source := range sources {
		text, _ := json.Marshal(source)
		var members map[string]any
		_ = json.Unmarshal(text, &members)
		answer.Sources = append(answer.Sources, members)
	}
	index := len(o.answer.Applications)
	o.answer.Applications = append(o.answer.Applications, answer)
	list, result, err := o.render(app, sources)
	o.answer.Applications[index].Result = result
	if err != nil {
		o.answer.Applications[index].Error = err.Error()
	}
	last := map[string]objects.Object{}
	var order []string
	for _, one := range list {
		reduced := objects.New(one.object, app.Spec.Destination.Namespace, "Application/"+app.Name, one.hook)
		key := fmt.Sprint(reduced.APIVersion, reduced.Kind, reduced.Namespace, reduced.Name)
		if _, twice := last[key]; !twice {
			order = append(order, key)
		}
		last[key] = reduced
	}
	for _, key := range order {
		o.answer.Objects = append(o.answer.Objects, last[key])
	}
	for _, one := range list {
		o.object(one.object, "Application/"+app.Name)
	}
}

type rendered struct {
	object map[string]any
	hook   string
}

func (o *oracle) render(app *v1alpha1.Application, sources v1alpha1.ApplicationSources) ([]rendered, string, error) {
	ctx := context.Background()
	refs, err := argo.GetRefSources(ctx, sources, app.Spec.Project, func(_ context.Context, url, _ string) (*v1alpha1.Repository, error) {
		return &v1alpha1.Repository{Repo: url}, nil
	}, nil)
	if err != nil {
		return nil, "failed", err
	}
	var list []rendered
	result := "rendered"
	for i := range sources {
		source := sources[i]
		if source.Ref != "" && source.Path == "" && source.Chart == "" {
			continue
		}
		work, err := os.MkdirTemp("", "checkout")
		if err != nil {
			return nil, "failed", err
		}
		defer os.RemoveAll(work)
		checkout := filepath.Join(work, "checkout")
		if err := exec.Command("cp", "-r", o.root, checkout).Run(); err != nil {
			return nil, "failed", err
		}
		hide := func(err error) error {
			return fmt.Errorf("%s", strings.ReplaceAll(strings.ReplaceAll(err.Error(), work, "."), o.root, "."))
		}
		root, path := checkout, ""
		if source.Chart != "" {
			found := o.chart(source.Chart, source.TargetRevision)
			if found == "" {
				return nil, "elsewhere", fmt.Errorf("chart %s is not in the checkout", source.Chart)
			}
			root = filepath.Join(work, "chart")
			if err := exec.Command("cp", "-r", found, root).Run(); err != nil {
				return nil, "failed", err
			}
			path = root
		} else {
			if !o.ours(source.RepoURL) {
				return nil, "elsewhere", fmt.Errorf("%s is not the checkout", source.RepoURL)
			}
			path = filepath.Join(checkout, source.Path)
			if info, err := os.Stat(path); err != nil || !info.IsDir() {
				return nil, "failed", fmt.Errorf("%s: app path does not exist", source.Path)
			}
		}
		paths := utilio.NewRandomizedTempPaths(work)
		for _, ref := range refs {
			if o.ours(ref.Repo.Repo) {
				paths.Add(git.NormalizeGitURL(ref.Repo.Repo), checkout)
			}
		}
		request := &apiclient.ManifestRequest{
			Repo: &v1alpha1.Repository{Repo: source.RepoURL}, AppName: app.Name, Namespace: app.Spec.Destination.Namespace, ApplicationSource: &source,
			KubeVersion: o.kube, ApiVersions: o.apis, HasMultipleSources: app.Spec.HasMultipleSources(), RefSources: refs, ProjectName: app.Spec.Project,
			KustomizeOptions: &v1alpha1.KustomizeOptions{BuildOptions: o.build}, HelmOptions: &v1alpha1.HelmOptions{},
		}
		made, err := repository.GenerateManifests(ctx, path, root, "0000000000000000000000000000000000000000", request, false, git.NoopCredsStore{}, resource.MustParse("0"), paths)
		if err != nil {
			return nil, "failed", hide(err)
		}
		for _, text := range made.Manifests {
			var members map[string]any
			if err := json.Unmarshal([]byte(text), &members); err != nil {
				return nil, "failed", err
			}
			object := &unstructured.Unstructured{Object: members}
			if hook.Skip(object) {
				continue
			}
			kept, phase := true, ""
			if hook.IsHook(object) {
				kept = false
				var phases []string
				for _, one := range hook.Types(object) {
					if one == "PreSync" || one == "Sync" || one == "PostSync" {
						kept = true
						phases = append(phases, string(one))
					}
				}
				phase = strings.Join(phases, ",")
			}
			if kept {
				list = append(list, rendered{members, phase})
			}
		}
	}
	return list, result, nil
}

// chart finds the newest chart of a name that a version allows.
func (o *oracle) chart(name, version string) string {
	entries, err := os.ReadDir(o.charts)
	if err != nil {
		return ""
	}
	constraint, err := semver.NewConstraint(strings.TrimPrefix(version, "v"))
	if err != nil {
		return ""
	}
	best, found := "", (*semver.Version)(nil)
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(o.charts, entry.Name(), "Chart.yaml"))
		var about struct{ Name, Version string }
		if err != nil || yaml.Unmarshal(text, &about) != nil || about.Name != name[strings.LastIndex(name, "/")+1:] {
			continue
		}
		if one, err := semver.NewVersion(about.Version); err == nil && constraint.Check(one) && (found == nil || one.GreaterThan(found)) {
			best, found = filepath.Join(o.charts, entry.Name()), one
		}
	}
	return best
}

// files answers generators from the checkout as the repo server does: files by git ls-files, folders by a walk without hidden ones.
type files struct{ *oracle }

func (f *files) GetFiles(_ context.Context, address, _, _, pattern string, _, _ bool) (map[string][]byte, error) {
	if !f.ours(address) {
		return nil, fmt.Errorf("%s is not the checkout", address)
	}
	client, err := git.NewClientExt(address, f.root, git.NopCreds{}, false, false, "", "")
	if err != nil {
		return nil, err
	}
	names, err := client.LsFiles(pattern, false)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(f.root, name))
		if err != nil {
			return nil, err
		}
		found[name] = text
	}
	return found, nil
}

func (f *files) GetDirectories(_ context.Context, address, _, _ string, _, _ bool) ([]string, error) {
	if !f.ours(address) {
		return nil, fmt.Errorf("%s is not the checkout", address)
	}
	var found []string
	err := filepath.WalkDir(f.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if path == f.root {
			return nil
		}
		if strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		relative, err := filepath.Rel(f.root, path)
		found = append(found, relative)
		return err
	})
	return found, err
}
