package disruption

import (
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"github.com/awslabs/operatorpkg/status"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Change applies objects, removals, nominations and marks.
func (e *Env) Change(ch Change) error {
	for _, raw := range ch.Apply {
		o, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			return err
		}
		obj := o.(client.Object)
		was := obj.DeepCopyObject().(client.Object)
		ends := obj.GetDeletionTimestamp() != nil
		err = e.Client.Get(e.Ctx, client.ObjectKeyFromObject(obj), was)
		if err == nil && obj.GetUID() != "" && was.GetUID() != obj.GetUID() { // another one of the same name, as of a StatefulSet
			ref := Ref{Kind: o.GetObjectKind().GroupVersionKind().Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
			if err := e.remove(ref); err != nil {
				return err
			}
			err = e.Client.Get(e.Ctx, client.ObjectKeyFromObject(obj), was)
		}
		switch {
		case client.IgnoreNotFound(err) != nil:
			return err
		case err != nil:
			if err := e.Client.Create(e.Ctx, obj); err != nil {
				return err
			}
			was = o.DeepCopyObject().(client.Object)
		default:
			obj.SetResourceVersion(was.GetResourceVersion())
			if was.GetDeletionTimestamp() != nil {
				obj.SetDeletionTimestamp(was.GetDeletionTimestamp())
				ends = false
			} else {
				obj.SetDeletionTimestamp(nil)
			}
			if err := e.Client.Update(e.Ctx, obj); err != nil {
				return err
			}
		}
		if ends { // an update cannot say so
			if err := e.end(obj); err != nil {
				return err
			}
		}
		full := o.DeepCopyObject().(client.Object)
		if err := json.Unmarshal(raw, full); err != nil {
			return err
		}
		full.SetResourceVersion(obj.GetResourceVersion())
		full.SetDeletionTimestamp(obj.GetDeletionTimestamp())
		if _, ok := obj.(*v1.NodePool); !ok {
			_ = e.Client.Status().Update(e.Ctx, full)
		}
		if p, ok := full.(*corev1.Pod); ok {
			if err := client.IgnoreNotFound(e.Cluster.UpdatePod(e.Ctx, p)); err != nil { // its node may be new as well
				return err
			}
		}
		if ds, ok := full.(*appsv1.DaemonSet); ok {
			if err := e.Cluster.UpdateDaemonSet(e.Ctx, ds); err != nil {
				return err
			}
		}
	}
	for _, ref := range ch.Delete {
		if err := e.remove(ref); err != nil {
			return err
		}
	}
	if len(ch.Apply)+len(ch.Delete) > 0 { // nodes that are new may be marked or nominated
		if err := e.refresh(); err != nil {
			return err
		}
	}
	if err := e.mark(ch.Marked); err != nil {
		return err
	}
	for _, name := range ch.Nominated {
		id, err := e.providerID(name)
		if err != nil {
			return err
		}
		e.Cluster.NominateNodeForPod(e.Ctx, id)
	}
	return nil
}

// remove removes an object at once, whatever its finalizers are.
func (e *Env) remove(ref Ref) error {
	obj := map[string]client.Object{"Pod": &corev1.Pod{}, "Node": &corev1.Node{}, "NodeClaim": &v1.NodeClaim{}, "NodePool": &v1.NodePool{}}[ref.Kind]
	if obj == nil {
		return fmt.Errorf("cannot delete a %s", ref.Kind)
	}
	key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
	if err := e.Client.Get(e.Ctx, key, obj); err != nil {
		return err
	}
	obj.SetFinalizers(nil)
	if err := e.Client.Update(e.Ctx, obj); err != nil {
		return err
	}
	if err := client.IgnoreNotFound(e.Client.Delete(e.Ctx, obj)); err != nil {
		return err
	}
	switch ref.Kind {
	case "Pod":
		e.Cluster.DeletePod(key)
	case "Node":
		e.Cluster.DeleteNode(ref.Name)
	case "NodeClaim":
		e.Cluster.DeleteNodeClaim(ref.Name)
	}
	return nil
}

// end deletes an object that stays as long as its finalizers do, and reads it again.
func (e *Env) end(obj client.Object) error {
	if len(obj.GetFinalizers()) == 0 {
		obj.SetFinalizers([]string{"cutlist.example/ends"})
		if err := e.Client.Update(e.Ctx, obj); err != nil {
			return err
		}
	}
	if err := e.Client.Delete(e.Ctx, obj); err != nil {
		return err
	}
	return e.Client.Get(e.Ctx, client.ObjectKeyFromObject(obj), obj)
}

// ComputeConditions runs the NodeClaim disruption controller and reads the result.
func (e *Env) ComputeConditions() (map[string]ClaimConditions, error) {
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	errs := map[string]string{}
	for i := range claims.Items {
		if _, err := e.conditions.Reconcile(e.Ctx, &claims.Items[i]); err != nil {
			errs[claims.Items[i].Name] = err.Error()
		}
	}
	if err := e.refresh(); err != nil {
		return nil, err
	}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return nil, err
	}
	out := map[string]ClaimConditions{}
	for i := range claims.Items {
		nc := &claims.Items[i]
		c := ClaimConditions{Consolidatable: nc.StatusConditions().Get(v1.ConditionTypeConsolidatable).IsTrue(), Error: errs[nc.Name]}
		if d := nc.StatusConditions().Get(v1.ConditionTypeDrifted); d.IsTrue() {
			c.Drifted = d.Reason
		}
		if !nc.Status.LastPodEventTime.IsZero() {
			c.LastPodEvent = nc.Status.LastPodEventTime.UTC().Format(time.RFC3339)
		}
		out[nc.Name] = c
	}
	return out, nil
}

// Execute lets Karpenter's controller run one loop, then lets its queue work on every command once.
func (e *Env) Execute() error {
	remember, err := e.watchReboots()
	if err != nil {
		return err
	}
	if _, err := e.Controller.Reconcile(e.Ctx); err != nil {
		return err
	}
	if err := remember(); err != nil {
		return err
	}
	return e.workQueue()
}

func (e *Env) workQueue() error {
	for _, cmd := range e.Queue.GetCommands() {
		if len(cmd.Candidates) == 0 || cmd.Method == nil {
			continue
		}
		if _, err := e.Queue.Reconcile(e.Ctx, cmd.Candidates[0].NodeClaim); err != nil {
			return err
		}
	}
	e.Recorder.take()
	return e.refresh()
}

// finish removes or initializes the NodeClaims that commands have created.
func (e *Env) finish(how string) error {
	if how == "" {
		return nil
	}
	claims := &v1.NodeClaimList{}
	if err := e.Client.List(e.Ctx, claims); err != nil {
		return err
	}
	for i := range claims.Items {
		nc := &claims.Items[i]
		if e.known[nc.Name] {
			continue
		}
		switch how {
		case "deleted":
			nc.SetFinalizers(nil)
			if err := e.Client.Update(e.Ctx, nc); err != nil {
				return err
			}
			if err := client.IgnoreNotFound(e.Client.Delete(e.Ctx, nc)); err != nil {
				return err
			}
			e.Cluster.DeleteNodeClaim(nc.Name)
		case "initialized":
			nc.Status.ProviderID = "test:///new/" + nc.Name
			for _, c := range []string{v1.ConditionTypeLaunched, v1.ConditionTypeRegistered, v1.ConditionTypeInitialized} {
				nc.StatusConditions(status.WithClock(e.Clock)).SetTrue(c)
			}
			if err := e.Client.Status().Update(e.Ctx, nc); err != nil {
				return err
			}
		default:
			return fmt.Errorf("replacements cannot be %q", how)
		}
	}
	return e.refresh()
}

// running lists the nodes of each command in the queue and the tainted nodes.
func (e *Env) running() ([][]string, []string, error) {
	var cmds [][]string
	for _, cmd := range e.Queue.GetCommands() {
		var names []string
		for _, c := range cmd.Candidates {
			names = append(names, c.Name())
		}
		sort.Strings(names)
		if len(names) > 0 {
			cmds = append(cmds, names)
		}
	}
	sort.Slice(cmds, func(i, j int) bool { return cmds[i][0] < cmds[j][0] })
	nodes := &corev1.NodeList{}
	if err := e.Client.List(e.Ctx, nodes); err != nil {
		return nil, nil, err
	}
	var tainted []string
	for i := range nodes.Items {
		for _, t := range nodes.Items[i].Spec.Taints {
			if t.MatchTaint(&v1.DisruptedNoScheduleTaint) {
				tainted = append(tainted, nodes.Items[i].Name)
			}
		}
	}
	sort.Strings(tainted)
	return cmds, tainted, nil
}
