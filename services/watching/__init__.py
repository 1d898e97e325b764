"""How a process is watched: metrics for Prometheus, log lines, whether it gets on."""
