"""Speed, as ratios within one run: `make bench` prints a table; nothing in here is a test."""
