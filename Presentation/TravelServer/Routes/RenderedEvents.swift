#if Server
import Synchronization

/// The last events of each address that is observed, so that one rendering serves all observers that are shown equal
/// values.
///
/// What a viewer sees differently from others, such as `Trip.isLiked`, is a part of the value, and an event depends on the
/// value alone: equal values have equal events, whoever observes.
final class RenderedEvents: Sendable {
    struct Address: Hashable {
        let path: [String]
        let query: [String]

        init(_ request: HTTPRequest) {
            path = request.path
            query = request.query.flatMap { [$0.name, $0.value ?? ""] }
        }
    }

    struct Event: Sendable {
        let id: String
        let bytes: [UInt8]
    }

    /// The events of one address.
    final class Slot<Value: Equatable & Sendable>: Sendable {
        /// Viewers with other values than most, such as those who like a trip, take turns with them.
        private static var count: Int { 4 }

        private let last = Mutex<[(value: Value, event: Event)]>([])

        /// The event of a value: the one of an equal value, or else what `render` returns.
        func event(for value: Value, _ render: () throws -> Event) rethrows -> Event {
            // Comparing, rendering and releasing values is not done under the lock: several threads may render the same
            // value, and the last one is kept.
            let known = last.withLock { $0 }
            if let match = known.first(where: { $0.value == value }) { return match.event }
            let new = (value, try render())
            let former = last.withLock { last in
                defer { last = [new] + last.prefix(Self.count - 1) }
                return last
            }
            withExtendedLifetime(former) {}
            return new.1
        }
    }

    private struct Entry {
        let slot: any AnyObject & Sendable
        var observers: Int
    }

    private let entries = Mutex<[Address: Entry]>([:])

    /// The number of addresses that are observed.
    var count: Int { entries.withLock { $0.count } }

    /// Calls `body` with the events of an address, which are kept as long as it has observers.
    func sharing<Value: Equatable & Sendable>(
        _ address: Address, of _: Value.Type, _ body: (Slot<Value>) async throws -> Void
    ) async throws {
        let slot = entries.withLock { entries in
            // A route has one type of values.
            let slot = entries[address]?.slot as? Slot<Value> ?? Slot<Value>()
            entries[address] = Entry(slot: slot, observers: (entries[address]?.observers ?? 0) + 1)
            return slot
        }
        defer {
            let last = entries.withLock { entries in
                guard let entry = entries[address] else { return nil as Entry? }
                entries[address] = entry.observers > 1 ? Entry(slot: entry.slot, observers: entry.observers - 1) : nil
                return entry
            }
            withExtendedLifetime(last) {}
        }
        try await body(slot)
    }
}
#endif
