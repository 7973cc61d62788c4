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

/// The value of an override.
@usableFromInline
final class Override<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
