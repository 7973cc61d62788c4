// Awaiting its first test.
