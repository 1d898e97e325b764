"""What the manifests name already and the code does not have yet.

Each of these is on its way; `test_nothing_is_awaited_that_is_there` fails as soon as one has come,
and then its line goes. When the last one has gone, so does this file.
"""

from __future__ import annotations

SETTINGS = {"archive_url", "drain_s", "finish_s", "metrics_port"}
QUEUES = {"series": 60}
"""Queue -> its hard limit in seconds."""
WORKER_OPTIONS = {"--nice"}
MODULES = {"api.__main__"}
