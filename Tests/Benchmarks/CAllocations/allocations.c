// Counts heap allocations by taking the place of `malloc` and its like, which pass on to the C library's own functions.
// While nothing is counted, a call costs one load and one branch more.
#include "CAllocations.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool is_counting;
static atomic_long count;

static inline void note(void) {
    if (__builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), 0)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

// A block that grows counts as one: it may have to move.
void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note();
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

bool allocations_are_counted(void) { return true; }

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, true);
}

long allocations_stop(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&count);
}

#else

bool allocations_are_counted(void) { return false; }
void allocations_start(void) {}
long allocations_stop(void) { return 0; }

#endif
