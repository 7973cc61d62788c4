#include <sqlite3.h>

// A macro of SQLite's that is a cast of an integer to a function pointer, which Swift does not import.

/// Tells `sqlite3_bind_*` to take its own copy of the bytes.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic functions are not imported either.

/// `sqlite3_db_config` for the options that take a switch.
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Tells the processor that the thread is waiting for another in a loop.
static inline void csqlite_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ __volatile__("yield");
#endif
}
