#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>

/// Whether allocations can be counted on this platform.
bool allocations_are_counted(void);

/// Starts counting at 0.
void allocations_start(void);

/// Stops counting and returns the number of blocks that all threads have allocated since the start.
long allocations_stop(void);

#endif
