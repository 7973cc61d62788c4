extension Rows: RandomAccessCollection {
    /// The position of the first row.
    public var startIndex: Int { 0 }
    /// The position behind the last row.
    public var endIndex: Int { elements.count }

    /// The row at a position. To change it, use its id.
    public subscript(position: Int) -> Row { elements[position] }
}

extension Rows: Equatable where Row: Equatable {
    /// Whether the same rows are there in the same order.
    public static func == (lhs: Rows, rhs: Rows) -> Bool { lhs.elements == rhs.elements }
}

extension Rows: Hashable where Row: Hashable {
    /// Mixes the rows into `hasher`, in order.
    public func hash(into hasher: inout Hasher) {
        elements.hash(into: &hasher)
    }
}

extension Rows: ExpressibleByArrayLiteral {
    /// These rows.
    public init(arrayLiteral rows: Row...) {
        self.init(rows)
    }
}

extension Rows: Decodable where Row: Decodable {
    /// Rows from an array.
    public init(from decoder: any Decoder) throws {
        self.init(try [Row](from: decoder))
    }
}

extension Rows: Encodable where Row: Encodable {
    /// The rows as an array.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension Rows: CustomStringConvertible {
    /// The rows, as an array describes them.
    public var description: String { elements.description }
}

extension Rows: CustomReflectable {
    /// The rows, as an array shows them.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
