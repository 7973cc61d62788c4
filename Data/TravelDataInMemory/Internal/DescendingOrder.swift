import TravelDomain

/// The places of all travels in one order: the greatest key first, the greater identity between equals.
struct DescendingOrder<Key: Comparable & Sendable>: Sendable {
    struct Place: Sendable {
        let key: Key
        let id: Travel.ID
    }

    private var places: [Place] = []

    /// Every place, first to last.
    var all: ArraySlice<Place> { places[...] }

    /// The places after that of `id` at `key`, whether it is there or not; every place without an `id`.
    func after(_ key: Key, _ id: Travel.ID?) -> ArraySlice<Place> {
        guard let id else { return all }
        return places[firstIndex { Self.precedes(Place(key: key, id: id), $0) }...]
    }

    /// Adds the places of new travels.
    mutating func insert(_ new: [(key: Key, id: Travel.ID)]) {
        if new.count == 1 {
            insert(Place(key: new[0].key, id: new[0].id))
        } else {
            places.append(contentsOf: new.lazy.map { Place(key: $0.key, id: $0.id) })
            places.sort(by: Self.precedes)
        }
    }

    /// Moves the place of `id` from `old` to `new`.
    mutating func move(_ id: Travel.ID, from old: Key, to new: Key) {
        guard old != new else { return }
        remove(id, at: old)
        insert(Place(key: new, id: id))
    }

    /// Removes the place of `id`, which is at `key`.
    mutating func remove(_ id: Travel.ID, at key: Key) {
        let place = Place(key: key, id: id)
        places.remove(at: firstIndex { !Self.precedes($0, place) })
    }

    private mutating func insert(_ place: Place) {
        places.insert(place, at: firstIndex { Self.precedes(place, $0) })
    }

    /// The first index whose place satisfies `isBeyond`, which all later places then satisfy too.
    private func firstIndex(where isBeyond: (Place) -> Bool) -> Int {
        var range = places.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBeyond(places[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    private static func precedes(_ a: Place, _ b: Place) -> Bool { (a.key, a.id) > (b.key, b.id) }
}
