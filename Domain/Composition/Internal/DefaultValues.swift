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
