/// The dependencies that hold in some place: those overridden by `withDependencies`
/// around it, and the default values of all others.
///
/// Overrides reach what the operation calls, the tasks it starts, and the owners it makes (see ``Dependency``); and
/// nothing else, so tests that override the same dependency run in parallel.
public struct DependencyValues: Sendable {
    @TaskLocal static var inScope = DependencyValues()

    /// One reference: owners copy nothing else.
    @usableFromInline var overrides: Overrides

    private init() {
        overrides = Overrides(context: .ofProcess, reportMissing: nil, entries: [])
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
        set {
            overrides = Overrides(
                context: newValue, reportMissing: overrides.reportMissing, entries: overrides.entries)
        }
    }

    /// Hears that a test reads what it does not override; by default, what the test kit in the process makes of that.
    package var reportMissingOverride: (@Sendable (MissingOverride) -> Void)? {
        get { overrides.reportMissing }
        set {
            overrides = Overrides(context: overrides.context, reportMissing: newValue, entries: overrides.entries)
        }
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

    /// Overrides what `update` sets, as far as it is not overridden already.
    package mutating func overrideOthers(_ update: (inout DependencyValues) -> Void) {
        let mine = overrides
        update(&self)
        overrides = mine.entries.reduce(overrides) { $0.setting($1.value, for: $1.key) }
    }

    /// The key's own value. Whatever that depends on is read from these values, not from those of whoever reads.
    @usableFromInline
    func defaultValue<Key: DependencyKey>(of key: Key.Type, _ property: StaticString) -> Key.Value {
        switch context {
        case .live: inTheirScope { Key.liveValue }
        case .preview: inTheirScope { Key.previewValue }
        case .test: Use.of(property) { inTheirScope { Key.testValue } }
        }
    }

    private func inTheirScope<Value>(_ makeValue: () -> Value) -> Value {
        if Self.inScope.overrides === overrides { return makeValue() }
        return withDependencies(from: self, operation: makeValue)
    }
}
