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

// Files of a connection are reached through a structure of C functions with volatile memory, which Swift does not import.

/// The counter of commits in the wal-index of a database that this connection has read in WAL mode
/// (https://www.sqlite.org/walformat.html, `iChange`); NULL if there is none. It stays valid until the connection closes.
static inline const volatile unsigned int *csqlite_wal_counter(sqlite3 *db, const char *name) {
    sqlite3_file *file = 0;
    volatile void *region = 0;
    if (sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || !region) return 0;
    const volatile unsigned int *header = (const volatile unsigned int *)region;
    return header[0] == 3007000 ? header + 2 : 0;
}

/// Reads a counter that another process may be writing.
static inline unsigned int csqlite_load(const volatile unsigned int *counter) {
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/// Reads `count` bytes of a database file, without a lock; returns a result code.
static inline int csqlite_read(sqlite3 *db, const char *name, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    return file->pMethods->xRead(file, bytes, count, offset);
}

/// The size of the write-ahead log of a database in bytes; returns a result code.
static inline int csqlite_log_size(sqlite3 *db, const char *name, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, name, SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    return file->pMethods->xFileSize(file, size);
}
