package disruption

import (
	"context"
	"encoding/json"

	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// poolClient gives back the empty reason lists of budgets, which the fake API server's encoding loses.
type poolClient struct {
	client.Client
	empty map[string][]int
}

func keepEmptyReasons(c client.Client, pools []json.RawMessage) client.Client {
	p := &poolClient{Client: c, empty: map[string][]int{}}
	for _, raw := range pools {
		np := &v1.NodePool{}
		if json.Unmarshal(raw, np) != nil {
			continue
		}
		for i, b := range np.Spec.Disruption.Budgets {
			if b.Reasons != nil && len(b.Reasons) == 0 {
				p.empty[np.Name] = append(p.empty[np.Name], i)
			}
		}
	}
	if len(p.empty) == 0 {
		return c
	}
	return p
}

func (p *poolClient) fix(np *v1.NodePool) {
	for _, i := range p.empty[np.Name] {
		if i < len(np.Spec.Disruption.Budgets) {
			np.Spec.Disruption.Budgets[i].Reasons = []v1.DisruptionReason{}
		}
	}
}

func (p *poolClient) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	err := p.Client.Get(ctx, key, obj, opts...)
	if np, ok := obj.(*v1.NodePool); ok && err == nil {
		p.fix(np)
	}
	return err
}

func (p *poolClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	err := p.Client.List(ctx, list, opts...)
	if l, ok := list.(*v1.NodePoolList); ok && err == nil {
		for i := range l.Items {
			p.fix(&l.Items[i])
		}
	}
	return err
}

func (e *Env) pools() []*v1.NodePool {
	list := &v1.NodePoolList{}
	_ = e.Client.List(e.Ctx, list)
	var out []*v1.NodePool
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	return out
}
