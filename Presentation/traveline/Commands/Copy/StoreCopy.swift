import Synchronization
import TravelDataSQLite
import TravelDomain

#if PostgreSQL
    import TravelDataPostgreSQL
#endif

/// A store whose whole content can be read, and written in one transaction.
protocol CopiedStore: Sendable {
    /// Reads everything as one snapshot.
    func readParts(_ receive: @escaping @Sendable (StoredPart) throws -> Void) async throws

    /// Writes parts in one transaction; `check` decides before the commit, by everything that the store holds then, which
    /// is read for it.
    func writeParts(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoredPart?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws
}

extension TravelDatabase: CopiedStore {}

#if PostgreSQL
    extension PostgreSQLTravelDatabase: CopiedStore {}
#endif

/// A copy of one store into another: one snapshot, one transaction, compared before the commit.
///
/// The source is read once, and summarized as it is read. The target is read back before the commit, because the comparison
/// is of what has been stored, not of what was sent: a copy takes one reading of the source, and one writing and one reading
/// of the target.
struct StoreCopy {
    let source: any CopiedStore
    let target: any CopiedStore
    let policy: CopyPolicy
    /// Called with the number of travels that have been read, and whether the rest is comparing and committing.
    let progress: @Sendable (_ travels: Int, _ isComparing: Bool) -> Void

    /// The target holds something else than the source: nothing was committed.
    struct Difference: Error {
        let kind: StoreSummary.Kind
    }

    /// Copies everything, and returns what both stores hold.
    ///
    /// - Throws: ``Difference``; the errors of both stores; `CancellationError`. The target is as it was then.
    func run() async throws -> StoreSummary {
        let channel = PartChannel()
        let copied = Copied()
        async let reading: Void = read(into: channel, copied)
        do {
            try await withTaskCancellationHandler {
                try await target.writeParts(policy) { [progress] in
                    let part = try channel.next()
                    if part == nil { progress(copied.summary.count(of: .travels), true) }
                    return part
                } check: { found in
                    if let kind = copied.summary.difference(from: found) { throw Difference(kind: kind) }
                }
            } onCancel: {
                channel.close()
            }
        } catch {
            channel.close()
            // An error of the source has come here through the channel.
            _ = try? await reading
            throw error
        }
        try await reading
        return copied.summary
    }

    /// The parts read so far.
    private final class Copied: Sendable {
        private let state = Mutex(StoreSummary())

        var summary: StoreSummary { state.withLock { $0 } }

        func add(_ part: StoredPart) { state.withLock { $0.add(part) } }
    }

    private func read(into channel: PartChannel, _ copied: Copied) async throws {
        do {
            try await source.readParts { [progress] part in
                copied.add(part)
                try channel.put(part)
                if case .travel = part { progress(copied.summary.count(of: .travels), false) }
            }
            channel.end(.success(()))
        } catch {
            channel.end(.failure(error))
            throw error
        }
    }
}
