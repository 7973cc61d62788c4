internal import CSQLite
internal import DatabaseAccess

/// The regions that a transaction has changed so far, separately for each open savepoint.
final class ChangeLog {
    private var levels: [Region] = [Region()]
    /// Incremented whenever recorded regions may have been discarded. The changes of a statement are recorded once in
    /// each epoch.
    private(set) var epoch: UInt64 = 1

    /// Whether the whole database has been recorded at a level that contains the current one.
    var isEverything: Bool { levels.contains(where: \.isEverything) }

    func record(_ region: Region) {
        levels[levels.count - 1].formUnion(region)
    }

    func beginLevel() {
        levels.append(Region())
        epoch += 1
    }

    /// Begins or ends a part of the access that concerns some partitions only.
    func partitionChanged() { epoch += 1 }

    func endLevel(keepsChanges: Bool) {
        let level = levels.removeLast()
        if keepsChanges { record(level) }
        epoch += 1
    }

    var region: Region { levels.reduce(into: Region()) { $0.formUnion($1) } }

    /// Returns the recorded region and clears the log.
    func take() -> Region {
        let region = levels[0]
        levels.removeAll(keepingCapacity: true)
        levels.append(Region())
        epoch += 1
        return region
    }
}

extension Connection {
    /// Records the region that `statement` writes, if its run changed a row or the schema.
    ///
    /// SQLite counts no row of a statement that fails. It undoes the rows before the error only if it has expected one: a
    /// wrong type, an error of a function or malformed JSON leaves them, and the transaction can go on.
    func recordChanges(of statement: Statement) {
        if statement.recordedEpoch == changes.epoch { return }
        let set = statement.readWriteSet
        if set.writes.isEverything {
            schemaRules = nil
            return changes.record(set.writes)
        }
        let hasCounted =
            sqlite3_total_changes64(handle) != statement.changesBefore
            || statement.hasFailed && sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE
        guard hasCounted || !set.insertedTables.isEmpty else { return }
        if changes.isEverything {
            // Only the names matter, to a migration. What the schema adds is found out when it matters.
            changes.record(set.writes)
        } else {
            let written = statement.writtenRegion ?? writtenRegion(of: set, sql: statement.sql)
            statement.writtenRegion = written
            guard hasCounted || written.isUncounted else { return }
            recordWrite(written.region)
        }
        statement.recordedEpoch = changes.epoch
    }

    /// Adds the accesses of statements that SQLite compiled while `statement` ran: the statement itself after a schema
    /// change, such as a new trigger, or inner statements of a virtual table.
    func recordInnerReadWriteSet(of statement: Statement) {
        let inner = recorder.take()
        statement.readWriteSet.addAccesses(of: inner)
        (statement.recordedEpoch, statement.writtenRegion, statement.observedRegion) = (0, nil, nil)
        if isRecordingReads { recordRead(observedRegion(of: statement)) }
    }

    func recordRead(_ region: Region) {
        readRegion.formUnion(partition.map(region.within) ?? region)
    }

    private func recordWrite(_ region: Region) {
        changes.record(partition.map(region.within) ?? region)
    }

    /// Returns the region that the statement reads, for observers.
    func observedRegion(of statement: Statement) -> Region {
        if let region = statement.observedRegion { return region }
        let region = readRegion(of: statement.readWriteSet, sql: statement.sql)
        statement.observedRegion = region
        return region
    }

    /// Records accesses that belong to no cached statement. `sql` is nil if the text is unknown.
    func recordReadWriteSet(_ set: ReadWriteSet, sql: @autoclosure () -> String? = nil) {
        guard !set.isEmpty else { return }
        let isControl = set.controlsTransaction || set.controlsSavepoint
        if set.writes.isEverything || isControl { schemaRules = nil }
        changes.record(changes.isEverything ? set.writes : writtenRegion(of: set, sql: sql()).region)
        if isRecordingReads { readRegion.formUnion(readRegion(of: set, sql: sql())) }
    }

    func recordingReads<Value>(_ body: () throws -> Value) rethrows -> Fetched<Value> {
        _ = recorder.take()
        readRegion = Region()
        isRecordingReads = true
        defer { isRecordingReads = false }
        let value = try body()
        // Of statements that were compiled through the handle.
        recordReadWriteSet(recorder.take())
        return Fetched(value: value, region: readRegion)
    }
}

extension Connection {
    /// Notifies the observers of a table, when the transaction commits, of changes that no statement has made: those of an
    /// incremental blob that was opened through the ``handle``.
    ///
    /// ```swift
    /// try await database.write { db in
    ///     var blob: OpaquePointer?
    ///     sqlite3_blob_open(db.handle, "main", "images", "bytes", id, 1, &blob)
    ///     sqlite3_blob_write(blob, part, Int32(part.count), offset)
    ///     sqlite3_blob_close(blob)
    ///     try db.notifyChanges(of: "images")
    /// }
    /// ```
    ///
    /// The table counts as changed in all columns. If the transaction, or the nested one, is rolled back, nobody is
    /// notified. Changes by statements need no call, also through the handle.
    ///
    /// - Throws: `.readOnly` in a read.
    public func notifyChanges(of table: String) throws {
        guard isWritable else { throw SQLiteError(.readOnly, "a read changes nothing that others could observe") }
        try checkTransactionIsOpen()
        try rowLog?.recordUnknown(table, self)
        var set = ReadWriteSet()
        set.writes.insert(table: table)
        recordWrite(writtenRegion(of: set, sql: "").region)
    }

    /// Runs `body`, whose statements concern only some of the rows: those that belong to what has these keys, such as to a
    /// customer, in whatever tables. A commit then causes no fetch of observers that have read rows of others:
    ///
    /// ```swift
    /// try await database.write { db in
    ///     try db.within("customer", keys: [7]) {
    ///         try db.execute("UPDATE orders SET state = 'paid' WHERE customer = 7")
    ///     }
    /// }
    /// let orders = database.observe { db in    // not fetched again
    ///     try db.within("customer", keys: [8]) {
    ///         try db.fetchAll(Order.self, "SELECT * FROM orders WHERE customer = 8")
    ///     }
    /// }
    /// ```
    ///
    /// Without this, observers know tables and columns, and fetch again when another row of these changes. What the
    /// statements say is not checked: a write within `keys` must change no row that a read within other keys of the same
    /// name depends on. Reads may depend on rows that are only written outside of any `within`, such as the countries of
    /// all customers. Of nested calls, the innermost counts.
    ///
    /// - Parameters:
    ///   - name: What the rows belong to. Rows that belong to keys of different names may be the same.
    ///   - keys: Usually the primary keys of a table.
    ///   - body: Runs the statements.
    /// - Throws: The errors of `body`.
    @discardableResult
    public func within<Result>(
        _ name: String, keys: some Sequence<Int64>, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = partition
        partition = Region.Partition(name: name, keys: Set(keys))
        changes.partitionChanged()
        defer {
            partition = outer
            changes.partitionChanged()
        }
        return try body()
    }
}
