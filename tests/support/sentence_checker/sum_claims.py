"""Claims about the sums of cages and arrows, and about innies and outies."""
