import Synchronization

/// Rows in order, each found by its id at once.
///
/// What it shows is an array; what it adds is `rows[id: id]`, in constant time, and that no id is there twice.
///
/// ```swift
/// var rows: Rows<Post> = [Post(id: 1), Post(id: 2)]
/// rows[id: 2]?.isLiked = true
/// rows.remove(id: 1)
/// rows.map(\.id)    // [2]
/// ```
///
/// Changing a row, or appending one, takes constant time; inserting and removing elsewhere takes time that grows with the
/// number of rows behind it.
public struct Rows<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
    @usableFromInline var elements: [Row] = []
    @usableFromInline var indices: [Row.ID: Int] = [:]
    /// Differs if rows came or went. Unique in the process, so that a list that takes the place of another is found out.
    @usableFromInline private(set) var membership = Self.nextMembership()

    /// No rows.
    public init() {}

    /// These rows. Of several with the same id the last counts, in the place of the first.
    public init<Elements: Sequence>(_ rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// The ids, in order.
    public var ids: [Row.ID] { elements.map(\.id) }

    /// Whether there is a row with that id.
    public func contains(id: Row.ID) -> Bool { indices[id] != nil }

    /// Where the row with that id stands.
    public func index(id: Row.ID) -> Int? { indices[id] }

    /// Adds a row at the end; one with the same id is replaced where it stands.
    public mutating func append(_ row: Row) {
        if let index = indices[row.id] {
            elements[index] = row
        } else {
            indices[row.id] = elements.count
            elements.append(row)
            membership = Self.nextMembership()
        }
    }

    /// Adds rows at the end; those that are there are replaced where they stand.
    public mutating func append<Elements: Sequence>(contentsOf rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// Puts a row in front of that at `index`; one with the same id is taken out before.
    public mutating func insert(_ row: Row, at index: Int) {
        let isBehind = indices[row.id].map { $0 < index } ?? false
        remove(id: row.id)
        elements.insert(row, at: isBehind ? index - 1 : index)
        renumber(from: isBehind ? index - 1 : index)
        membership = Self.nextMembership()
    }

    /// Takes a row out.
    @discardableResult
    public mutating func remove(id: Row.ID) -> Row? {
        guard let index = indices.removeValue(forKey: id) else { return nil }
        let removed = elements.remove(at: index)
        renumber(from: index)
        membership = Self.nextMembership()
        return removed
    }

    /// Takes out the rows for which `isLeaving` holds.
    public mutating func removeAll(where isLeaving: (Row) throws -> Bool) rethrows {
        self = Rows(try elements.filter { try !isLeaving($0) })
    }

    /// Takes out all rows.
    public mutating func removeAll() {
        self = Rows()
    }

    /// Puts the rows in another order.
    public mutating func sort(by comesBefore: (Row, Row) throws -> Bool) rethrows {
        try elements.sort(by: comesBefore)
        renumber(from: 0)
    }

    /// Moves a row to where that at `index` stands.
    public mutating func move(id: Row.ID, to index: Int) {
        guard let old = indices[id] else { return }
        elements.insert(elements.remove(at: old), at: index)
        renumber(from: Swift.min(old, index))
    }

    /// Moves the rows at some positions in front of the one at `destination`, in their order; all positions are those before
    /// the move. What `onMove` of a SwiftUI list asks for.
    ///
    /// ```swift
    /// var rows: Rows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.move(fromOffsets: [0], toOffset: 3)
    /// rows.ids    // [2, 3, 1]
    /// ```
    ///
    /// - Parameters:
    ///   - offsets: The positions of the rows, such as an `IndexSet`.
    ///   - destination: A position, or the number of rows for the end.
    public mutating func move<Offsets: Sequence<Int>>(fromOffsets offsets: Offsets, toOffset destination: Int) {
        let offsets = Set(offsets)
        let moved = elements.indices.filter(offsets.contains).map { elements[$0] }
        let before = elements.indices.filter { $0 < destination && !offsets.contains($0) }.map { elements[$0] }
        let after = elements.indices.filter { $0 >= destination && !offsets.contains($0) }.map { elements[$0] }
        elements = before + moved + after
        renumber(from: 0)
    }

    /// Takes out the rows at some positions. What `onDelete` of a SwiftUI list asks for.
    ///
    /// - Parameter offsets: The positions of the rows, such as an `IndexSet`.
    public mutating func remove<Offsets: Sequence<Int>>(atOffsets offsets: Offsets) {
        let offsets = Set(offsets)
        if offsets.isEmpty { return }
        self = Rows(elements.indices.filter { !offsets.contains($0) }.map { elements[$0] })
    }

    /// Changes a row in place; `nil` if it is not there.
    ///
    /// A row keeps its id.
    @inlinable
    @discardableResult
    public mutating func update<Result>(_ id: Row.ID, _ body: (inout Row) throws -> Result) rethrows -> Result? {
        guard let index = indices[id] else { return nil }
        let result = try body(&elements[index])
        precondition(elements[index].id == id, "a row changed its id: remove it, and append the other")
        return result
    }

    private mutating func renumber(from start: Int) {
        for index in start..<elements.count { indices[elements[index].id] = index }
    }

    private static func nextMembership() -> UInt64 { MembershipCounter.next() }
}

extension Rows {
    /// The row with that id. Setting it replaces the row or appends one; setting it to `nil` takes it out.
    ///
    /// `rows[id: id]?.title = "…"` changes the row in place.
    public subscript(id id: Row.ID) -> Row? {
        get { indices[id].map { elements[$0] } }
        _modify {
            guard let index = indices[id] else {
                var row: Row?
                yield &row
                if let row { append(row) }
                return
            }
            // The row is taken out of the array for the time being, and not copied, so that it is changed in place.
            elements.swapAt(index, elements.count - 1)
            var row: Row? = elements.removeLast()
            defer {
                if let row {
                    precondition(row.id == id, "a row changed its id: remove it, and append the other")
                    elements.append(row)
                    elements.swapAt(index, elements.count - 1)
                } else {
                    if index < elements.count {
                        // What was last stands in the gap: put it back and close the gap.
                        elements.append(elements.remove(at: index))
                    }
                    indices[id] = nil
                    renumber(from: index)
                    membership = Self.nextMembership()
                }
            }
            yield &row
        }
    }
}

private enum MembershipCounter {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
