public import CSQLite
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Binds the values of one run of a statement, in the order of its parameters.
///
/// ```swift
/// try db.execute("INSERT INTO cities (name, population) VALUES (?, ?)", forEach: cities) { city, values in
///     try values.bind(city.name, city.population)
/// }
/// ```
public struct ParameterBinder: ~Copyable {
    @usableFromInline
    let statement: OpaquePointer
    @usableFromInline
    var index: Int32 = 0
    /// The memory of bound texts and blobs during a run, reused for each run.
    @usableFromInline
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    @usableFromInline
    var used = 0

    @inlinable
    init(statement: OpaquePointer) {
        self.statement = statement
    }

    @inlinable
    deinit {
        bytes.deallocate()
    }

    /// Binds the next value.
    ///
    /// - Throws: ``SQLiteError`` if the value cannot be converted, or with `.range` if there are no more parameters.
    @inlinable
    @inline(__always)
    public mutating func bind<Value: SQLBindable>(_ value: Value) throws {
        index += 1
        let code =
            switch try value.sqlValue {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
            case .real(let real): sqlite3_bind_double(statement, index, real)
            case .text(let text): bind(text: text)
            case .blob(let blob): bind(blob: blob)
            }
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Binds the next values, in order, as one is bound by itself. For very many rows with more than two values, one call
    /// for each value is faster, because the compiler does not specialise this one.
    @inlinable
    @inline(__always)
    public mutating func bind<First: SQLBindable, Second: SQLBindable, each Rest: SQLBindable>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) throws {
        try bind(first)
        try bind(second)
        repeat try bind(each rest)
    }

    /// Binds the next value as a `BLOB`, without copying it into an array.
    public mutating func bind(_ data: Data) throws {
        index += 1
        let code = data.withUnsafeBytes { bind(bytes: $0) }
        if code != SQLITE_OK { throw failure(code) }
    }

    public mutating func bind(_ data: Data?) throws {
        if let data { try bind(data) } else { try bind(SQLValue.null) }
    }

    @inlinable
    mutating func bind(text: String) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            if let copy = copy(UnsafeRawBufferPointer(utf8)) {
                return sqlite3_bind_text(
                    statement, index, copy.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: utf8.count),
                    nil)
            }
            return sqlite3_bind_text64(
                statement, index, UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self),
                UInt64(utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
    }

    @usableFromInline
    mutating func bind(blob: [UInt8]) -> Int32 {
        blob.withUnsafeBytes { bind(bytes: $0) }
    }

    private mutating func bind(bytes: UnsafeRawBufferPointer) -> Int32 {
        if let copy = copy(bytes) { return sqlite3_bind_blob(statement, index, copy, Int32(bytes.count), nil) }
        return sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), csqlite_transient())
    }

    /// Copies the bytes; returns nil if they do not fit, and SQLite must copy them.
    @inlinable
    mutating func copy(_ source: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let base = bytes.baseAddress, source.count <= bytes.count - used else { return nil }
        let copy = base + used
        if let start = source.baseAddress { copy.copyMemory(from: start, byteCount: source.count) }
        used += source.count
        return UnsafeRawPointer(copy)
    }

    @inlinable
    mutating func rewind() {
        index = 0
        used = 0
    }

    @usableFromInline
    @inline(never)
    func failure(_ code: Int32) -> SQLiteError {
        .last(
            on: sqlite3_db_handle(statement), code: code, sql: sqlite3_sql(statement).map { String(cString: $0) })
    }
}
