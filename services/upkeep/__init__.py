"""What operators do to all that is stored: back it up, put it back, fold it by another build."""

from collections.abc import Callable

Tell = Callable[[int, int], None]
"""Told of how many are done, of how many."""
