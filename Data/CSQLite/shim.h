#include <sqlite3.h>
#if defined(__APPLE__)
#include <sys/mount.h>
#elif defined(__linux__)
#include <sys/vfs.h>
#if defined(__GLIBC__)
#include <linux/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#endif
#endif

// Swift does not import this macro, which casts an integer to a function pointer.

/// Makes `sqlite3_bind_*` copy the bytes.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

// Swift does not import variadic functions.

/// Calls `sqlite3_db_config` for an option with a Boolean value.
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

// The files of a connection are accessed through function pointers with volatile arguments, which Swift does not import.

/// Returns the commit counter in the wal-index of a database that this connection has read in WAL mode
/// (https://www.sqlite.org/walformat.html, `iChange`), or NULL. The address is valid until the connection closes.
static inline const volatile unsigned int *csqlite_wal_counter(sqlite3 *db, const char *name) {
    sqlite3_file *file = 0;
    volatile void *region = 0;
    if (sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || !region) return 0;
    const volatile unsigned int *header = (const volatile unsigned int *)region;
    return header[0] == 3007000 ? header + 2 : 0;
}

/// Reads a counter that another process may change.
static inline unsigned int csqlite_load(const volatile unsigned int *counter) {
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/// Reads `count` bytes of a database file without locking it, and returns a result code.
static inline int csqlite_read(sqlite3 *db, const char *name, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, name, SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    return file->pMethods->xRead(file, bytes, count, offset);
}

/// Reads `count` bytes of the write-ahead log of a database in WAL mode, and returns a result code.
static inline int csqlite_read_log(sqlite3 *db, const char *name, void *bytes, int count) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, name, SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    return file->pMethods->xRead(file, bytes, count, 0);
}

/// Gets the identity and size of a file without its times, and returns whether it could.
///
/// On Linux, the first write after the times of a file were read must record a distinguishable time, and costs more
/// (Documentation/filesystems/multigrain-ts.rst).
static inline int csqlite_status(
    const char *path, unsigned long long *device, unsigned long long *number, long long *size) {
#if defined(SYS_statx) && defined(STATX_SIZE)
    const int current_directory = -100; // AT_FDCWD
    struct statx status;
    if (syscall(SYS_statx, current_directory, path, 0, STATX_INO | STATX_SIZE, &status) != 0) return 0;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    *number = status.stx_ino;
    *size = (long long)status.stx_size;
    return 1;
#else
    return 0;
#endif
}

// The module of the C library for Swift does not have this function on Linux.

/// Returns whether a file is on a file system of this machine. Others, over a network or from the host of a virtual
/// machine, may correct the time of modification after a write.
static inline int csqlite_is_local(const char *path) {
#if defined(__APPLE__)
    struct statfs info;
    return statfs(path, &info) == 0 && (info.f_flags & MNT_LOCAL) != 0;
#elif defined(__linux__)
    struct statfs info;
    if (statfs(path, &info) != 0) return 0;
    switch ((unsigned int)info.f_type) { // linux/magic.h
    case 0xEF53: // ext2, ext3, ext4
    case 0x58465342: // XFS
    case 0x9123683E: // Btrfs
    case 0x01021994: // tmpfs
    case 0x794C7630: // overlay
    case 0xF2F52010: // F2FS
    case 0x2FC12FC1: // ZFS
    case 0xCA451A4E: // bcachefs
        return 1;
    }
    return 0;
#else
    return 0;
#endif
}
