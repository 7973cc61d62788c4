import TravelDomain

/// The places of all travels in one order: the greatest key first, the greater identity between equals.
///
/// They lie in pieces of a few hundred, so that adding, moving or removing one costs about the square root of their
/// number.
struct DescendingOrder<Key: Comparable & Sendable>: Sendable {
    struct Place: Sendable {
        let key: Key
        let id: Travel.ID
        /// The number of the travel in its ``TravelIndex``.
        let number: Int
    }

    /// None of them is empty.
    private var pieces: [[Place]] = []
    private static var longestPiece: Int { 512 }

    /// Calls `body` with the number of every travel after that of `id` at `key`, whether it is there or not, until it
    /// returns false; with every number, if there is no such position.
    func forEach(after position: (key: Key, id: Travel.ID)?, _ body: (Int) throws -> Bool) rethrows {
        var start = (piece: 0, place: 0)
        if let position {
            start.piece = pieces.firstIndex { !Self.isAtOrBefore($0[$0.count - 1], position) }
            guard start.piece < pieces.count else { return }
            start.place = pieces[start.piece].firstIndex { !Self.isAtOrBefore($0, position) }
        }
        for piece in start.piece..<pieces.count {
            for place in pieces[piece][(piece == start.piece ? start.place : 0)...] {
                guard try body(place.number) else { return }
            }
        }
    }

    /// Adds the places of new travels.
    mutating func insert(_ new: [Place]) {
        guard new.count > pieces.count else { return new.forEach { insert($0) } }
        let all = (pieces.joined() + new).sorted { Self.isBefore($0, $1) }
        pieces = stride(from: 0, to: all.count, by: Self.longestPiece / 2).map { first in
            Array(all[first..<min(first + Self.longestPiece / 2, all.count)])
        }
    }

    /// Moves the place of a travel from `old` to `new`.
    mutating func move(_ id: Travel.ID, _ number: Int, from old: Key, to new: Key) {
        guard old != new else { return }
        remove(id, at: old)
        insert(Place(key: new, id: id, number: number))
    }

    /// Removes the place of `id`, which is at `key`.
    mutating func remove(_ id: Travel.ID, at key: Key) {
        let piece = pieces.firstIndex { !Self.isBefore($0[$0.count - 1], (key, id)) }
        let place = pieces[piece].firstIndex { !Self.isBefore($0, (key, id)) }
        pieces[piece].remove(at: place)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    private mutating func insert(_ place: Place) {
        guard !pieces.isEmpty else { return pieces = [[place]] }
        let position = (place.key, place.id)
        let piece = min(pieces.firstIndex { !Self.isBefore($0[$0.count - 1], position) }, pieces.count - 1)
        pieces[piece].insert(place, at: pieces[piece].firstIndex { !Self.isBefore($0, position) })
        if pieces[piece].count > Self.longestPiece {
            let half = pieces[piece].count / 2
            pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
            pieces[piece].removeLast(pieces[piece].count - half)
        }
    }

    private static func isBefore(_ a: Place, _ b: (key: Key, id: Travel.ID)) -> Bool { (a.key, a.id) > b }

    private static func isBefore(_ a: Place, _ b: Place) -> Bool { (a.key, a.id) > (b.key, b.id) }

    private static func isAtOrBefore(_ a: Place, _ b: (key: Key, id: Travel.ID)) -> Bool { (a.key, a.id) >= b }
}

extension Array {
    /// The first index whose element satisfies `isBeyond`, which all later elements then satisfy too; the end if none does.
    fileprivate func firstIndex(where isBeyond: (Element) -> Bool) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBeyond(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
