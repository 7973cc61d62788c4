/// What was overridden around some place. It never changes.
@usableFromInline
final class Overrides: Sendable {
    struct Entry: Sendable {
        let key: ObjectIdentifier
        let value: any AnyObject & Sendable
    }

    @usableFromInline let context: DependencyContext
    let reportMissing: (@Sendable (MissingOverride) -> Void)?
    let entries: [Entry]

    init(context: DependencyContext, reportMissing: (@Sendable (MissingOverride) -> Void)?, entries: [Entry]) {
        self.context = context
        self.reportMissing = reportMissing
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
        return Overrides(context: context, reportMissing: reportMissing, entries: entries)
    }
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
