package disruption

import (
	"sort"
	"strings"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	kd "sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/events"
)

// Method asks one method.
func (e *Env) Method(name string, a *Answer) (*MethodAnswer, error) {
	m := e.method(name)
	out := &MethodAnswer{Candidates: []string{}, Commands: []Command{}}
	e.Recorder.take()
	candidates, totals, err := kd.GetCandidatesWithTotals(e.Ctx, e.Cluster, e.Client, e.Recorder, e.Clock, e.Provider, m.ShouldDisrupt, m.Class(), e.Queue, e.Cost)
	if err != nil {
		return nil, err
	}
	for _, ev := range plain(e.Recorder.take()) {
		if nc, ok := strings.CutPrefix(ev.Object, "NodeClaim/"); ok && !e.known[nc] {
			ev.Object = "NodeClaim/new"
		}
		switch {
		case strings.HasPrefix(ev.Object, "Pod/"):
			a.addPodEvent(ev)
		case ev.Reason == events.DisruptionBlocked:
			if a.Blocked == nil {
				a.Blocked = map[string]map[string]string{}
			}
			if a.Blocked[m.Class()] == nil {
				a.Blocked[m.Class()] = map[string]string{}
			}
			a.Blocked[m.Class()][ev.Object] = ev.Message
		default:
			out.Events = append(out.Events, ev)
		}
	}
	for _, c := range candidates {
		out.Candidates = append(out.Candidates, c.Name())
		if a.Nodes == nil {
			a.Nodes = map[string]NodeAnswer{}
		}
		out.addPolicy(e, name, c)
		a.Nodes[c.Name()] = NodeAnswer{NodePool: c.NodePool.Name, Price: round(c.Price), Cost: round(c.RescheduleDisruptionCost), LifetimeCost: round(c.DisruptionCost)}
	}
	sort.Slice(out.Candidates, func(i, j int) bool { return natural(out.Candidates[i], out.Candidates[j]) })
	if name == "multi" || name == "single" {
		for p, t := range totals {
			for _, np := range e.pools() {
				if np.Name == p && np.Spec.Disruption.ConsolidationPolicy.IsBalanced() {
					if a.Balanced == nil {
						a.Balanced = map[string]BalancedTotals{}
					}
					a.Balanced[p] = BalancedTotals{round(t.TotalCost), round(t.TotalDisruptionCost)}
				}
			}
		}
	}
	if len(candidates) == 0 {
		return out, nil
	}
	if setter, ok := m.(kd.NodePoolTotalsSetter); ok {
		setter.SetNodePoolTotals(totals)
	}
	budgets, err := kd.BuildDisruptionBudgetMapping(e.Ctx, e.Cluster, e.Clock, e.Client, e.Provider, e.Recorder, m.Reason())
	if err != nil {
		return nil, err
	}
	e.Recorder.take()
	var cmds []kd.Command
	if e.Canonical {
		sortCandidates(name, candidates)
	}
	if turns := interleaved(candidates); e.Canonical && name == "single" && len(turns) > 0 {
		cmds, err = e.singleInTurns(turns, budgets, totals)
	} else {
		cmds, err = m.ComputeCommands(e.Ctx, budgets, candidates...)
	}
	if err != nil {
		out.Error = err.Error()
	}
	if err := e.tidy(name, cmds); err != nil {
		return nil, err
	}
	for _, ev := range plain(e.Recorder.take()) {
		switch {
		case strings.HasPrefix(ev.Object, "Pod/"):
			a.addPodEvent(ev)
		case strings.HasPrefix(ev.Object, "NodePool/") && ev.Reason == events.DisruptionBlocked:
		case name == "multi" && ev.Reason == events.ConsolidationCandidate && len(candidates) > 10:
		case ev.Reason == events.DisruptionBlocked && a.Blocked[m.Class()][ev.Object] == ev.Message:
		default:
			seen := false
			for _, x := range out.Events {
				seen = seen || x == ev
			}
			if !seen {
				out.Events = append(out.Events, ev)
			}
		}
	}
	for _, cmd := range cmds {
		if cmd.Decision() != kd.NoOpDecision {
			cmd.Method = m
			if name == "emptiness" { // its validation leaves the nodes in random order
				sortCandidates(name, cmd.Candidates)
			}
			out.Commands = append(out.Commands, e.command(cmd, m.Reason()))
		}
	}
	sort.SliceStable(out.Commands, func(i, j int) bool { return natural(out.Commands[i].Nodes[0], out.Commands[j].Nodes[0]) })
	return out, nil
}

func sortCandidates(method string, cs []*kd.Candidate) {
	sort.SliceStable(cs, func(i, j int) bool {
		a, b := cs[i], cs[j]
		switch method {
		case "emptiness", "multi", "single":
			if a.SavingsRatio() != b.SavingsRatio() {
				return a.SavingsRatio() > b.SavingsRatio()
			}
		case "drift":
			x := a.NodeClaim.StatusConditions().Get(v1.ConditionTypeDrifted).LastTransitionTime.Time
			y := b.NodeClaim.StatusConditions().Get(v1.ConditionTypeDrifted).LastTransitionTime.Time
			if !x.Equal(y) {
				return x.Before(y)
			}
		}
		return a.Name() < b.Name()
	})
}

// interleaved gives the order of single when NodePools come by name; nil for a single NodePool.
func interleaved(cs []*kd.Candidate) []*kd.Candidate {
	by := map[string][]*kd.Candidate{}
	for _, c := range cs {
		by[c.NodePool.Name] = append(by[c.NodePool.Name], c)
	}
	if len(by) < 2 {
		return nil
	}
	var names []string
	for p := range by {
		names = append(names, p)
	}
	sort.Strings(names)
	var out []*kd.Candidate
	for i := 0; len(out) < len(cs); i++ {
		for _, p := range names {
			if i < len(by[p]) {
				out = append(out, by[p][i])
			}
		}
	}
	return out
}

// singleInTurns asks single for one candidate after the other, so that NodePools take their turns by name. When nothing is found,
// the method proper runs over all of them for its memory.
func (e *Env) singleInTurns(turns []*kd.Candidate, budgets map[string]int, totals map[string]kd.NodePoolTotals) ([]kd.Command, error) {
	proper := e.Methods["single"].(*kd.SingleNodeConsolidation)
	if proper.IsConsolidated() {
		return nil, nil
	}
	for _, c := range turns {
		one := e.newSingle()
		one.SetNodePoolTotals(totals)
		seen := len(e.Recorder.all)
		cmds, err := one.ComputeCommands(e.Ctx, budgets, c)
		if err != nil || len(cmds) > 0 {
			return cmds, err
		}
		for _, ev := range e.Recorder.all[seen:] {
			if ev.Reason == events.ConsolidationRejected { // a failed validation ends the method
				return nil, nil
			}
		}
	}
	return proper.ComputeCommands(e.Ctx, budgets, turns...)
}

// Budgets gives what is left per NodePool and reason.
func (e *Env) Budgets(a *Answer) error {
	a.Budgets = map[string]map[string]int{}
	for _, r := range e.reasons() {
		e.Recorder.take()
		m, err := kd.BuildDisruptionBudgetMapping(e.Ctx, e.Cluster, e.Clock, e.Client, e.Provider, e.Recorder, r)
		if err != nil {
			return err
		}
		for _, ev := range plain(e.Recorder.take()) {
			a.addPoolEvent(ev)
		}
		for p, n := range m {
			if a.Budgets[p] == nil {
				a.Budgets[p] = map[string]int{}
			}
			a.Budgets[p][string(r)] = n
		}
	}
	return nil
}

// Evaluate asks every method at this moment.
func (e *Env) Evaluate(fresh func() (*Env, error)) (*Answer, error) {
	a := &Answer{Synced: e.Cluster.Synced(e.Ctx), Methods: map[string]*MethodAnswer{}}
	if err := e.Budgets(a); err != nil {
		return nil, err
	}
	names := e.Set.Methods
	if len(names) == 0 {
		names = e.methods()
	}
	for _, name := range names {
		env := e
		if fresh != nil && e.Set.During != nil {
			var err error
			if env, err = fresh(); err != nil {
				return nil, err
			}
		}
		m, err := env.Method(name, a)
		if err != nil {
			return nil, err
		}
		a.Methods[name] = m
		if a.Synced && a.First == "" && len(m.Commands) > 0 {
			a.First = name
		}
		if a.Synced && a.First == "" && m.Error != "" {
			a.First = "error"
		}
	}
	if a.First == "" {
		a.First = "none"
	}
	return a, nil
}
