import Synchronization

extension DependencyValues {
    /// Sets the dependencies of the whole process: once, at launch, before any is read.
    ///
    /// The values are in effect wherever `withDependencies` does not override them: also in owners that are created in
    /// a tap handler, in a detached task or on a dispatch queue, which no scope reaches.
    ///
    /// ```swift
    /// @main struct TravelApp: App {
    ///     init() {
    ///         DependencyValues.prepare {
    ///             $0.searchTravels = SearchTravels(travels: database.travels)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - They are in effect in apps and in previews, but not in tests: the app that hosts a test bundle must not pass
    ///   its database to the tests. Tests override what they need.
    /// - A second call, or a call after a default value was read, is a programming error, because parts of the app
    ///   would keep other values. In debug builds it stops the process; in release builds, a second call has no effect,
    ///   and a late one applies to later reads.
    /// - Setting ``context`` has no effect: only dependencies are stored.
    ///
    /// - Parameter update: Sets the dependencies. It may read the values that it overrides.
    /// - Throws: The errors of `update`; no dependency is set then.
    public static func prepare(_ update: (inout DependencyValues) throws -> Void) rethrows {
        var values = Prepared.$isInProgress.withValue(true) { DependencyValues() }
        try Prepared.$isInProgress.withValue(true) { try update(&values) }
        let isLate = Prepared.wasRead.load(ordering: .relaxed)
        let kept = Prepared.overrides.storeIfNil(values.overrides)
        assert(kept === values.overrides, "DependencyValues.prepare was called twice: call it once, at launch")
        assert(!isLate, "DependencyValues.prepare was called after a dependency was read: call it first, at launch")
    }
}

/// The dependencies that were set for the whole process at launch.
enum Prepared {
    @TaskLocal static var isInProgress = false

    static let overrides = AtomicLazyReference<Overrides>()
    /// Whether a default value was read that could still be prepared.
    static let wasRead = Atomic(false)

    static func value(for key: ObjectIdentifier) -> (any AnyObject & Sendable)? {
        guard let overrides = overrides.load() else {
            if !wasRead.load(ordering: .relaxed), !isInProgress { wasRead.store(true, ordering: .relaxed) }
            return nil
        }
        return overrides.value(for: key)
    }
}
