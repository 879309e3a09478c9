"""Manifests read as groups of pods, with everything that shapes the pods."""
