extension IdentifiedRows: RandomAccessCollection {
    /// The position of the first row, which is 0.
    public var startIndex: Int { 0 }
    /// The position after the last row: the number of rows.
    public var endIndex: Int { elements.count }

    /// The row at a position. To change a row, use its id.
    public subscript(position: Int) -> Row { elements[position] }
}

extension IdentifiedRows: Equatable where Row: Equatable {
    /// Whether both contain equal rows in the same order.
    public static func == (lhs: IdentifiedRows, rhs: IdentifiedRows) -> Bool { lhs.elements == rhs.elements }
}

extension IdentifiedRows: Hashable where Row: Hashable {
    /// Mixes the rows into `hasher`, in order.
    public func hash(into hasher: inout Hasher) {
        elements.hash(into: &hasher)
    }
}

extension IdentifiedRows: ExpressibleByArrayLiteral {
    /// Creates a collection of these rows, in their order; their ids must differ.
    public init(arrayLiteral rows: Row...) {
        self.init(rows)
    }
}

extension IdentifiedRows: Decodable where Row: Decodable {
    /// Decodes the rows from an array; rethrows the errors of the decoder.
    public init(from decoder: any Decoder) throws {
        self.init(try [Row](from: decoder))
    }
}

extension IdentifiedRows: Encodable where Row: Encodable {
    /// Encodes the rows as an array, in their order; rethrows the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension IdentifiedRows: CustomStringConvertible {
    /// The description of the rows as an array.
    public var description: String { elements.description }
}

extension IdentifiedRows: CustomReflectable {
    /// The mirror of the rows as an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
