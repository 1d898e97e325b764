"""What the server loads: `granian --interface wsgi api.wsgi:app`."""

from __future__ import annotations

import os
import sys

from api.process import make_app
from shared.errors import Unavailable
from shared.settings import SettingsError

try:
    app = make_app(os.environ)
except (SettingsError, Unavailable) as wrong:
    print(wrong, file=sys.stderr)
    sys.exit(1)
