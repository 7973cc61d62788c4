internal import CSQLite
internal import DatabaseAccess
internal import Synchronization

/// What a commit has done to a row.
///
/// ```swift
/// let changes = try await database.rowChanges(in: ["trips", "photos"])
/// for try await commit in changes {
///     for row in commit { outbox.add(row.table, row.key, row.kind) }    // "trips", [.integer(7)], .update
/// }
/// ```
public struct RowChange: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case insert, update, delete
        /// Any rows of the table may have changed in any way, and the key is empty: after a commit of another process, a
        /// change of the schema, `VACUUM`, a suspension, and ``Connection/notifyChanges(of:)``.
        case unknown
    }

    /// The name that was passed to ``Database/rowChanges(in:)``.
    public let table: String
    public let kind: Kind
    /// The values of the primary key, in its order; the `rowid` of a table without one.
    public let key: [SQLValue]
}

extension Database {
    /// Returns the rows of the main file's `tables` that each later commit changes: for a sync engine.
    ///
    /// Each element belongs to one commit, in the order of commits, and names each row at most once, with the difference
    /// that the commit makes: nothing for a row that it inserts and deletes. An update that changes a key is a deletion and
    /// an insertion. Rows that `REPLACE` and foreign keys delete, that triggers change, and that `DELETE` without `WHERE`
    /// removes are among them. A ``writeWithoutTransaction(_:)`` is one element, whatever its number of commits.
    ///
    /// An element says which rows to read again; it contains none of their other values:
    ///
    /// ```swift
    /// for try await commit in try await database.rowChanges(in: ["trips"]) {
    ///     for row in commit where row.kind != .delete { try await upload(row.key) }
    /// }
    /// ```
    ///
    /// Changes of other processes are noticed as those of observed queries, as ``RowChange/Kind/unknown``. The stream keeps
    /// elements until they are read, and is lost with the process: what must survive that belongs into a table, which
    /// triggers of the file fill. It ends when it is released or its task is cancelled, and throws `.closed` when the
    /// database closes. Meanwhile each changed row costs about two insertions more, into a temporary table.
    ///
    /// Temporary triggers of the app on these tables run before those that record the changes: a row that they change again
    /// may be reported with another kind.
    ///
    /// - Parameter tables: Tables whose primary keys have no NULL. A table with neither a primary key nor a free name for
    ///   its `rowid`, a view, a virtual table and a table of SQLite have no keys.
    /// - Throws: `.misuse` for a table that does not exist or has no keys, `.cannotOpen` if the commits of other processes
    ///   cannot be noticed, and `.misuse` if `configuration.prepare` turns
    ///   `recursive_triggers` off, without which SQLite does not report the rows that `REPLACE` deletes; as `write`.
    public func rowChanges(in tables: [String]) async throws -> AsyncThrowingStream<[RowChange], any Error> {
        try checkWriting()
        let (stream, continuation) = AsyncThrowingStream<[RowChange], any Error>.makeStream()
        let id = rowChangeHub.add(tables, continuation)
        externalChangeMonitor?.addObserver()
        continuation.onTermination = { [weak rowChangeHub, weak externalChangeMonitor] _ in
            rowChangeHub?.remove(id)
            externalChangeMonitor?.removeObserver()
        }
        do {
            try await writer.run(isolation: #isolation) { [hub, writer, externalChangeMonitor] db in
                guard externalChangeMonitor?.willFetch() ?? true else {
                    throw SQLiteError(.cannotOpen, "the connection that notices the commits of others cannot be opened")
                }
                try Self.runOnWriter(db, hub, writer) { db in try db.checkRowLog(of: tables) }
            }
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }

    /// Reports that anything may have changed, after a suspension, and that commits of others are noticed again.
    func resumeRowChanges(isRetry: Bool = false) {
        guard rowChangeHub.isActive else { return }
        _ = writer.start { [weak self, rowChangeHub, externalChangeMonitor] _ in
            let isActive = externalChangeMonitor?.willFetch() ?? true
            if isActive || !isRetry { rowChangeHub.publishUnknown() }
            if !isActive { self?.retryRowChanges() }
        } completion: { [rowChangeHub] result in
            if case .failure = result, !isRetry { rowChangeHub.publishUnknown() }
        }
    }

    private func retryRowChanges() {
        guard let interval = configuration.externalChangeInterval else { return }
        Task { [weak self, clock] in
            // Without cancellation, the clock has no error.
            try? await clock.sleep(interval)
            self?.resumeRowChanges(isRetry: true)
        }
    }
}

/// The streams of changed rows of a database.
final class RowChangeHub: Sendable {
    private let state = Mutex(State())
    /// Both are read by every write, so that writes without a stream take no lock.
    private let subscriberCount = Atomic(0)
    private let changeCount = Atomic(0)

    private struct Subscriber {
        /// As they were given, by their names in the schema.
        let tables: [ExactText: String]
        let continuation: AsyncThrowingStream<[RowChange], any Error>.Continuation
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var last = 0
    }

    var isActive: Bool { subscriberCount.load(ordering: .acquiring) > 0 }

    /// Another number after each change of `tables`.
    var generation: Int { changeCount.load(ordering: .acquiring) }

    var tables: [ExactText] {
        let tables = state.withLock { state in state.subscribers.values.flatMap(\.tables.keys) }
        return Set(tables).sorted { $0.string < $1.string }
    }

    func add(
        _ tables: [String], _ continuation: AsyncThrowingStream<[RowChange], any Error>.Continuation
    ) -> Int {
        let names = Dictionary(tables.map { (ExactText(name: $0), $0) }) { first, _ in first }
        return change { state in
            state.last += 1
            state.subscribers[state.last] = Subscriber(tables: names, continuation: continuation)
            return state.last
        }
    }

    func remove(_ id: Int) {
        // Released outside of the lock.
        _ = change { $0.subscribers.removeValue(forKey: id) }
    }

    func close(_ error: any Error) {
        let subscribers = change { state in
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.continuation.finish(throwing: error) }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                subscriberCount.store(state.subscribers.count, ordering: .releasing)
                changeCount.add(1, ordering: .releasing)
            }
            return body(&state)
        }
    }

    func publishUnknown() {
        publish { tables in tables.values.sorted().map { RowChange(table: $0, kind: .unknown, key: []) } }
    }

    func publish(_ differences: [ExactText: RowDifference]) {
        publish { tables in
            tables.sorted { $0.value < $1.value }.flatMap { name, given in
                differences[name]?.changes(of: given) ?? []
            }
        }
    }

    private func publish(_ changes: ([ExactText: String]) -> [RowChange]) {
        guard isActive else { return }
        for subscriber in state.withLock({ Array($0.subscribers.values) }) {
            let changes = changes(subscriber.tables)
            if !changes.isEmpty { subscriber.continuation.yield(changes) }
        }
    }
}

/// The difference between two states of a table, from the rows that were removed and added in between.
struct RowDifference {
    private var keys: [[SQLValue]] = []
    private var rows: [[SQLValue]: (existed: Bool, exists: Bool)] = [:]
    var isUnknown = false

    mutating func add(_ key: [SQLValue], exists: Bool) {
        if rows[key] != nil {
            rows[key]?.exists = exists
            return
        }
        keys.append(key)
        // What is removed first was there, and what is added first was not.
        rows[key] = (!exists, exists)
    }

    func changes(of table: String) -> [RowChange] {
        if isUnknown { return [RowChange(table: table, kind: .unknown, key: [])] }
        return keys.compactMap { key in
            let kind: RowChange.Kind? =
                switch rows[key]! {
                case (true, true): .update
                case (true, false): .delete
                case (false, true): .insert
                case (false, false): nil
                }
            return kind.map { RowChange(table: table, kind: $0, key: key) }
        }
    }
}

/// What the writer connection records for the streams of changed rows: for each table a temporary one, which temporary
/// triggers fill with the keys of removed and added rows.
///
/// It is a table, because SQLite rolls it back with the statement, the savepoint or the transaction that has filled it. The
/// triggers make SQLite report what its update hook does not: the rows that `REPLACE` deletes, tables `WITHOUT ROWID`, and
/// `DELETE` without `WHERE`. Its preupdate hook is not in every build.
final class RowLog {
    struct Table {
        let name: ExactText
        let log: String
        let keyCount: Int
    }

    private enum Mark {
        static let removed: Int64 = 0
        static let added: Int64 = 1
        static let unknown: Int64 = 2
    }

    fileprivate var generation = 0
    fileprivate var schemaVersion: Int64?
    /// The error of the last attempt to create the triggers.
    fileprivate var failure: (any Error)?
    fileprivate private(set) var tables: [Table] = []
    /// Those whose triggers could not be dropped, because another process has dropped what they are on. The triggers come
    /// back with a table of that name, and need their own one.
    private var orphans: [Table] = []
    /// The changes of commits that are not published yet.
    fileprivate var differences: [ExactText: RowDifference] = [:]
    private var differencesBeforeCommit: [ExactText: RowDifference] = [:]
    /// Whether rows may have changed that are not recorded.
    var isUnknown = false

    /// Moves the recorded changes out of the temporary tables, before a commit.
    func take(_ db: Connection) throws {
        var differences = differences
        try db.recorder.withoutRecording {
            for table in tables {
                let rows = try db.fetchAll("SELECT * FROM temp.\(identifier: table.log) ORDER BY rowid") { row in
                    (mark: try row[0] as Int64, key: try (0..<table.keyCount).map { try row[$0 + 1] as SQLValue })
                }
                if rows.isEmpty { continue }
                try db.execute("DELETE FROM temp.\(identifier: table.log)")
                var difference = differences[table.name] ?? RowDifference()
                for row in rows {
                    if row.mark == Mark.unknown {
                        difference.isUnknown = true
                    } else {
                        difference.add(row.key, exists: row.mark == Mark.added)
                    }
                }
                differences[table.name] = difference
            }
        }
        (differencesBeforeCommit, self.differences) = (self.differences, differences)
    }

    fileprivate var isEmpty: Bool { tables.isEmpty && orphans.isEmpty }

    /// The commit after `take` has failed. Whether it reached the disk may be unknown.
    func commitFailed(isUnknown: Bool) {
        differences = differencesBeforeCommit
        if isUnknown { self.isUnknown = true }
    }

    /// Records that any row of a table may have changed, until the transaction is rolled back.
    func recordUnknown(_ name: String, _ db: Connection) throws {
        guard let table = tables.first(where: { $0.name == ExactText(name: name) }) else { return }
        let rowID = sqlite3_last_insert_rowid(db.handle)
        defer { sqlite3_set_last_insert_rowid(db.handle, rowID) }
        try db.recorder.withoutRecording {
            _ = try db.execute("INSERT INTO temp.\(identifier: table.log) (mark) VALUES (\(Mark.unknown))")
        }
    }

    fileprivate func install(_ names: [ExactText], on db: Connection) throws {
        try uninstall(from: db)
        // The others have the same names again: compiled statements that write to them go on being understood.
        let used = Set(orphans.map(\.log))
        let logs = (0..<names.count + used.count).map { "changed rows \($0)" }.filter { !used.contains($0) }
        for (name, log) in zip(names, logs) {
            // A table that was dropped may be there again later.
            guard let keys = try db.keyColumns(of: name.string) else { continue }
            let table = Table(name: name, log: log, keyCount: keys.count)
            tables.append(table)
            let quotedLog = table.log.quotedIdentifier
            let columns = keys.indices.map { "key\($0)" }.joined(separator: ", ")
            try db.configure("CREATE TEMP TABLE \(quotedLog) (mark, \(columns))")
            let removes = "INSERT INTO \(quotedLog) VALUES (\(Mark.removed), \(Self.list("old", keys)));"
            let adds = "INSERT INTO \(quotedLog) VALUES (\(Mark.added), \(Self.list("new", keys)));"
            for (event, body) in [("insert", adds), ("delete", removes), ("update", removes + adds)] {
                do {
                    try db.configure(
                        """
                        CREATE TEMP TRIGGER \("\(table.log) \(event)".quotedIdentifier) AFTER \(event) \
                        ON main.\(name.string.quotedIdentifier) BEGIN \(body) END
                        """)
                } catch let error as SQLiteError where error.code == .error {
                    throw SQLiteError(
                        .misuse, "the changes of \"\(name.string)\" cannot be recorded: \(error.message)",
                        sql: error.sql)
                }
            }
        }
    }

    private func uninstall(from db: Connection) throws {
        orphans += tables
        tables = []
        orphans = try orphans.filter { table in
            for event in ["insert", "update", "delete"] {
                try db.configure("DROP TRIGGER IF EXISTS temp.\("\(table.log) \(event)".quotedIdentifier)")
            }
            let hasTrigger = try db.fetchOne(
                Bool.self,
                """
                SELECT EXISTS (
                    SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' AND instr(name, \(table.log + " ")) = 1)
                """)
            if hasTrigger == true { return true }
            try db.configure("DROP TABLE IF EXISTS temp.\(table.log.quotedIdentifier)")
            return false
        }
    }

    private static func list(_ row: String, _ columns: [String]) -> String {
        columns.map { "\(row).\($0.quotedIdentifier)" }.joined(separator: ", ")
    }
}

extension Connection {
    /// Makes the connection record what the streams ask for, before an access that may write. Throws `MustWait`, or `.busy`:
    /// the write would wait as long again.
    func updateRowLog() throws {
        guard let rowChangeHub, rowLog != nil || rowChangeHub.isActive else { return }
        let (log, generation) = (rowLog ?? RowLog(), rowChangeHub.generation)
        rowLog = log
        if rowChangeHub.isActive, let externalChangeMonitor, !externalChangeMonitor.isActive {
            guard interruption.mayWait else { throw MustWait() }
            // Others may have committed since it failed.
            externalChangeMonitor.willFetch()
            log.isUnknown = log.isUnknown || externalChangeMonitor.isActive
        }
        do {
            try recorder.withoutRecording {
                try waiting(interruption.mayWait) {
                    // An own change of the schema, or one of another process, may have removed a trigger.
                    let version = try fetchOne(Int64.self, "PRAGMA main.schema_version")
                    guard log.generation != generation || log.schemaVersion != version else { return }
                    try log.install(rowChangeHub.tables, on: self)
                    (log.generation, log.schemaVersion, log.failure) = (generation, version, nil)
                }
            }
        } catch let error as MustWait {
            throw error
        } catch let error as SQLiteError where error.code == .busy {
            throw error
        } catch {
            // The next access tries again.
            (log.schemaVersion, log.failure, log.isUnknown) = (nil, error, true)
        }
        if log.isEmpty, !rowChangeHub.isActive { rowLog = nil }
    }

    /// Throws if the changes of a table cannot be recorded.
    fileprivate func checkRowLog(of names: [String]) throws {
        try recorder.withoutRecording {
            guard try fetchOne(Bool.self, "PRAGMA recursive_triggers") == true else {
                throw SQLiteError(
                    .misuse, "with recursive_triggers off, SQLite does not report the rows that REPLACE deletes")
            }
            for name in names where try keyColumns(of: name) == nil {
                throw SQLiteError(.misuse, "\"\(name)\" is no table of the main file whose rows have keys")
            }
        }
        if let failure = rowLog?.failure { throw failure }
    }

    /// Returns the columns that identify a row; nil if there is no such table.
    fileprivate func keyColumns(of table: String) throws -> [String]? {
        let isTable = try fetchOne(
            Bool.self,
            """
            SELECT sql NOT LIKE 'CREATE VIRTUAL%' FROM main.sqlite_schema
            WHERE type = 'table' AND name = \(table) COLLATE NOCASE
            """)
        guard isTable == true, !table.lowercased().hasPrefix("sqlite_") else { return nil }
        // With the generated columns.
        let columns = try fetchAll("SELECT name, pk FROM pragma_table_xinfo(\(table), 'main') ORDER BY pk") { row in
            (name: try row[0] as String, place: try row[1] as Int)
        }
        let key = columns.filter { $0.place > 0 }.map(\.name)
        if !key.isEmpty { return key }
        let names = Set(columns.map { ExactText(name: $0.name) })
        return ["rowid", "_rowid_", "oid"].first { !names.contains(ExactText(name: $0)) }.map { [$0] }
    }

    /// Publishes the changes of the commits of an access, which has changed `region`.
    func publishRowChanges(_ region: Region) {
        guard let rowLog, let rowChangeHub else { return }
        interruption.withoutCancellation {
            // Of statements that have committed on their own.
            do { try rowLog.take(self) } catch { rowLog.isUnknown = true }
        }
        defer { (rowLog.differences, rowLog.isUnknown) = ([:], false) }
        if rowLog.isUnknown || region.isEverything {
            rowChangeHub.publishUnknown()
        } else if !rowLog.differences.isEmpty {
            rowChangeHub.publish(rowLog.differences)
        }
    }
}
