module cutlist/oracle-gitops/objects

go 1.26.0
