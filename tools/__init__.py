"""What only those who build Cutlist use: benchmarks, oracle, releases, the site, types of SDKs, doors of pipelines."""
