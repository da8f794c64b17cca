"""`python -m felt_field` is `felt`, for where no command could be installed."""

import sys

from .start import main

sys.exit(main())
