/// What was overridden around some place, and what surrounds it. It never changes.
@usableFromInline
final class Overrides: Sendable {
    struct Entry: Sendable {
        let key: ObjectIdentifier
        let value: any AnyObject & Sendable
    }

    @usableFromInline let context: DependencyContext
    let surroundings: Surroundings
    let entries: [Entry]

    init(_ surroundings: Surroundings, entries: [Entry]) {
        context = surroundings.context
        self.surroundings = surroundings
        self.entries = entries
    }

    /// Looks at all: there are a few, at most dozens, and that is faster than to hash.
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
        return Overrides(surroundings, entries: entries)
    }

    /// The same overrides in other surroundings.
    func `in`(_ change: (inout Surroundings) -> Void) -> Overrides {
        var surroundings = surroundings
        change(&surroundings)
        return Overrides(surroundings, entries: entries)
    }
}

/// What holds around some place besides overrides.
struct Surroundings: Sendable {
    var context: DependencyContext
    /// Set by an update.
    var reporter: MissingOverrideReporter?
    /// Set by the kit, for the test that runs.
    var reporterOfTest: MissingOverrideReporter?
    /// The default values of the test that runs; `nil` where no test is known.
    var testValues: TestValues?
    /// Whether these values are being updated: what is read of them is read in order to override it.
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
