#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SQL {
    /// The maximum size in bytes of texts and blobs that are copied into `bytes`; longer ones become objects.
    static var maximumInlineByteCount: Int { 4096 }

    /// Appends text from the source code.
    @inlinable
    @inline(__always)
    mutating func append(_ literal: StaticString) {
        parts.append(.literal(literal))
        literalHash = (literalHash ^ UInt(bitPattern: literal.utf8Start)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Appends a parameter and its value.
    @inlinable
    @inline(__always)
    mutating func append(_ value: SQLValue) {
        switch value {
        case .null: parts.append(.null)
        case .integer(let integer): parts.append(.integer(integer))
        case .real(let real): parts.append(.real(real))
        case .text(let text): append(text: text)
        case .blob(let blob): append(blob: blob)
        }
    }

    @usableFromInline
    mutating func append(text: String) {
        // Contiguous text, the usual case, is not even retained.
        let fits = text.utf8.withContiguousStorageIfAvailable { append(text: $0) }
        if let fits, fits { return }
        var copy = text
        if fits != nil || !copy.withUTF8({ append(text: $0) }) { append(Object.value(.text(text))) }
    }

    private mutating func append(text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= Self.maximumInlineByteCount else { return false }
        parts.append(.text(text.count))
        append(text)
        return true
    }

    @usableFromInline
    mutating func append(blob: [UInt8]) {
        guard blob.count <= Self.maximumInlineByteCount else { return append(Object.value(.blob(blob))) }
        parts.append(.blob(blob.count))
        blob.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(data: Data) {
        guard data.count <= Self.maximumInlineByteCount else { return append(Object.data(data)) }
        parts.append(.blob(data.count))
        data.withUnsafeBytes { append($0.bindMemory(to: UInt8.self)) }
    }

    private mutating func append(_ added: UnsafeBufferPointer<UInt8>) {
        // Reserves space for a few short texts at once, to avoid an allocation for each.
        if bytes.capacity == 0 { bytes.reserveCapacity(max(96, added.count)) }
        bytes.append(contentsOf: added)
    }

    /// Appends a part that is long or rare.
    @usableFromInline
    @inline(never)
    mutating func append(_ object: Object) {
        parts.append(.object(objects.count))
        objects.append(object)
    }

    /// Concatenates two pieces of SQL, with the values that they bind.
    ///
    /// ```swift
    /// let largest: SQL = "SELECT name FROM cities WHERE population > \(1_000_000)" + " ORDER BY population DESC"
    /// ```
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Appends a piece of SQL, with the values that it binds.
    ///
    /// ```swift
    /// var sql: SQL = "SELECT name FROM cities"
    /// if let country { sql += " WHERE country = \(country)" }
    /// ```
    public static func += (left: inout SQL, right: SQL) {
        let shift = left.objects.count
        for part in right.parts {
            switch part {
            case .literal(let literal): left.append(literal)
            case .object(let index): left.parts.append(.object(index + shift))
            default: left.parts.append(part)
            }
        }
        left.bytes += right.bytes
        left.objects += right.objects
    }
}

extension Sequence<SQL> {
    /// Concatenates the pieces with `separator` between them; the result is empty without pieces.
    ///
    /// ```swift
    /// let condition = conditions.joined(separator: " AND ")
    /// // "a = ? AND b = ?"
    /// ```
    public func joined(separator: SQL) -> SQL {
        var joined = SQL()
        for (index, piece) in enumerated() {
            if index > 0 { joined += separator }
            joined += piece
        }
        return joined
    }
}
