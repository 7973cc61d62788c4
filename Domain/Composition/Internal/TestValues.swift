import Synchronization

/// The default values that one test has read, and the missing overrides that were reported for it.
package final class TestValues: Sendable {
    private struct State {
        var values: [ObjectIdentifier: Entry] = [:]
        var reported: Set<Report> = []
    }

    private struct Entry: Sendable {
        let value: any Sendable
        let isMissing: Bool
    }

    private struct Report: Hashable {
        let key: ObjectIdentifier
        let position: SourcePosition?
    }

    private let state = Mutex(State())

    package init() {}

    func value<Key: DependencyKey>(of key: Key.Type) -> (value: Key.Value, isMissing: Bool)? {
        let entry = state.withLock { $0.values[ObjectIdentifier(key)] }
        guard let entry, let value = entry.value as? Key.Value else { return nil }
        return (value, entry.isMissing)
    }

    /// Stores the value, unless another was stored meanwhile.
    ///
    /// - Returns: The stored value.
    func keep<Key: DependencyKey>(_ value: Key.Value, of key: Key.Type, isMissing: Bool) -> Key.Value {
        let entry = Entry(value: value, isMissing: isMissing)
        let kept = state.withLock { state in
            if let kept = state.values[ObjectIdentifier(key)] { return kept }
            state.values[ObjectIdentifier(key)] = entry
            return entry
        }
        return kept.value as? Key.Value ?? value
    }

    /// Records a missing override; returns whether it is the first for its key and declaration.
    func recordIfNew(_ missing: MissingOverride) -> Bool {
        state.withLock { $0.reported.insert(Report(key: missing.keyType, position: missing.position)).inserted }
    }
}

/// A default value of a test while it is being created.
final class TestValueCreation: Sendable {
    let key: ObjectIdentifier
    /// Whether the test fails if there is no value.
    let isReported: Bool
    let store: TestValues?
    private let missing = Atomic(false)

    init(of key: ObjectIdentifier, isReported: Bool, in store: TestValues?) {
        self.key = key
        self.isReported = isReported
        self.store = store
    }

    var isMissing: Bool { missing.load(ordering: .relaxed) }

    func noteMissing() { missing.store(true, ordering: .relaxed) }
}
