#include <sqlite3.h>

// Two of SQLite's macros are casts of integers to function pointers, which Swift does not import.

/// Tells `sqlite3_bind_*` that the bytes outlive the statement's next step.
static inline sqlite3_destructor_type csqlite_static(void) { return SQLITE_STATIC; }

/// Tells `sqlite3_bind_*` to take its own copy of the bytes.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic functions are not imported either.

/// `sqlite3_db_config` for the options that take a switch.
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
