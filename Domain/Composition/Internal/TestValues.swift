import Synchronization

/// The default values that one test has read, and what it was told to override.
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
        let place: SourcePlace?
    }

    private let state = Mutex(State())

    package init() {}

    func value<Key: DependencyKey>(of key: Key.Type) -> (value: Key.Value, isMissing: Bool)? {
        let entry = state.withLock { $0.values[ObjectIdentifier(key)] }
        guard let entry, let value = entry.value as? Key.Value else { return nil }
        return (value, entry.isMissing)
    }

    /// Keeps the value, unless another was kept meanwhile.
    ///
    /// - Returns: The value that is kept.
    func keep<Key: DependencyKey>(_ value: Key.Value, of key: Key.Type, isMissing: Bool) -> Key.Value {
        let entry = Entry(value: value, isMissing: isMissing)
        let kept = state.withLock { state in
            if let kept = state.values[ObjectIdentifier(key)] { return kept }
            state.values[ObjectIdentifier(key)] = entry
            return entry
        }
        return kept.value as? Key.Value ?? value
    }

    /// Whether this is the first time that the declaration is told so.
    func isNews(_ missing: MissingOverride) -> Bool {
        state.withLock { $0.reported.insert(Report(key: missing.keyType, place: missing.place)).inserted }
    }
}

/// A default value of a test that is being made.
final class MakingTestValue: Sendable {
    let key: ObjectIdentifier
    /// Whether the test is to fail when there is none.
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
