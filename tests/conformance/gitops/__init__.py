"""Small repositories, and what the controllers of GitOps apply from them, by their own code."""
