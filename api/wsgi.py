"""What the server loads: `granian --interface wsgi api.wsgi:app`."""

from __future__ import annotations

import os
import sys

from api.process import make_app
from services.watching import logs
from shared.errors import Unavailable
from shared.settings import SettingsError, from_env

try:
    logs.set_up(from_env(os.environ).log_level)
    app = make_app(os.environ)
except (SettingsError, Unavailable) as wrong:
    print(wrong, file=sys.stderr)
    sys.exit(1)
