"""What holds for all tests of pages that show what is known over many nights."""

import math

from tracker.extras._night_summaries import summaries

# A busy machine is no fault of a page: here it waits for all figures, and not two seconds until it says how far they
# are.
summaries.MOST_SECONDS = math.inf
