"""GPUs that a device plugin shares: what nodes offer once they are ready, and what Karpenter has to know of it.

The configuration is a text in a ConfigMap: of NVIDIA's device plugin (time-slicing, MPS), or of the MIG manager of the GPU
operator. Karpenter reads nothing of this.
"""
