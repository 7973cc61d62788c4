/// The dependencies that hold in some place: those overridden by `withDependencies`
/// around it, and the default values of all others.
///
/// Overrides reach what the operation calls, the tasks it starts, and the owners it makes (see ``Dependency``); and
/// nothing else, so tests that override the same dependency run in parallel. A detached task and a dispatch queue are
/// not reached: hand them ``current``.
public struct DependencyValues: Sendable {
    @TaskLocal static var inScope = DependencyValues()

    /// One reference: owners copy nothing else.
    @usableFromInline var overrides: Overrides

    init() {
        overrides = Overrides(Surroundings(context: .ofProcess), entries: [])
    }

    /// The dependencies that hold here and now, for closures that run elsewhere or later.
    ///
    /// ```swift
    /// let dependencies = DependencyValues.current
    /// queue.async {
    ///     withDependencies(from: dependencies) { Greeter() }    // greets as one that is made here
    /// }
    /// ```
    ///
    /// An owner has its own by `@Dependency(\.self)`.
    public static var current: DependencyValues { inScope }

    /// Which default values hold. By default that of the process.
    public var context: DependencyContext {
        get { overrides.context }
        set { overrides = overrides.in { $0.context = newValue } }
    }

    /// Receives what a test reads and does not override; by default what the test kit in the process makes of it, and
    /// without a kit ``MissingOverrideReporter/standardError``.
    public var missingOverrideReporter: MissingOverrideReporter {
        get {
            let surroundings = overrides.surroundings
            return surroundings.reporter ?? surroundings.reporterOfTest ?? TestKit.installed?.reporter ?? .standardError
        }
        set { overrides = overrides.in { $0.reporter = newValue } }
    }

    /// The value of the dependency that `key` names. Called by the property that you add for it.
    @inlinable
    public subscript<Key: DependencyKey>(key: Key.Type, property: StaticString = #function) -> Key.Value {
        get {
            if let value = overrides.value(for: ObjectIdentifier(key)) {
                // Sound: only the setter below writes under this key, and it stores exactly this type.
                return unsafeDowncast(value, to: Override<Key.Value>.self).value
            }
            return defaultValue(of: key, property)
        }
        set { overrides = overrides.setting(Override(newValue), for: ObjectIdentifier(key)) }
    }

    /// Whether the value of the key is overridden here.
    package func isOverridden(_ key: ObjectIdentifier) -> Bool { overrides.value(for: key) != nil }

    /// Keeps default values from here on for the test that begins, unless one has begun that this is part of.
    package mutating func beginTest() {
        overrides = overrides.in { $0.testValues = $0.testValues ?? TestValues() }
    }

    /// Sets the reporter of the test that begins, for where no update has set one.
    package mutating func reportMissingOverridesOfTest(_ report: @escaping @Sendable (MissingOverride) -> Void) {
        overrides = overrides.in { $0.reporterOfTest = MissingOverrideReporter(report) }
    }

    /// Overrides what `update` sets, as far as it is not overridden already.
    package mutating func overrideOthers(_ update: (inout DependencyValues) -> Void) {
        let mine = overrides
        update(&self)
        overrides = mine.entries.reduce(overrides) { $0.setting($1.value, for: $1.key) }
    }

    /// These with what `update` sets. In a test, the first time makes the scope in which default values are kept.
    func updated(by update: (inout DependencyValues) throws -> Void) rethrows -> DependencyValues {
        var values = self
        guard context == .test else {
            try update(&values)
            return values
        }
        values.overrides = values.overrides.in {
            $0.testValues = $0.testValues ?? TestKit.installed?.testValues() ?? TestValues()
            $0.isBeingUpdated = true
        }
        try update(&values)
        values.overrides = values.overrides.in { $0.isBeingUpdated = false }
        return values
    }
}
