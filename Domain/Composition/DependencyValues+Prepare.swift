import Synchronization

extension DependencyValues {
    /// Sets the dependencies of the whole process: once, at launch, before any is read.
    ///
    /// What is prepared holds wherever it is not overridden by `withDependencies`: in what is made in a tap handler, in a
    /// detached task or on a dispatch queue as well, which no scope reaches.
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
    /// - It holds in the product and in previews, and not in tests: the app that hosts a test bundle must not hand its
    ///   database to the tests. They override what they need.
    /// - A second call, or a call after a default value was read, is a mistake, because parts of the app would go on with
    ///   other values. In debug builds it stops the process; in release builds, a second call changes nothing, and a late
    ///   one holds for what is read from then on.
    /// - The ``context`` set in it does not count: only dependencies do.
    ///
    /// - Parameter update: Sets what holds. It may read what it overrides.
    public static func prepare(_ update: (inout DependencyValues) throws -> Void) rethrows {
        var values = Prepared.$isUnderWay.withValue(true) { DependencyValues() }
        try Prepared.$isUnderWay.withValue(true) { try update(&values) }
        let isLate = Prepared.isRead.load(ordering: .relaxed)
        let kept = Prepared.overrides.storeIfNil(values.overrides)
        assert(kept === values.overrides, "DependencyValues.prepare is called twice: call it once, at launch")
        assert(!isLate, "DependencyValues.prepare is called after a dependency was read: call it first, at launch")
    }
}

/// What the whole process was given at launch.
enum Prepared {
    @TaskLocal static var isUnderWay = false

    static let overrides = AtomicLazyReference<Overrides>()
    /// Whether a default value was read of what may still be prepared.
    static let isRead = Atomic(false)

    static func value(for key: ObjectIdentifier) -> (any AnyObject & Sendable)? {
        guard let overrides = overrides.load() else {
            if !isRead.load(ordering: .relaxed), !isUnderWay { isRead.store(true, ordering: .relaxed) }
            return nil
        }
        return overrides.value(for: key)
    }
}
