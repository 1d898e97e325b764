"""Image, compose file and manifests, checked without an engine or a cluster."""
