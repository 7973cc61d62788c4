import TravelDomain

/// All travels in one order: descending by key, ties broken by descending ID.
///
/// The entries are stored in chunks of a few hundred, so that inserting, moving or removing one takes about O(√n) time.
struct DescendingOrder<Key: Comparable & Sendable>: Sendable {
    struct Entry: Sendable {
        let key: Key
        let id: Travel.ID
        /// The number of the travel in its ``TravelIndex``.
        let number: Int
    }

    /// The entries in order; no chunk is empty.
    private var chunks: [[Entry]] = []
    private static var maximumChunkSize: Int { 512 }

    /// Calls `body` with the number of each travel after `position`, until `body` returns false.
    ///
    /// The position need not exist; without one, iteration starts at the beginning.
    func forEach(after position: (key: Key, id: Travel.ID)?, _ body: (Int) throws -> Bool) rethrows {
        var start = (chunk: 0, entry: 0)
        if let position {
            start.chunk = chunks.firstIndex { !Self.isAtOrBefore($0[$0.count - 1], position) }
            guard start.chunk < chunks.count else { return }
            start.entry = chunks[start.chunk].firstIndex { !Self.isAtOrBefore($0, position) }
        }
        for chunk in start.chunk..<chunks.count {
            for entry in chunks[chunk][(chunk == start.chunk ? start.entry : 0)...] {
                guard try body(entry.number) else { return }
            }
        }
    }

    /// Inserts the entries of new travels.
    mutating func insert(_ new: [Entry]) {
        guard new.count > chunks.count else { return new.forEach { insert($0) } }
        let all = (chunks.joined() + new).sorted { Self.isBefore($0, $1) }
        chunks = stride(from: 0, to: all.count, by: Self.maximumChunkSize / 2).map { first in
            Array(all[first..<min(first + Self.maximumChunkSize / 2, all.count)])
        }
    }

    /// Moves the entry of a travel from key `old` to key `new`.
    mutating func move(_ id: Travel.ID, _ number: Int, from old: Key, to new: Key) {
        guard old != new else { return }
        remove(id, at: old)
        insert(Entry(key: new, id: id, number: number))
    }

    /// Removes the entry of `id` with `key`.
    mutating func remove(_ id: Travel.ID, at key: Key) {
        let chunk = chunks.firstIndex { !Self.isBefore($0[$0.count - 1], (key, id)) }
        let entry = chunks[chunk].firstIndex { !Self.isBefore($0, (key, id)) }
        chunks[chunk].remove(at: entry)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    private mutating func insert(_ entry: Entry) {
        guard !chunks.isEmpty else { return chunks = [[entry]] }
        let position = (entry.key, entry.id)
        let chunk = min(chunks.firstIndex { !Self.isBefore($0[$0.count - 1], position) }, chunks.count - 1)
        chunks[chunk].insert(entry, at: chunks[chunk].firstIndex { !Self.isBefore($0, position) })
        if chunks[chunk].count > Self.maximumChunkSize {
            let half = chunks[chunk].count / 2
            chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
            chunks[chunk].removeLast(chunks[chunk].count - half)
        }
    }

    private static func isBefore(_ a: Entry, _ b: (key: Key, id: Travel.ID)) -> Bool { (a.key, a.id) > b }

    private static func isBefore(_ a: Entry, _ b: Entry) -> Bool { (a.key, a.id) > (b.key, b.id) }

    private static func isAtOrBefore(_ a: Entry, _ b: (key: Key, id: Travel.ID)) -> Bool { (a.key, a.id) >= b }
}

extension Array {
    /// The first index whose element satisfies `isBeyond`, found by binary search; the end index if none does.
    fileprivate func firstIndex(where isBeyond: (Element) -> Bool) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBeyond(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
