import Synchronization

/// Counts the values that are alive.
final class Alive: Sendable {
    private let count = Atomic(0)
    private let most = Atomic(0)

    /// How many there are.
    var now: Int { count.load(ordering: .relaxed) }
    /// How many there ever were at once.
    var atMost: Int { most.load(ordering: .relaxed) }

    /// A value that counts.
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

/// Part of a state that tells whether it was copied: as an array does, it shares its storage with its copies.
struct CopyProbe: Sendable {
    private final class Storage: Sendable {}

    private var storage = Storage()
    /// How often it was changed while a copy existed.
    private(set) var copies = 0

    /// Changes it in place; were there a copy, an array would have to be copied now.
    mutating func change() {
        if !isKnownUniquelyReferenced(&storage) {
            copies += 1
            storage = Storage()
        }
    }
}
