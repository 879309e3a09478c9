//go:build !karpenter_1_15

package main

import awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"

// classErrors is empty: before 1.15 the NodeClass controller looks at AWS alone, and the API server at the object.
func classErrors(*awsv1.EC2NodeClass, map[string]bool) []error { return nil }
