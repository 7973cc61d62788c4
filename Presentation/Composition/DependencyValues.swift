import Synchronization

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

extension DependencyValues {
    /// Sets the dependencies of the whole process: once, at launch, before any is read.
    ///
    /// The values are in effect wherever `withDependencies` does not override them: also in owners that are created in
    /// a tap handler, in a detached task or on a dispatch queue, which no scope reaches.
    ///
    /// ```swift
    /// @main struct TripApp: App {
    ///     init() {
    ///         DependencyValues.prepare {
    ///             $0.searchTrips = SearchTrips(trips: database.trips)
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

/// The overrides and the settings of a scope. Immutable.
@usableFromInline
final class Overrides: Sendable {
    struct Entry: Sendable {
        let key: ObjectIdentifier
        let value: any AnyObject & Sendable
    }

    @usableFromInline let context: DependencyContext
    let settings: ScopeSettings
    let entries: [Entry]

    init(_ settings: ScopeSettings, entries: [Entry]) {
        context = settings.context
        self.settings = settings
        self.entries = entries
    }

    /// A linear search: there are a few entries, at most dozens, and that is faster than hashing.
    @usableFromInline
    func value(for key: ObjectIdentifier) -> (any AnyObject & Sendable)? {
        for entry in entries where entry.key == key { return entry.value }
        return nil
    }

    @usableFromInline
    func setting(_ value: any AnyObject & Sendable, for key: ObjectIdentifier) -> Overrides {
        var entries = entries
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index] = Entry(key: key, value: value)
        } else {
            entries.append(Entry(key: key, value: value))
        }
        return Overrides(settings, entries: entries)
    }

    /// The same overrides with other settings.
    func withSettings(_ change: (inout ScopeSettings) -> Void) -> Overrides {
        var settings = settings
        change(&settings)
        return Overrides(settings, entries: entries)
    }
}

/// The settings of a scope besides its overrides.
struct ScopeSettings: Sendable {
    var context: DependencyContext
    /// Set by an update.
    var reporter: MissingOverrideReporter?
    /// Set by the kit for the running test.
    var testReporter: MissingOverrideReporter?
    /// The default values of the running test; `nil` if the test is unknown.
    var testValues: TestValues?
    /// Whether these values are being updated: then a read only precedes an override.
    var isBeingUpdated = false
}

@usableFromInline
final class Override<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
