import Synchronization

/// Counts living instances.
final class Alive: Sendable {
    private let count = Atomic(0)
    private let most = Atomic(0)

    /// The current number of instances.
    var now: Int { count.load(ordering: .relaxed) }
    /// The maximum number of instances at one time.
    var atMost: Int { most.load(ordering: .relaxed) }

    /// Makes a counted instance.
    func make() -> Value { Value(self) }

    final class Value: Sendable {
        private let alive: Alive

        init(_ alive: Alive) {
            self.alive = alive
            let now = alive.count.add(1, ordering: .relaxed).newValue
            alive.most.max(now, ordering: .relaxed)
        }

        deinit {
            alive.count.subtract(1, ordering: .relaxed)
        }
    }
}

/// A part of a state that detects copies: like an array, it shares its storage with its copies.
struct CopyProbe: Sendable {
    private final class Storage: Sendable {}

    private var storage = Storage()
    /// The number of changes while a copy existed.
    private(set) var copies = 0

    /// Changes it in place; if a copy exists, an array would be copied now.
    mutating func change() {
        if !isKnownUniquelyReferenced(&storage) {
            copies += 1
            storage = Storage()
        }
    }
}
