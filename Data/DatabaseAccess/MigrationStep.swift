/// A migration as far as the history of a database concerns it.
package protocol MigrationStep {
    var name: String { get }
    var digest: String { get }
    /// The names of the earlier migrations that it replaces, in order.
    var parts: [String] { get }
}

/// Compares the migrations that a database has applied, in order, with the list of an app, and returns the pending
/// ones.
///
/// The applied migrations must be the first of the list. A merged migration also counts as applied where all of its
/// parts are. `error` returns the error for a message; `isNewer` says whether the database has only more migrations than
/// the list.
package func pendingMigrations<Step: MigrationStep>(
    of list: [Step], applied: [(name: String, digest: String)], in subject: String,
    error: (_ isNewer: Bool, _ message: String) -> any Error
) throws -> ArraySlice<Step> {
    var rest = applied[...]
    for (index, step) in list.enumerated() {
        guard let next = rest.first else { return list[index...] }
        if next.name == step.name {
            guard next.digest == step.digest else {
                throw error(
                    false,
                    "the migration \"\(step.name)\" was edited after it was applied: undo the edit, and add another "
                        + "migration")
            }
            rest.removeFirst()
        } else if next.name == step.parts.first {
            guard rest.prefix(step.parts.count).map(\.name) == step.parts else {
                throw error(
                    false,
                    "\(subject) has applied only some of the migrations that \"\(step.name)\" merges: open it with the "
                        + "list before the merge once")
            }
            rest = rest.dropFirst(step.parts.count)
        } else {
            throw error(
                false,
                "\(subject) has applied the migration \"\(next.name)\" at the position of \"\(step.name)\" in the list")
        }
    }
    if let next = rest.first {
        throw error(true, "\(subject) has applied the migration \"\(next.name)\", which is not in the list")
    }
    return list[list.endIndex...]
}
