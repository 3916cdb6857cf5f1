# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `miniapp --json` wrote, as pandas DataFrames, and the usual figures of it."""
from .compare import compare
from .figures import ladder, navchart, ratios, sweep
from .frames import answers, navigation, p3, read, summary, ways
from .record import RecordError

__all__ = ["RecordError", "answers", "compare", "ladder", "navchart", "navigation", "p3", "ratios", "read", "summary", "sweep", "ways"]
