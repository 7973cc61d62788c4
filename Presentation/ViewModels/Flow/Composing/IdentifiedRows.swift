import Synchronization

/// An ordered collection of rows with unique ids.
///
/// It behaves like an array, with a constant-time look-up `rows[id: id]`.
///
/// ```swift
/// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2)]
/// rows[id: 2]?.isLiked = true
/// rows.remove(id: 1)
/// rows.map(\.id)    // [2]
/// ```
///
/// Changing or appending a row takes amortised constant time; inserting or removing one elsewhere is linear in the
/// number of rows behind it.
public struct IdentifiedRows<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
    @usableFromInline var elements: [Row] = []
    @usableFromInline var indices: [Row.ID: Int] = [:]
    /// Changes when rows are added or removed. Unique in the process, so that replacing the list changes it, too.
    @usableFromInline private(set) var membership = Self.nextMembership()

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of these rows. Of several with the same id, the last is kept, at the position of the first.
    public init<Elements: Sequence>(_ rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// The ids, in order.
    public var ids: [Row.ID] { elements.map(\.id) }

    /// Whether the collection contains a row with that id.
    ///
    /// ```swift
    /// let rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2)]
    /// rows.contains(id: 2)    // true
    /// ```
    public func contains(id: Row.ID) -> Bool { indices[id] != nil }

    /// The index of the row with that id; `nil` if there is none. Takes constant time.
    ///
    /// ```swift
    /// let rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2)]
    /// rows.index(id: 2)    // 1
    /// ```
    public func index(id: Row.ID) -> Int? { indices[id] }

    /// Appends a row; a row with the same id is replaced at its position.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1)]
    /// rows.append(Post(id: 2))
    /// rows.ids    // [1, 2]
    /// ```
    public mutating func append(_ row: Row) {
        if let index = indices[row.id] {
            elements[index] = row
        } else {
            indices[row.id] = elements.count
            elements.append(row)
            membership = Self.nextMembership()
        }
    }

    /// Appends rows; rows with the same ids are replaced at their positions.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1)]
    /// rows.append(contentsOf: [Post(id: 2), Post(id: 1)])
    /// rows.ids    // [1, 2]
    /// ```
    public mutating func append<Elements: Sequence>(contentsOf rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// Inserts a row before the row at `index`; a row with the same id is removed first.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.insert(Post(id: 9), at: 1)
    /// rows.ids    // [1, 9, 2, 3]
    /// ```
    public mutating func insert(_ row: Row, at index: Int) {
        let isBehind = indices[row.id].map { $0 < index } ?? false
        remove(id: row.id)
        elements.insert(row, at: isBehind ? index - 1 : index)
        renumber(from: isBehind ? index - 1 : index)
        membership = Self.nextMembership()
    }

    /// Removes and returns the row with that id; `nil` if there is none.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.remove(id: 2)    // Post(id: 2)
    /// rows.ids              // [1, 3]
    /// ```
    @discardableResult
    public mutating func remove(id: Row.ID) -> Row? {
        guard let index = indices.removeValue(forKey: id) else { return nil }
        let removed = elements.remove(at: index)
        renumber(from: index)
        membership = Self.nextMembership()
        return removed
    }

    /// Removes the rows that satisfy `isLeaving`. Rethrows the error of `isLeaving`; then it removes none.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.removeAll { $0.id > 1 }
    /// rows.ids    // [1]
    /// ```
    public mutating func removeAll(where isLeaving: (Row) throws -> Bool) rethrows {
        self = IdentifiedRows(try elements.filter { try !isLeaving($0) })
    }

    /// Removes all rows. In a flow, their side effects end.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2)]
    /// rows.removeAll()
    /// rows.ids    // []
    /// ```
    public mutating func removeAll() {
        self = IdentifiedRows()
    }

    /// Sorts the rows in place. No row is added or removed, so no side effect ends.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.sort { $0.id > $1.id }
    /// rows.ids    // [3, 2, 1]
    /// ```
    public mutating func sort(by comesBefore: (Row, Row) throws -> Bool) rethrows {
        elements = try elements.sorted(by: comesBefore)
        renumber(from: 0)
    }

    /// Moves the row with that id so that its index becomes `index`; does nothing if there is no such row.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.move(id: 1, to: 2)
    /// rows.ids    // [2, 3, 1]
    /// ```
    public mutating func move(id: Row.ID, to index: Int) {
        guard let old = indices[id] else { return }
        elements.insert(elements.remove(at: old), at: index)
        renumber(from: Swift.min(old, index))
    }

    /// Moves the rows at some positions in front of the one at `destination`, in their order; all positions are those
    /// before the move. For `onMove` of a SwiftUI list.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
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

    /// Removes the rows at some positions. For `onDelete` of a SwiftUI list.
    ///
    /// ```swift
    /// var rows: IdentifiedRows<Post> = [Post(id: 1), Post(id: 2), Post(id: 3)]
    /// rows.remove(atOffsets: [0, 2])
    /// rows.ids    // [2]
    /// ```
    ///
    /// - Parameter offsets: The positions of the rows, such as an `IndexSet`.
    public mutating func remove<Offsets: Sequence<Int>>(atOffsets offsets: Offsets) {
        let offsets = Set(offsets)
        if offsets.isEmpty { return }
        self = IdentifiedRows(elements.indices.filter { !offsets.contains($0) }.map { elements[$0] })
    }

    /// Changes the row with that id in place, and returns the result of `body`; `nil` if there is no such row. Rethrows
    /// the error of `body`.
    ///
    /// - Precondition: `body` does not change the id of the row.
    ///
    /// ```swift
    /// rows.update(2) { $0.isLiked = true }    // nil if there is no row 2
    /// ```
    @inlinable
    @discardableResult
    public mutating func update<Result>(_ id: Row.ID, _ body: (inout Row) throws -> Result) rethrows -> Result? {
        guard let index = indices[id] else { return nil }
        let result = try body(&elements[index])
        precondition(elements[index].id == id, "the id of a row changed: remove the row and append the new one")
        return result
    }

    private mutating func renumber(from start: Int) {
        for index in start..<elements.count { indices[elements[index].id] = index }
    }

    private static func nextMembership() -> UInt64 { MembershipCounter.next() }
}

extension IdentifiedRows {
    /// The row with that id. Setting it replaces or appends the row; setting it to `nil` removes the row.
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
            // Moves the row out of the array during the access instead of copying it, so that it is changed in place.
            elements.swapAt(index, elements.count - 1)
            var row: Row? = elements.removeLast()
            defer {
                if let row {
                    precondition(row.id == id, "the id of a row changed: remove the row and append the new one")
                    elements.append(row)
                    elements.swapAt(index, elements.count - 1)
                } else {
                    if index < elements.count {
                        // The last row fills the gap: move it back and close the gap.
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
