import Synchronization
import TravelDataSQLite
import TravelDomain

#if PostgreSQL
    import TravelDataPostgreSQL
#endif

/// A store whose whole content can be read, and written in one transaction.
protocol CopiedStore: Sendable {
    /// Reads everything as one snapshot.
    func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws

    /// Writes records in one transaction; `check` decides before the commit, by everything that the store holds then,
    /// which is read for it.
    func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws
}

extension TravelDatabase: CopiedStore {}

#if PostgreSQL
    extension PostgreSQLTravelDatabase: CopiedStore {}
#endif

/// A copy of one store into another: one snapshot, one transaction, compared before the commit.
///
/// The source is read once, and summarized as it is read. The target is read back before the commit, because the
/// comparison is of what has been stored, not of what was sent: a copy takes one reading of the source, and one writing
/// and one reading of the target.
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
        let channel = RecordChannel()
        let copied = Copied()
        async let reading: Void = read(into: channel, copied)
        do {
            try await withTaskCancellationHandler {
                try await target.writeRecords(policy) { [progress] in
                    let record = try channel.next()
                    if record == nil { progress(copied.summary.count(of: .travels), true) }
                    return record
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

    /// The records read so far.
    private final class Copied: Sendable {
        private let state = Mutex(StoreSummary())

        var summary: StoreSummary { state.withLock { $0 } }

        func add(_ record: StoreRecord) { state.withLock { $0.add(record) } }
    }

    private func read(into channel: RecordChannel, _ copied: Copied) async throws {
        do {
            try await source.readRecords { [progress] record in
                copied.add(record)
                try channel.put(record)
                if case .travel = record { progress(copied.summary.count(of: .travels), false) }
            }
            channel.end(.success(()))
        } catch {
            channel.end(.failure(error))
            throw error
        }
    }
}
