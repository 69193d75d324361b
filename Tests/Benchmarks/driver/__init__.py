"""The benchmarks' driver: builds ours and the peers, runs them interleaved, prints medians and ratios."""
