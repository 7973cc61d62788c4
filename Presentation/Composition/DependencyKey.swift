/// Identifies one dependency, and defines its default values.
///
/// ```swift
/// enum GreetingKey: DependencyKey {
///     static let liveValue = "Hello"
/// }
///
/// extension DependencyValues {
///     var greeting: String {
///         get { self[GreetingKey.self] }
///         set { self[GreetingKey.self] = newValue }
///     }
/// }
/// ```
///
/// In a module whose code is on the main actor by default, write `nonisolated extension DependencyValues`.
///
/// A `static let` is initialised once per process and shared by all code, including tests. A computed `liveValue` or
/// `previewValue` is created at each read. A computed `testValue` is created once per test: tests share nothing, and
/// all reads in one test return the same value. A computed value may itself use a ``Dependency``, which takes its
/// value from the scope of the owner that reads the computed one.
public protocol DependencyKey: Sendable {
    associatedtype Value: Sendable

    /// The value in the app. If this module cannot create one, use ``fromCompositionRoot(placeholder:)``.
    static var liveValue: Value { get }
    /// The value in a preview; by default the live one.
    static var previewValue: Value { get }
    /// The value in tests. By default there is none: a test that reads the dependency without overriding it fails, with
    /// a message that names the key and the remedy, and continues with ``previewValue``.
    ///
    /// Created once per test, at the first read; if two threads read it first at the same time, both may create one,
    /// but both receive the same. The test is known if `CompositionTesting` is linked or `withDependencies` surrounds
    /// the read; otherwise the value is created at each read.
    static var testValue: Value { get }
}

extension DependencyKey {
    public static var previewValue: Value { liveValue }

    /// Fails the test, and returns ``previewValue``.
    public static var testValue: Value {
        DependencyValues.current.reportMissing(Self.self)
        return previewValue
    }

    /// The live value of a dependency that this module cannot create: the composition root must provide it.
    ///
    /// ```swift
    /// enum SearchTripsKey: DependencyKey {
    ///     static var liveValue: SearchTrips { fromCompositionRoot(placeholder: .findingNothing) }
    /// }
    /// ```
    ///
    /// The composition root provides the value by ``DependencyValues/prepare(_:)`` or `withDependencies`. In an app, a
    /// read without it stops the process with a message that names the key. A test that reads it fails and continues
    /// with `placeholder`; a preview uses `placeholder`.
    public static func fromCompositionRoot(placeholder: @autoclosure () -> Value) -> Value {
        guard DependencyValues.current.context == .live else { return placeholder() }
        fatalError(
            """
            The dependency \(Self.self) has no value of its own: the composition root must provide one, once at launch: \
            DependencyValues.prepare { $0[\(Self.self).self] = … }; or around the code that needs it: \
            withDependencies { $0[\(Self.self).self] = … } operation: { … }
            """)
    }
}

extension DependencyValues {
    /// The key's default value. It reads its own dependencies from these values, not from those of the current scope.
    @usableFromInline
    func defaultValue<Key: DependencyKey>(of key: Key.Type, _ property: StaticString) -> Key.Value {
        switch context {
        case .live: prepared(key) ?? inOwnScope { Key.liveValue }
        case .preview: prepared(key) ?? inOwnScope { Key.previewValue }
        case .test: testValue(of: key, property)
        }
    }

    private func prepared<Key: DependencyKey>(_ key: Key.Type) -> Key.Value? {
        // Sound: as for overrides of a scope, this key stores exactly this type.
        Prepared.value(for: ObjectIdentifier(key)).map { unsafeDowncast($0, to: Override<Key.Value>.self).value }
    }

    /// The default value in a test: the stored one, or a new one.
    private func testValue<Key: DependencyKey>(of key: Key.Type, _ property: StaticString) -> Key.Value {
        let settings = overrides.settings
        let store = settings.testValues ?? TestKit.installed?.testValues()
        if let kept = store?.value(of: key) {
            if kept.isMissing, !settings.isBeingUpdated { DependencyAccess.of(property) { report(key, in: store) } }
            return kept.value
        }
        let creation = TestValueCreation(of: ObjectIdentifier(key), isReported: !settings.isBeingUpdated, in: store)
        let value = DependencyAccess.of(property, creation: creation) { inOwnScope { Key.testValue } }
        return store?.keep(value, of: key, isMissing: creation.isMissing) ?? value
    }

    /// Reports that a test reads a key without a test value.
    func reportMissing<Key: DependencyKey>(_ key: Key.Type) {
        let creation = DependencyAccess.current.creation
        guard let creation, creation.key == ObjectIdentifier(key) else { return report(key, in: nil) }
        creation.noteMissing()
        if creation.isReported { report(key, in: creation.store) }
    }

    private func report<Key: DependencyKey>(_ key: Key.Type, in store: TestValues?) {
        let missing = MissingOverride(key, DependencyAccess.current)
        if store?.recordIfNew(missing) ?? true { missingOverrideReporter.report(missing) }
    }

    private func inOwnScope<Value>(_ makeValue: () -> Value) -> Value {
        if Self.inScope.overrides === overrides { return makeValue() }
        var values = self
        if overrides.settings.isBeingUpdated { values.overrides = overrides.withSettings { $0.isBeingUpdated = false } }
        return withDependencies(from: values, operation: makeValue)
    }
}
