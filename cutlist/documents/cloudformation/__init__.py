"""Templates of CloudFormation, as CDK synthesizes them."""
