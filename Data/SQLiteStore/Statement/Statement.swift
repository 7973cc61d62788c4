internal import CSQLite

/// A compiled statement, with the memory that its bound texts and blobs lie in while it runs.
@usableFromInline
final class Statement {
    @usableFromInline
    let handle: OpaquePointer
    let sql: String
    let parameterCount: Int
    let isReadOnly: Bool
    /// Whether it is stepping: the same SQL, run again meanwhile, needs another statement.
    var isRunning = false
    /// When it was last run, in runs of the cache.
    var lastUse: UInt64 = 0
    private var bytes: UnsafeMutableRawBufferPointer

    /// The statement takes over `handle`.
    init(handle: OpaquePointer, sql: String) {
        self.handle = handle
        self.sql = sql
        parameterCount = Int(sqlite3_bind_parameter_count(handle))
        isReadOnly = sqlite3_stmt_readonly(handle) != 0
        bytes = .allocate(byteCount: parameterCount == 0 ? 0 : 256, alignment: 1)
    }

    deinit {
        sqlite3_finalize(handle)
        bytes.deallocate()
    }

    /// Binds every value of `sql`, in order.
    ///
    /// Texts and blobs are copied side by side into memory of this statement's own, which SQLite reads in place: one
    /// copy, no allocation. They stay as they are until the next binding, and a statement is bound only while it is
    /// reset. Long ones are left to SQLite to copy, so that the memory kept is small.
    func bind(_ sql: borrowing SQL) throws {
        if parameterCount == 0, sql.parts.count == 1 { return }
        var size = 0
        for part in sql.parts {
            switch part {
            case .value(.text(let text)), .argument(.text(let text)): size += Self.inlineSize(text.utf8.count)
            case .value(.blob(let blob)), .argument(.blob(let blob)): size += Self.inlineSize(blob.count)
            case .failure(let error): throw error
            default: break
            }
        }
        if size > bytes.count {
            bytes.deallocate()
            bytes = .allocate(byteCount: size * 2, alignment: 1)
        }
        var index: Int32 = 0
        var used = 0
        for part in sql.parts {
            switch part {
            case .value(let value), .argument(let value):
                index += 1
                let code = bind(value, at: index, using: &used)
                guard code == SQLITE_OK else { throw bindingError(code, at: index) }
            case .literal, .text, .failure: break
            }
        }
        guard Int(index) == parameterCount else { throw bindingError(SQLITE_RANGE, at: index) }
    }

    private func bind(_ value: SQLValue, at index: Int32, using used: inout Int) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .real(let real): return sqlite3_bind_double(handle, index, real)
        case .text(var text):
            return text.withUTF8 { utf8 in
                let utf8 = UnsafeRawBufferPointer(utf8)
                guard let copy = copy(utf8, using: &used) else {
                    return sqlite3_bind_text64(
                        handle, index, utf8.baseAddress, UInt64(utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
                }
                return sqlite3_bind_text(handle, index, copy, Int32(utf8.count), csqlite_static())
            }
        case .blob(let blob):
            return blob.withUnsafeBytes { blob in
                if blob.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
                guard let copy = copy(blob, using: &used) else {
                    return sqlite3_bind_blob64(
                        handle, index, blob.baseAddress, UInt64(blob.count), csqlite_transient())
                }
                return sqlite3_bind_blob(handle, index, copy, Int32(blob.count), csqlite_static())
            }
        }
    }

    /// The copy, or nil for what is left to SQLite to copy.
    private func copy(_ source: UnsafeRawBufferPointer, using used: inout Int) -> UnsafeRawPointer? {
        guard source.count <= Self.longestInline, let base = bytes.baseAddress else { return nil }
        let copy = base + used
        if let start = source.baseAddress { copy.copyMemory(from: start, byteCount: source.count) }
        used += source.count
        return UnsafeRawPointer(copy)
    }

    private static let longestInline = 4096

    private static func inlineSize(_ count: Int) -> Int {
        count <= longestInline ? count : 0
    }

    private func bindingError(_ code: Int32, at index: Int32) -> SQLiteError {
        if code == SQLITE_RANGE {
            return SQLiteError(
                .range,
                "\(parameterCount) parameters, but \(index) values or more: is a value inside of quotes?", sql: sql)
        }
        return .last(on: sqlite3_db_handle(handle), code: code, sql: sql)
    }
}
