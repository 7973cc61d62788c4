/// The dependencies in effect in a scope: the overrides of the surrounding `withDependencies`, and the default values
/// of all other dependencies.
///
/// Overrides apply to the code that the operation calls, the tasks that it starts, and the owners that it makes (see
/// ``Dependency``), and to nothing else, so tests that override the same dependency run in parallel. They do not reach
/// a detached task or a dispatch queue: pass ``current`` to it.
///
/// ```swift
/// withDependencies {
///     $0.greeting = "Hi"
/// } operation: {
///     DependencyValues.current.greeting    // "Hi"
/// }
/// DependencyValues.current.greeting        // "Hello", the default value of its key
/// ```
public struct DependencyValues: Sendable {
    @TaskLocal static var inScope = DependencyValues()

    /// A single reference: owners copy nothing else.
    @usableFromInline var overrides: Overrides

    init() {
        overrides = Overrides(ScopeSettings(context: .ofProcess), entries: [])
    }

    /// The dependencies in effect in the current scope, for closures that run elsewhere or later.
    ///
    /// ```swift
    /// let dependencies = DependencyValues.current
    /// queue.async {
    ///     withDependencies(from: dependencies) { Greeter() }    // greets like a Greeter made here
    /// }
    /// ```
    ///
    /// An owner accesses its own by `@Dependency(\.self)`.
    public static var current: DependencyValues { inScope }

    /// Selects the default values. By default the context of the process.
    public var context: DependencyContext {
        get { overrides.context }
        set { overrides = overrides.withSettings { $0.context = newValue } }
    }

    /// Receives the missing overrides of tests; by default the reporter of the linked test kit, and without a kit
    /// ``MissingOverrideReporter/standardError``.
    public var missingOverrideReporter: MissingOverrideReporter {
        get {
            let settings = overrides.settings
            return settings.reporter ?? settings.testReporter ?? TestKit.installed?.reporter ?? .standardError
        }
        set { overrides = overrides.withSettings { $0.reporter = newValue } }
    }

    /// The value of the dependency with that key. Called by the property that you add for the key.
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

    /// Whether this scope overrides the value of the key.
    package func isOverridden(_ key: ObjectIdentifier) -> Bool { overrides.value(for: key) != nil }

    /// Begins to store default values for a test, unless this scope already belongs to one.
    package mutating func beginTest() {
        overrides = overrides.withSettings { $0.testValues = $0.testValues ?? TestValues() }
    }

    /// Sets the reporter of a test, which applies unless an update sets another.
    package mutating func reportMissingOverridesOfTest(_ report: @escaping @Sendable (MissingOverride) -> Void) {
        overrides = overrides.withSettings { $0.testReporter = MissingOverrideReporter(report) }
    }

    /// Overrides the values that `update` sets, except those that are already overridden.
    package mutating func overrideMissing(_ update: (inout DependencyValues) -> Void) {
        let mine = overrides
        update(&self)
        overrides = mine.entries.reduce(overrides) { $0.setting($1.value, for: $1.key) }
    }

    /// A copy with the changes of `update`. In a test, the first call creates the store of default values.
    func updated(by update: (inout DependencyValues) throws -> Void) rethrows -> DependencyValues {
        var values = self
        guard context == .test else {
            try update(&values)
            return values
        }
        values.overrides = values.overrides.withSettings {
            $0.testValues = $0.testValues ?? TestKit.installed?.testValues() ?? TestValues()
            $0.isBeingUpdated = true
        }
        try update(&values)
        values.overrides = values.overrides.withSettings { $0.isBeingUpdated = false }
        return values
    }
}
