package scenario

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// repairPolicy is a policy of node repair as the disruption settings of a scenario write it.
type repairPolicy struct {
	Type                   string  `json:"type"`
	Status                 string  `json:"status"`
	Toleration             string  `json:"toleration"`
	ReasonRegex            string  `json:"reasonRegex"`
	TerminationGracePeriod *string `json:"terminationGracePeriod"`
	Priority               int     `json:"priority"`
	Action                 *string `json:"action"`
}

// repairs returns what the provider says about repair.
func (s *Scenario) repairs() (repairs, error) {
	policies, err := s.repairPolicies()
	return newRepairs(policies), err
}

// repairPolicies returns the policies of the disruption settings, none where there are no settings.
func (s *Scenario) repairPolicies() ([]cloudprovider.RepairPolicy, error) {
	raw, ok := s.Extra["disruption"]
	if !ok {
		return nil, nil
	}
	set := struct {
		RepairPolicies []repairPolicy `json:"repairPolicies"`
	}{}
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, err
	}
	var out []cloudprovider.RepairPolicy
	for _, p := range set.RepairPolicies {
		tolerated, err := time.ParseDuration(p.Toleration)
		if err != nil {
			return nil, err
		}
		x := cloudprovider.RepairPolicy{ConditionType: corev1.NodeConditionType(p.Type), ConditionStatus: corev1.ConditionStatus(p.Status), TolerationDuration: tolerated}
		if err := p.addNewer(&x); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
