internal import CSQLite

extension SQLiteError {
    /// A result code: positive for SQLite, negative for this library.
    ///
    /// ```swift
    /// do {
    ///     try await database.write { db in try db.execute("INSERT INTO cities (name) VALUES (\(name))") }
    /// } catch let error as SQLiteError where error.extendedCode == .constraintUnique {
    ///     // The name is taken. `error.code` is `.constraint`, the primary code.
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The numeric code, extended or not.
        public let rawValue: Int32

        /// Creates a code from its number, known to this version or not.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The code without its extension: ``constraint`` for ``constraintUnique``.
        public var primary: Code {
            rawValue < 0 ? self : Code(rawValue: rawValue & 0xFF)
        }
    }
}

// The result codes of SQLite: https://www.sqlite.org/rescode.html
extension SQLiteError.Code {
    /// A generic error, usually a mistake in the SQL text.
    public static let error = Self(rawValue: SQLITE_ERROR)
    /// Access was denied by the permissions of the file.
    public static let permission = Self(rawValue: SQLITE_PERM)
    /// Another connection holds the lock, and the busy timeout has passed.
    public static let busy = Self(rawValue: SQLITE_BUSY)
    /// A conflict within the same connection or a shared cache.
    public static let locked = Self(rawValue: SQLITE_LOCKED)
    /// SQLite could not allocate the memory it needs.
    public static let noMemory = Self(rawValue: SQLITE_NOMEM)
    /// An attempt to change a read-only database.
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    /// The operation was interrupted, by cancellation or on closing.
    public static let interrupt = Self(rawValue: SQLITE_INTERRUPT)
    /// The operating system reported an I/O error.
    public static let io = Self(rawValue: SQLITE_IOERR)
    /// The file is damaged: its pages contradict each other.
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    /// The disk is full, or the file has reached its allowed size.
    public static let full = Self(rawValue: SQLITE_FULL)
    /// The file, or one beside it, could not be opened.
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    /// A text or blob exceeds the size limit.
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    /// A constraint was violated; `extendedCode` specifies its kind.
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    /// A value of the wrong type, an unexpected NULL, or a value outside the range of its type.
    public static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    /// The library was used incorrectly: a programming error.
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    /// A parameter or column that does not exist.
    public static let range = Self(rawValue: SQLITE_RANGE)
    /// The file is not a database, or it is encrypted.
    public static let notADatabase = Self(rawValue: SQLITE_NOTADB)

    /// A `UNIQUE` constraint failed: another row has the value.
    public static let constraintUnique = Self(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// A `PRIMARY KEY` constraint failed: another row has the key.
    public static let constraintPrimaryKey = Self(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A foreign key constraint failed: the referenced row is missing.
    public static let constraintForeignKey = Self(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    /// A `NOT NULL` constraint failed: the value is missing.
    public static let constraintNotNull = Self(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    /// A `CHECK` constraint failed: its expression is false.
    public static let constraintCheck = Self(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// A trigger raised an error with `RAISE`.
    public static let constraintTrigger = Self(rawValue: SQLITE_CONSTRAINT | (7 << 8))
}

// The codes of this library.
extension SQLiteError.Code {
    /// An access began within another access to the same database, which would otherwise deadlock.
    public static let reentrantAccess = Self(rawValue: -1)
    /// The database has been closed, by this process.
    public static let closed = Self(rawValue: -2)
    /// A newer version of the app has migrated the file.
    public static let databaseIsNewer = Self(rawValue: -3)
    /// An applied migration was changed, renamed or removed.
    public static let migrationChanged = Self(rawValue: -4)
    /// The file was moved, deleted, replaced or overwritten while the database was open.
    public static let replaced = Self(rawValue: -5)
}
