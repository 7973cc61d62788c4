extension DependencyValues {
    /// The key's own value. Whatever that depends on is read from these values, not from those of whoever reads.
    @usableFromInline
    func defaultValue<Key: DependencyKey>(of key: Key.Type, _ property: StaticString) -> Key.Value {
        switch context {
        case .live: prepared(key) ?? inTheirScope { Key.liveValue }
        case .preview: prepared(key) ?? inTheirScope { Key.previewValue }
        case .test: testValue(of: key, property)
        }
    }

    private func prepared<Key: DependencyKey>(_ key: Key.Type) -> Key.Value? {
        // Sound: as for overrides around some place, this key holds exactly this type.
        Prepared.value(for: ObjectIdentifier(key)).map { unsafeDowncast($0, to: Override<Key.Value>.self).value }
    }

    /// The default value in a test: the one that was made for it before, or a new one.
    private func testValue<Key: DependencyKey>(of key: Key.Type, _ property: StaticString) -> Key.Value {
        let surroundings = overrides.surroundings
        let store = surroundings.testValues ?? TestKit.installed?.testValues()
        if let kept = store?.value(of: key) {
            if kept.isMissing, !surroundings.isBeingUpdated { Use.of(property) { report(key, in: store) } }
            return kept.value
        }
        let making = MakingTestValue(of: ObjectIdentifier(key), isReported: !surroundings.isBeingUpdated, in: store)
        let value = Use.of(property, making: making) { inTheirScope { Key.testValue } }
        return store?.keep(value, of: key, isMissing: making.isMissing) ?? value
    }

    /// A test reads a key that has no test value.
    func reportMissing<Key: DependencyKey>(_ key: Key.Type) {
        let making = Use.current.making
        guard let making, making.key == ObjectIdentifier(key) else { return report(key, in: nil) }
        making.noteMissing()
        if making.isReported { report(key, in: making.store) }
    }

    private func report<Key: DependencyKey>(_ key: Key.Type, in store: TestValues?) {
        let missing = MissingOverride(key, Use.current)
        if store?.isNews(missing) ?? true { missingOverrideReporter.report(missing) }
    }

    private func inTheirScope<Value>(_ makeValue: () -> Value) -> Value {
        if Self.inScope.overrides === overrides { return makeValue() }
        var values = self
        if overrides.surroundings.isBeingUpdated { values.overrides = overrides.in { $0.isBeingUpdated = false } }
        return withDependencies(from: values, operation: makeValue)
    }
}
