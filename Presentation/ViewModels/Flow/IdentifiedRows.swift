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
/// Finding, changing and appending a row takes amortised constant time. So does removing one, and inserting one in front,
/// apart from moving the rows behind in memory: 7 µs among 10,000 rows, 70 µs among 100,000. After removals, and after
/// insertions between rows, finding a row takes a number of steps that is logarithmic in the number of rows. The first
/// insertion between rows is linear in the number of rows before or behind it, whichever is smaller; those that follow
/// are not.
///
/// A row may contain rows of its own type.
public struct IdentifiedRows<Row: Identifiable> {
    @usableFromInline var elements: [Row] = []
    /// The numbers of the rows, ascending in their order. A removal or an insertion leaves those of other rows as they
    /// are: the number of a row is `origin`, plus its index, plus at most `gaps`.
    @usableFromInline var numbers: [Row.ID: Int] = [:]
    @usableFromInline private(set) var origin = 0
    /// The number of unused numbers from `origin` to that of the last row, or more.
    @usableFromInline private(set) var gaps = 0
    /// Changes when rows are added or removed. Unique in the process, so that replacing the list changes it, too.
    @usableFromInline private(set) var membership = RowStamps.next()
    /// What was changed since a running flow asked for it; `nil` if none has asked.
    @usableFromInline private(set) var log: RowLog<Row.ID>?

    public init() {}

    /// Creates a collection of these rows. Of several with the same id, the last is kept, at the position of the first.
    public init<Elements: Sequence>(_ rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// The ids, in order.
    public var ids: [Row.ID] { elements.map(\.id) }

    /// Whether the collection contains a row with that id.
    public func contains(id: Row.ID) -> Bool { numbers[id] != nil }

    /// The index of the row with that id; `nil` if there is none.
    @inlinable
    public func index(id: Row.ID) -> Int? {
        guard let number = numbers[id] else { return nil }
        return gaps == 0 ? number - origin : index(number: number)
    }

    /// The index of the row with that number.
    @usableFromInline
    func index(number: Int) -> Int {
        var (low, high) = (Swift.max(0, number - origin - gaps), Swift.min(number - origin, elements.count - 1))
        while low < high {
            let middle = (low + high) / 2
            if self.number(at: middle) < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Appends a row; a row with the same id is replaced at its position.
    public mutating func append(_ row: Row) {
        if let index = index(id: row.id) {
            elements[index] = row
            didChange(row.id)
        } else {
            elements.append(row)
            assignNumber(at: elements.count - 1)
            didChangeMembership(of: row.id)
        }
    }

    /// Appends rows; rows with the same ids are replaced at their positions.
    public mutating func append<Elements: Sequence>(contentsOf rows: Elements) where Elements.Element == Row {
        for row in rows { append(row) }
    }

    /// Inserts a row before the row at `index`; a row with the same id is removed first.
    public mutating func insert(_ row: Row, at index: Int) {
        let isBehind = self.index(id: row.id).map { $0 < index } ?? false
        remove(id: row.id)
        elements.insert(row, at: isBehind ? index - 1 : index)
        assignNumber(at: isBehind ? index - 1 : index)
        didChangeMembership(of: row.id)
    }

    /// Removes and returns the row with that id; `nil` if there is none.
    @discardableResult
    public mutating func remove(id: Row.ID) -> Row? {
        guard let index = index(id: id) else { return nil }
        let removed = elements.remove(at: index)
        didRemove(id, at: index)
        return removed
    }

    /// Removes the rows that satisfy `isLeaving`. Rethrows the error of `isLeaving`; then it removes none.
    public mutating func removeAll(where isLeaving: (Row) throws -> Bool) rethrows {
        self = IdentifiedRows(try elements.filter { try !isLeaving($0) })
    }

    /// Removes all rows. In a flow, their side effects end.
    public mutating func removeAll() {
        self = IdentifiedRows()
    }

    /// Sorts the rows in place. No row is added or removed, so no side effect ends.
    public mutating func sort(by comesBefore: (Row, Row) throws -> Bool) rethrows {
        elements = try elements.sorted(by: comesBefore)
        renumber()
    }

    /// Moves the row with that id so that its index becomes `index`; does nothing if there is no such row.
    public mutating func move(id: Row.ID, to index: Int) {
        guard let old = self.index(id: id) else { return }
        if old == index { return }
        elements.insert(elements.remove(at: old), at: index)
        forgetNumber(of: id, at: old)
        assignNumber(at: index)
    }

    /// Changes the row with that id in place, and returns the result of `body`; `nil` if there is no such row. Rethrows
    /// the error of `body`.
    ///
    /// - Precondition: `body` does not change the id of the row.
    @inlinable
    @discardableResult
    public mutating func update<Result>(_ id: Row.ID, _ body: (inout Row) throws -> Result) rethrows -> Result? {
        guard let index = index(id: id) else { return nil }
        defer { if log != nil { didChange(id) } }
        let result = try body(&elements[index])
        precondition(elements[index].id == id, "the id of a row changed: remove the row and append the new one")
        return result
    }

    /// Replaces the first rows by rows with the same ids in the same order. Returns `false`, and replaces none, if the ids
    /// are others.
    mutating func replaceFirst(_ rows: [Row]) -> Bool {
        // By index: an iterator would copy each row.
        guard rows.count <= elements.count, rows.indices.allSatisfy({ elements[$0].id == rows[$0].id }) else {
            return false
        }
        for index in rows.indices {
            elements[index] = rows[index]
            didChange(rows[index].id)
        }
        return true
    }

    // MARK: Numbers

    /// The distance of numbers that leaves room for more.
    private static var room: Int { 1 << 16 }

    private func number(at index: Int) -> Int { numbers[elements[index].id] ?? origin }

    /// Numbers the rows by their indices.
    private mutating func renumber() {
        (origin, gaps) = (0, 0)
        for index in elements.indices { numbers[elements[index].id] = index }
    }

    /// Assigns a number to the new row at an index, between those of its neighbours.
    private mutating func assignNumber(at index: Int) {
        let id = elements[index].id
        if elements.count == 1 { (origin, gaps) = (0, 0) }
        if index == elements.count - 1 {
            numbers[id] = origin + index + gaps
        } else if index == 0 {
            origin -= 1
            numbers[id] = origin
        } else {
            let (before, after) = (number(at: index - 1), number(at: index + 1))
            if after - before == 1 { return makeRoom(at: index) }
            numbers[id] = before + (after - before) / 2
            gaps -= 1
        }
    }

    /// Assigns numbers to the new row at an index, and to the fewest rows around it so that there is room for more: to
    /// those of a part with unused numbers, or to all rows before or behind it.
    private mutating func makeRoom(at index: Int) {
        let room = Self.room
        var width = 8
        while true {
            let (low, high) = (index - width, index + width)
            if low <= 0 {
                let (end, old) = (number(at: index + 1), origin)
                origin = end - room * (index + 1)
                gaps += old - origin - 1
                return assign(0...index, from: origin, by: room)
            }
            if high >= elements.count - 1 {
                let begin = number(at: index - 1)
                assign(index...elements.count - 1, from: begin + room, by: room)
                gaps = number(at: elements.count - 1) - origin + 1 - elements.count
                return
            }
            let (begin, end) = (number(at: low - 1), number(at: high + 1))
            let step = (end - begin) / (high - low + 2)
            if step >= 64 {
                gaps -= 1
                return assign(low...high, from: begin + step, by: step)
            }
            width *= 2
        }
    }

    private mutating func assign(_ indices: ClosedRange<Int>, from number: Int, by step: Int) {
        for index in indices { numbers[elements[index].id] = number + (index - indices.lowerBound) * step }
    }

    /// Forgets the number of the row that was removed from an index.
    private mutating func forgetNumber(of id: Row.ID, at index: Int) {
        numbers[id] = nil
        if index == 0, gaps == 0 {
            origin += 1
        } else if index < elements.count {
            gaps += 1
        }
    }

    /// Forgets a row that was removed from the elements. Renumbers the rows if most were removed, so that the numbering
    /// costs every removal a constant; but not if there is room between them.
    private mutating func didRemove(_ id: Row.ID, at index: Int) {
        forgetNumber(of: id, at: index)
        if gaps > elements.count, gaps < Self.room { renumber() }
        didChangeMembership(of: id)
    }

    // MARK: Changes

    /// ``membership``, through a mutating access, which does not change the rows.
    @inlinable
    mutating func currentMembership() -> UInt64 { membership }

    /// Begins to record the rows that are added or removed, and those that may have changed otherwise if `allChanges`. It
    /// ends when more changes were recorded than there are rows.
    mutating func record(allChanges: Bool) {
        if let log, log.recordsAll || !allChanges { return }
        log = RowLog(recordsAll: allChanges)
    }

    private mutating func didChangeMembership(of id: Row.ID) {
        membership = RowStamps.next()
        if log != nil { addToLog(id) }
    }

    @usableFromInline
    mutating func didChange(_ id: Row.ID) {
        if log?.recordsAll == true { addToLog(id) }
    }

    private mutating func addToLog(_ id: Row.ID) {
        if let count = log?.changes.count, count > elements.count + 1_000 { log = nil }
        if !isKnownUniquelyReferenced(&log) { log = log.map { RowLog($0) } }
        log?.changes.append((id, RowStamps.next()))
    }
}

/// The changes of ``IdentifiedRows`` since the log began.
///
/// `@unchecked Sendable`: its rows change it only while they are the only ones that refer to it; a copy of the rows
/// continues a copy of the log.
@usableFromInline
final class RowLog<ID: Hashable> {
    private let id: UInt64
    let recordsAll: Bool
    fileprivate var changes: [(row: ID, stamp: UInt64)] = []

    fileprivate init(recordsAll: Bool) {
        id = RowStamps.next()
        self.recordsAll = recordsAll
    }

    fileprivate init(_ other: RowLog) {
        (id, recordsAll, changes) = (other.id, other.recordsAll, other.changes)
    }

    /// The end of the log.
    var mark: RowMark { RowMark(stamp: changes.last?.stamp ?? id, count: changes.count) }

    /// The rows that were recorded after a mark; `nil` if this is not the log with the mark.
    func rows(since mark: RowMark) -> [ID]? {
        guard changes.count >= mark.count else { return nil }
        let stamp = mark.count == 0 ? id : changes[mark.count - 1].stamp
        return stamp == mark.stamp ? changes[mark.count...].map(\.row) : nil
    }
}

extension RowLog: @unchecked Sendable where ID: Sendable {}

/// A position in a ``RowLog``. Two logs that contain it are equal up to it, because its stamp is unique in the process.
struct RowMark {
    fileprivate let stamp: UInt64
    fileprivate let count: Int
}

private enum RowStamps {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

extension IdentifiedRows {
    /// The row with that id. Setting it replaces or appends the row; setting it to `nil` removes the row.
    ///
    /// `rows[id: id]?.title = "…"` changes the row in place.
    ///
    /// - Precondition: A row that is set has that id.
    public subscript(id id: Row.ID) -> Row? {
        get { index(id: id).map { elements[$0] } }
        _modify {
            guard let index = index(id: id) else {
                var row: Row?
                yield &row
                if let row {
                    precondition(row.id == id, "the row has another id than the one that it was set for: append it")
                    append(row)
                }
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
                    didChange(id)
                } else {
                    if index < elements.count {
                        // The last row fills the gap: move it back and close the gap.
                        elements.append(elements.remove(at: index))
                    }
                    didRemove(id, at: index)
                }
            }
            yield &row
        }
    }
}

extension IdentifiedRows: Sendable where Row: Sendable, Row.ID: Sendable {}

extension IdentifiedRows: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }

    /// The row at a position. To change a row, use its id.
    public subscript(position: Int) -> Row { elements[position] }
}

extension IdentifiedRows: Equatable where Row: Equatable {
    public static func == (lhs: IdentifiedRows, rhs: IdentifiedRows) -> Bool { lhs.elements == rhs.elements }
}

extension IdentifiedRows: ExpressibleByArrayLiteral {
    public init(arrayLiteral rows: Row...) {
        self.init(rows)
    }
}

extension IdentifiedRows: CustomStringConvertible {
    public var description: String { elements.description }
}

extension IdentifiedRows: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
