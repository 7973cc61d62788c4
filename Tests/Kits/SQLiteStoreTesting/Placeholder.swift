// Awaiting its first type.
